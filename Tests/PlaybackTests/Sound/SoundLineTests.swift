import Frames
import Playback
import Support
import Testing

/// Frames of sound become one line of samples.
@Suite struct SoundLineTests {
  private static let rate = CountedSound.rate

  /// The numbers of the first samples, nil for silence.
  private static func numbers(_ line: inout SoundLine, _ count: Int) throws -> [Int?] {
    var samples: [Float] = []
    while samples.count < count { samples += try line.next() }
    return samples.prefix(count).map { CountedSound.number($0) }
  }

  @Test func aTrackWithoutGapsComesAsItIs() throws {
    var line = SoundLine(CountedSound(seconds: 0.5), turn: nil)
    try line.move(to: .zero, offset: .zero)
    #expect(try Self.numbers(&line, 20_000) == (0..<20_000).map { $0 })
  }

  @Test func gapsAreSilentAndOverlapsAreHeardOnce() throws {
    // Begins late, then a gap of 300 samples, then 100 samples that were heard already.
    var line = SoundLine(CountedSound([(480, 1000), (1780, 1000), (2680, 1000)]), turn: nil)
    try line.move(to: .zero, offset: .zero)
    let expected: [Int?] = (0..<3680).map { (480..<1480).contains($0) || $0 >= 1780 ? $0 : nil }
    #expect(try Self.numbers(&line, 3680) == expected)
    #expect(try Self.numbers(&line, 5000).allSatisfy { $0 == nil }, "silence follows the end")
  }

  @Test func itMovesToTheSample() throws {
    var generator = SeededGenerator(for: "itMovesToTheSample")
    for _ in 0..<50 {
      let place = Int.random(in: 0..<20_000, using: &generator)
      var line = SoundLine(CountedSound(seconds: 0.5), turn: nil)
      let time = MediaTime(ticks: Int64(place), timeBase: Ratio(1, Int32(Self.rate)))
      // The timeline began an hour before the clip.
      let hour = MediaTime(seconds: 3600)
      try line.move(to: hour + time, offset: hour)
      #expect(try Self.numbers(&line, 100) == (place..<place + 100).map { $0 }, "seed \(generator.seed)")
    }
  }

  /// The video is longer or shorter than its sound: each turn begins with both.
  @Test(arguments: [4800, 6000, 3000]) func turnsBeginTogether(turn: Int) throws {
    let source = CountedSound([(0, 1024), (1024, 1024), (2048, 1024), (3072, 1024), (4096, 704)])
    let length = MediaTime(ticks: Int64(turn), timeBase: Ratio(1, Int32(Self.rate)))
    var line = SoundLine(source, turn: length)
    try line.move(to: .zero, offset: .zero)
    let expected: [Int?] = (0..<turn * 3).map { $0 % turn < 4800 ? $0 % turn : nil }
    let numbers = try Self.numbers(&line, turn * 3)
    let wrong = zip(numbers, expected).enumerated().first { $1.0 != $1.1 }
    #expect(wrong == nil, "\(wrong.map { "sample \($0.offset): \($0.element)" } ?? "")")
  }

  @Test func anEmptyTrackIsSilent() throws {
    for turn in [nil, MediaTime(seconds: 0.1)] {
      var line = SoundLine(CountedSound([]), turn: turn)
      try line.move(to: .zero, offset: .zero)
      #expect(try Self.numbers(&line, 20_000).allSatisfy { $0 == nil })
    }
  }

  /// A damaged clip may be told to take one tick of 90 kHz: a second is no 90,000 turns then, each of which seeks.
  @Test func turnsTakeAsLongAsThePicturesAtLeast() throws {
    let source = CountedSound([])
    var line = SoundLine(source, turn: MediaTime(ticks: 1, timeBase: Ratio(1, 90_000)))
    try line.move(to: .zero, offset: .zero)
    _ = try Self.numbers(&line, Self.rate)
    let shortest = Timeline.shortestTurn.seconds
    #expect(source.seeks.count <= 1 + Int((1 / shortest).rounded(.up)), "\(source.seeks.count)")
  }

  @Test func placesFollowTheFramesThatTellThem() {
    var map = PlaceMap()
    #expect(map.time(at: MediaTime(seconds: 3)) == MediaTime(seconds: 3))
    map.note(place: .zero, time: MediaTime(seconds: 10))
    map.note(place: MediaTime(seconds: 1), time: MediaTime(seconds: 11))
    // The clip begins anew.
    map.note(place: MediaTime(seconds: 2), time: .zero)
    #expect(map.time(at: MediaTime(seconds: 1.5)) == MediaTime(seconds: 11.5))
    #expect(map.time(at: MediaTime(seconds: 2.5)) == MediaTime(seconds: 0.5))
    // Sought: stretches known from there on no longer hold.
    map.note(place: MediaTime(seconds: 1), time: MediaTime(seconds: 1))
    #expect(map.time(at: MediaTime(seconds: 2.5)) == MediaTime(seconds: 2.5))
    #expect(map.time(at: MediaTime(seconds: 0.5)) == MediaTime(seconds: 10.5))
  }
}
