import Foundation
import Support
import TestPicture
import Testing

@Suite struct TonePositionTests {
  /// To ten microseconds, from any place, with other levels, a constant offset and noise 20 dB below the tone.
  @Test func everyStretchTellsItsPlace() {
    var random = SeededGenerator(for: "everyStretchTellsItsPlace")
    for rate in [48_000, 44_100] {
      let tones = [0, 5, 15].map { TonePosition.Generator(rate: rate, track: $0) }
      for round in 0..<24 {
        let track = round % 3
        let position = Int.random(in: 0..<3600 * rate, using: &random)
        let count = Int.random(in: rate / 5...rate / 2, using: &random)
        let level = Float.random(in: 0.05...1, using: &random)
        let samples = tones[track].samples(from: position, count: count).map {
          level * ($0 + Float.random(in: -0.015...0.015, using: &random)) + 0.1
        }
        guard let reading = TonePosition.read(samples, rate: rate) else {
          Issue.record("unreadable at \(position) of \(rate) Hz, \(count) samples, seed \(random.seed)")
          continue
        }
        #expect(abs(reading.seconds - Double(position) / Double(rate)) < 1e-5, "seed \(random.seed)")
        #expect(reading.track == [0, 5, 15][track], "seed \(random.seed)")
      }
    }
  }

  /// Where the second changes within the stretch, its digits are read on the longer side.
  @Test func secondsMayChangeInside() {
    let tone = TonePosition.Generator(rate: 48_000, track: 1)
    for offset in stride(from: -12_000, through: 0, by: 500) {
      let position = 48_000 * 4096 + offset
      let samples = tone.samples(from: position, count: 12_000)
      let reading = TonePosition.read(samples, rate: 48_000)
      #expect(abs((reading?.seconds ?? 0) - Double(position) / 48_000) < 1e-5, "\(offset)")
    }
  }

  @Test func otherSoundsAreNotRead() {
    var random = SeededGenerator(for: "otherSoundsAreNotRead")
    let count = 12_000
    #expect(TonePosition.read([Float](repeating: 0, count: count), rate: 48_000) == nil)
    #expect(TonePosition.read((0..<count).map { _ in .random(in: -1...1, using: &random) }, rate: 48_000) == nil)
    #expect(TonePosition.read((0..<count).map { sin(Float($0) * 440 / 48_000 * 2 * .pi) }, rate: 48_000) == nil)
    #expect(TonePosition.read([Float](repeating: .nan, count: count), rate: 48_000) == nil)
    let tone = TonePosition.Generator(rate: 48_000, track: 0)
    #expect(TonePosition.read(tone.samples(from: 0, count: 9599), rate: 48_000) == nil)
    #expect(TonePosition.read(tone.samples(from: 0, count: 9600), rate: 48_000) != nil)
    // A stretch pasted together of two places: 0.4 s apart they contradict each other.
    let torn = tone.samples(from: 0, count: count / 2) + tone.samples(from: 25_217, count: count / 2)
    #expect(TonePosition.read(torn, rate: 48_000) == nil)
  }

  @Test func pieceByPieceItIsTheSame() {
    let tone = TonePosition.Generator(rate: 48_000, track: 3)
    let whole = tone.samples(from: 47_000, count: 3000)
    let pieces = stride(from: 0, to: 3000, by: 100).flatMap { tone.samples(from: 47_000 + $0, count: 100) }
    #expect(whole == pieces)
    #expect(whole.allSatisfy { abs($0) <= 0.5 })
  }
}
