import Adaptation
import Decode
import Encode
import Foundation
import Frames
import Media
import Origin
import Support
import TestPicture
import Testing

import Streaming

/// The sound of streams: each sample is the right one at the right place of the picture's axis.
@Suite(.tier(.test)) struct StreamSoundTests {
  private static func options(seed: UInt64 = 1) -> StreamOptions {
    StreamStage.options(RandomController.choice(seed: seed, isRestless: true))
  }

  /// Each request of the stream is in the origin's log once, with its bytes. One that the stream left behind its last byte is whole there.
  private static func agree(_ history: StreamHistory, _ log: [OriginRequest]) {
    func path(_ request: StreamRequest) -> String { URL(string: request.url)?.path ?? "" }
    var whole = log.filter { $0.end == .complete }.map { "\($0.path) \($0.bytes)" }
    for request in history.requests where request.outcome == .finished {
      let row = "\(path(request)) \(request.times.bytes)"
      let place = whole.firstIndex(of: row)
      #expect(place != nil, "\(row) is not in the log")
      if let place { whole.remove(at: place) }
    }
    var left = history.requests.filter { $0.outcome != .finished }.map(path)
    for row in whole {
      let place = left.firstIndex { row.hasPrefix($0 + " ") }
      #expect(place != nil, "\(row) is in the log alone")
      if let place { left.remove(at: place) }
    }
  }

  @Test(arguments: [
    (LadderIndex.Presentation.Kind.hlsFMP4, LadderSpecification.Encryption?.some(.aes128(rotation: 2))), (.hlsTS, nil),
    (.dash, .clearKey),
  ])
  func eachSampleIsTheRightOne(
    kind: LadderIndex.Presentation.Kind, encryption: LadderSpecification.Encryption?
  ) throws {
    try Self.listen(kind, encryption)
  }

  @Test(
    .tier(.full),
    arguments: [
      (LadderIndex.Presentation.Kind.hlsFMP4, nil), (.dash, nil),
      (.hlsTS, LadderSpecification.Encryption.aes128(rotation: 2)),
    ])
  func eachSampleOfOtherStreamsIsTheRightOne(
    kind: LadderIndex.Presentation.Kind, encryption: LadderSpecification.Encryption?
  ) throws {
    try Self.listen(kind, encryption)
  }

  /// Both tracks of the ladder, from their first sample to their last, while the rung changes with each segment.
  private static func listen(
    _ kind: LadderIndex.Presentation.Kind, _ encryption: LadderSpecification.Encryption?
  ) throws {
    let ladder = try StreamStage.flat(encryption)
    let file = try #require(ladder.index.presentations.first { $0.kind == kind }?.file)
    let name = "\(kind.rawValue), \(encryption.map(StreamStage.name) ?? "clear")"
    let origin = try Origin.start(ladder.folder)
    let stage = try SoundStage(origin.url + file, Self.options())
    #expect(stage.stream.audio.map(\.language) == [Language("en"), Language("de")], "\(name)")
    #expect(stage.stream.audio.map(\.isDefault) == [true, false] && stage.stream.audio[0].channels == 1)
    for track in 0..<2 {
      let reader = try stage.reader(track)
      let heard = try SoundStage.listen(reader)
      heard.check(track: track, "\(name), track \(track)")
      #expect(abs((heard.start?.seconds ?? 1)) < 0.001 && abs(heard.end - 4.5) < 0.05, "\(name): \(heard.end)")
      #expect(reader.counts.silentSampleFrames == 0 && reader.counts.damagedPackets == 0 && reader.counts.jumps == 0)
    }
    while let frame = try stage.video.next() { try stage.see(frame) }
    #expect(stage.truth?.checked == 135 && stage.truth?.wrong == 0 && stage.truth?.wrongRung == 0, "\(name)")
    stage.stream.stop()
    let history = stage.stream.history
    // The first picture goes before any sound.
    let first = try #require(history.requests.first { $0.kind == .segment && $0.rung != nil })
    let sound = history.requests.filter { $0.rung == nil && $0.kind != .manifest }
    #expect(sound.allSatisfy { $0.times.queued >= first.times.ended }, "\(name)")
    #expect(sound.count { $0.kind == .segment } == 10, "\(name)")
    try origin.stop()
    Self.agree(history, origin.log)
  }

  /// Sound after jumps begins where it is wanted, and is the picture's.
  @Test(arguments: [LadderIndex.Presentation.Kind.hlsFMP4, .hlsTS, .dash])
  func soundAfterAJumpIsTheRightOne(kind: LadderIndex.Presentation.Kind) throws {
    var generator = SeededGenerator(for: "sound after a jump, \(kind.rawValue)")
    let ladder = try SharedLadders.flat()
    let file = try #require(ladder.index.presentations.first { $0.kind == kind }?.file)
    try StreamStage.with(ladder.folder) { origin in
      let stage = try SoundStage(origin.url + file, Self.options(seed: generator.next()))
      let reader = try stage.reader(1)
      for index in 0..<8 {
        // The first lies within the slack before the end of a segment.
        let place = MediaTime(seconds: index == 0 ? 0.999_08 : .random(in: 0..<4, using: &generator))
        // Near places are sought without the picture too, as from its cache.
        if Bool.random(using: &generator) { try stage.see(try stage.video.seek(SeekRequest(target: place))) }
        try reader.seek(to: place)
        let heard = try SoundStage.listen(reader, seconds: 0.4)
        #expect(abs(((heard.start ?? .zero) - place).seconds) < 0.001, "seed \(generator.seed), \(place.seconds)")
        heard.check(track: 1, "seed \(generator.seed)")
      }
    }
  }

  /// Sound that lies in the video's segments, of whichever rung: what is loaded once is read twice.
  @Test(arguments: LadderIndex.Packaging.allCases)
  func soundInsideTheVideoIsTheRightOne(packaging: LadderIndex.Packaging) throws {
    let ladder = try SoundStage.muxed(packaging)
    let origin = try Origin.start(ladder.folder)
    let stage = try SoundStage(origin.url + "main.m3u8", Self.options(seed: 3))
    #expect(stage.stream.audio.count == 1 && stage.stream.audio[0].codec == "aac")
    let reader = try stage.reader(0)
    var heard = SoundStage.Heard()
    while let frame = try stage.video.next() {
      try stage.see(frame)
      guard heard.end < frame.presentationTime.seconds + 0.2 else { continue }
      let more = try SoundStage.listen(reader, seconds: 0.25)
      heard.start = heard.start ?? more.start
      heard.breaks += more.breaks
      heard.samples += more.samples
    }
    heard.check(track: 0, packaging.rawValue)
    #expect(abs(heard.start?.seconds ?? 1) < 0.03 && heard.end > 4, "\(heard.start?.seconds ?? -1), \(heard.end)")
    for place in [2.5, 0.3, 3.7] {
      try stage.see(try stage.video.seek(SeekRequest(target: MediaTime(seconds: place))))
      try reader.seek(to: MediaTime(seconds: place))
      let again = try SoundStage.listen(reader, seconds: 0.4)
      #expect(abs((again.start?.seconds ?? -1) - place) < 0.03, "\(again.start?.seconds ?? -1), not \(place)")
      again.check(track: 0, "\(packaging.rawValue), \(place)")
    }
    stage.stream.stop()
    let segments = stage.stream.history.requests.filter { $0.kind == .segment }
    #expect(segments.allSatisfy { $0.rung != nil })
    try origin.stop()
    Self.agree(stage.stream.history, origin.log)
  }

  /// Over a slow link sound waits for the first segment of the video, even where it is asked for before that.
  @Test func theFirstPictureGoesBeforeSound() throws {
    let shape = try LinkShape.constant(bitsPerSecond: 2e6, roundTrip: 0.02, lossRate: 0)
    try StreamStage.with(try SharedLadders.flat().folder, { $0.shape = shape }) { origin in
      let stream = try LoadedStream(origin.url + "hls-fmp4/main.m3u8", Self.options())
      defer { stream.stop() }
      let segments = try stream.sound(0, interruption: Interruption())
      #expect(Patience.until { stream.canPlay })
      let requests = stream.history.requests
      let first = try #require(requests.first { $0.kind == .segment && $0.rung != nil })
      let sound = requests.filter { $0.url.contains("audio-en") }
      #expect(sound.count >= 3 && sound.allSatisfy { $0.times.queued >= first.times.ended })
      withExtendedLifetime(segments) {}
    }
  }

  /// Another track is loaded where the picture is, and not before that; the first one's loader ends with its reader.
  @Test func anotherTrackBeginsWhereThePictureIs() throws {
    let ladder = try SharedLadders.flat()
    try StreamStage.with(ladder.folder) { origin in
      let stage = try SoundStage(origin.url + "hls-fmp4/main.m3u8", Self.options())
      var reader: AudioReader? = try stage.reader(0)
      if let reader { try SoundStage.listen(reader, seconds: 1).check(track: 0, "first") }
      while let frame = try stage.video.next(), frame.presentationTime.seconds < 2.4 { try stage.see(frame) }
      let next = try stage.reader(1)
      let place = MediaTime(seconds: 2.5)
      #expect(Patience.until { next.readiness(at: place) == .ready })
      reader = nil
      try next.seek(to: place)
      let heard = try SoundStage.listen(next)
      #expect(abs(((heard.start ?? .zero) - place).seconds) < 0.001)
      heard.check(track: 1, "second")
      let other = stage.stream.history.requests.filter { $0.url.contains("audio-de/") && $0.kind == .segment }
      #expect(other.compactMap(\.segment).sorted() == [2, 3, 4], "\(other.map(\.url))")
    }
  }
}
