import Decode
import Foundation
import Frames
import Support
import Testing

@Suite struct TempoFilterTests {
  private static let rate = 48_000

  private static func wave(_ frequency: Double, _ seconds: Double, phase: Double = 0) -> [Float] {
    (0..<Int(seconds * Double(rate))).map {
      Float(0.5 * sin(2 * .pi * (frequency * Double($0) / Double(rate) + phase)))
    }
  }

  /// The filter's output for an input that comes in pieces of changing size.
  private static func stretched(
    _ samples: [Float], channels: Int, rate: Double, pieces: [Int] = [1024, 100, 4096, 1]
  ) -> (output: [Float], filter: TempoFilter) {
    var filter = TempoFilter(channels: channels, sampleRate: Self.rate)
    filter.rate = rate
    var (output, start, number): ([Float], Int, Int) = ([], 0, 0)
    while start < samples.count {
      let end = min(samples.count, start + pieces[number % pieces.count] * channels)
      filter.append(Array(samples[start..<end]))
      output += filter.take()
      (start, number) = (end, number + 1)
    }
    return (output + filter.finish(), filter)
  }

  /// Crossings of zero upwards tell the frequency.
  private static func frequency(_ samples: [Float]) -> Double {
    let places = samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
    guard let first = places.first, let last = places.last, last > first else { return 0 }
    return Double(places.count - 1) * Double(rate) / Double(last - first)
  }

  @Test(arguments: [0.25, 0.5, 0.8, 1.1, 1.5, 2, 3.7, 4])
  func pitchStaysAndLengthFollows(rate: Double) {
    let wave = Self.wave(440, 3)
    let (output, filter) = Self.stretched(wave, channels: 1, rate: rate)
    let middle = Array(output.dropFirst(4800).dropLast(4800))
    #expect(abs(Self.frequency(middle) - 440) < 4.4, "\(Self.frequency(middle)) Hz")
    let window = Double(Self.rate) / 25
    #expect(abs(Double(output.count) - Double(wave.count) / rate) < window, "\(output.count)")
    #expect(filter.outputCount == output.count)
    // The wave's own steps are 0.029; a click would be one of up to 1.
    let step = zip(middle, middle.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
    #expect(step < 0.04, "\(step)")
    #expect((middle.map(abs).max() ?? 0) > 0.45)
  }

  @Test(arguments: [0.25, 0.7, 1, 1.9, 4])
  func positionsNeverFallAndReachTheEnd(rate: Double) {
    let wave = Self.wave(300, 2)
    let (output, filter) = Self.stretched(wave, channels: 1, rate: rate)
    let positions = (0..<output.count).map { filter.inputPosition(ofOutput: $0) }
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 <= $1 + 1e-6 })
    #expect(positions.first == 0)
    #expect(abs((positions.last ?? 0) - Double(wave.count)) < Double(Self.rate) / 25)
    for place in [output.count / 3, output.count / 2] {
      #expect(abs(positions[place] - Double(place) * rate) < 1)
    }
  }

  /// Short pulses come out where the positions say, within the reach of a block.
  @Test(arguments: [0.5, 1.5, 3])
  func soundIsWherePositionsSay(rate: Double) throws {
    var samples = [Float](repeating: 0, count: 3 * Self.rate)
    // Noise of 100 ms.
    var random = SeededGenerator(for: "soundIsWherePositionsSay(\(rate))")
    for index in 72_000..<76_800 { samples[index] = Float.random(in: -0.5...0.5, using: &random) }
    let (output, filter) = Self.stretched(samples, channels: 1, rate: rate)
    let first = try #require(output.firstIndex { abs($0) > 0.1 })
    let last = try #require(output.lastIndex { abs($0) > 0.1 })
    #expect(abs(filter.inputPosition(ofOutput: first) - 72_000) < 0.04 * Double(Self.rate) * max(1, rate))
    #expect(abs(filter.inputPosition(ofOutput: last) - 76_800) < 0.04 * Double(Self.rate) * max(1, rate))
  }

  @Test func aRateOfOneChangesNothing() {
    var random = SeededGenerator(for: "aRateOfOneChangesNothing")
    let noise = (0..<20_000).map { _ in Float.random(in: -1...1, using: &random) }
    let (output, filter) = Self.stretched(noise, channels: 2, rate: 1)
    #expect(output == noise && filter.inputPosition(ofOutput: 7777) == 7777)
  }

  /// Both channels of a pair are cut at the same places.
  @Test func channelsStayInPhase() {
    let (left, right) = (Self.wave(440, 2), Self.wave(440, 2, phase: 0.25))
    let both = zip(left, right).flatMap { [$0, $1] }
    let output = Self.stretched(both, channels: 2, rate: 1.37).output
    let pairs = stride(from: 9600, to: output.count - 9600, by: 2).map { (output[$0], output[$0 + 1]) }
    // A quarter of a turn apart, their squares add up to the amplitude's.
    let radii = pairs.map { ($0 * $0 + $1 * $1).squareRoot() }
    #expect((radii.min() ?? 0) > 0.45 && (radii.max() ?? 1) < 0.51)
  }

  @Test func ratesMayChangeAtAnyTime() throws {
    var random = SeededGenerator(for: "ratesMayChangeAtAnyTime")
    var filter = TempoFilter(channels: 1, sampleRate: Self.rate)
    let wave = Self.wave(440, 12)
    var (output, expected): ([Float], Double) = ([], 0)
    for start in stride(from: 0, to: wave.count, by: 9600) {
      // Every third stretch passes as it is.
      filter.rate = start / 9600 % 3 == 2 ? 1 : Double.random(in: 0.25...4, using: &random)
      filter.append(Array(wave[start..<start + 9600]))
      output += filter.take()
      expected += 9600 / filter.rate
    }
    output += filter.finish()
    let positions = (0..<output.count).map { filter.inputPosition(ofOutput: $0) }
    #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 <= $1 + 1e-6 })
    let step = zip(output, output.dropFirst().dropLast(4800)).reduce(0) { max($0, abs($1.0 - $1.1)) }
    #expect(step < 0.04 && abs(Self.frequency(Array(output.dropLast(4800))) - 440) < 4.4, "\(step)")
    #expect(abs(Double(output.count) - expected) < 0.2 * Double(output.count))
    #expect(abs((positions.last ?? 0) - Double(wave.count)) < Double(Self.rate) / 25)
  }

  @Test func ratesAreClampedAndAnySampleIsSafe() {
    var filter = TempoFilter(channels: 1, sampleRate: 8000)
    for (asked, taken) in [(0.0, 0.25), (-1, 0.25), (100, 4), (.nan, 1), (.infinity, 4), (2, 2)] {
      filter.rate = asked
      #expect(filter.rate == taken)
    }
    filter.append((0..<8000).map { $0 % 3 == 0 ? .nan : $0 % 3 == 1 ? .infinity : -.greatestFiniteMagnitude })
    #expect(!filter.take().isEmpty)
    _ = filter.finish()
    filter.append([Float](repeating: 0, count: 8000))
    #expect(filter.take().allSatisfy { $0 == 0 })
    #expect(filter.inputCount == 16_000)
  }
}
