import Glibc

/// Plays samples faster or slower with the pitch that they have: WSOLA, overlapping pieces of the input that fit to each other.
///
/// Each block of the output is a cross-fade from what goes on behind the block before to the place of the input that the rate
/// wants, or one near it where the wave is most alike. All channels take the same place, so that they stay in phase. At a rate of
/// 1 samples pass as they are.
///
/// A value: one thread at a time. Samples that were appended and not taken are kept.
public struct TempoFilter: Sendable {
  /// Rates that can be set.
  public static let rates = 0.25...4.0

  /// Input for each output; the nearest of `rates`. A change has effect from the samples on that `take` gives next.
  public var rate = 1.0 {
    didSet { rate = rate.isNaN ? 1 : min(max(rate, Self.rates.lowerBound), Self.rates.upperBound) }
  }
  public let channels: Int
  /// Sample frames that were taken so far.
  public private(set) var outputCount = 0
  /// Sample frames of a block.
  let block: Int
  /// How far from its place a block may begin.
  let reach: Int
  /// Places are compared at every so many samples first.
  private let coarse: Int
  private let fade: [Float]
  private var input: [Float] = []
  /// The input's mean of all channels.
  private var mono: [Float] = []
  /// The number of the first frame in `input`.
  private var first = 0
  /// What goes on behind the last block.
  private var cursor = 0
  /// Where the next block belongs.
  private var place = 0.0
  private var map = TempoMap()

  /// - Parameters:
  ///   - channels: of the interleaved samples, at least 1.
  ///   - sampleRate: at least 1000.
  public init(channels: Int, sampleRate: Int) {
    precondition(channels >= 1 && sampleRate >= 1000, "no such sound")
    self.channels = channels
    (block, reach) = (sampleRate / 50, sampleRate / 66)
    coarse = max(1, sampleRate / 12_000)
    let block = block
    fade = (0..<block).map { (index: Int) -> Float in
      let phase: Double = .pi * (Double(index) + 0.5) / Double(block)
      return Float(0.5 - 0.5 * cos(phase))
    }
  }

  /// Sample frames that were appended so far.
  public var inputCount: Int { first + mono.count }

  /// The input's sample frame that a frame of the output stands for; never falls. Of frames that were not yet taken, what it
  /// will be if the rate stays.
  public func inputPosition(ofOutput frame: Int) -> Double { map.input(ofOutput: frame) }

  /// - Parameter samples: interleaved, a multiple of the channels.
  public mutating func append(_ samples: [Float]) {
    precondition(samples.count % channels == 0, "samples of all channels are needed")
    input += samples
    let share = 1 / Float(channels)
    for frame in 0..<samples.count / channels {
      mono.append((0..<channels).reduce(0) { $0 + samples[frame * channels + $1] } * share)
    }
  }

  /// All of the output that can be made of the input so far.
  public mutating func take() -> [Float] {
    var output: [Float] = []
    while step(into: &output, end: inputCount) {}
    forget()
    return output
  }

  /// The rest of the output: silence follows on the input. The filter goes on with what is appended then.
  public mutating func finish() -> [Float] {
    let end = inputCount
    var output = take()
    append([Float](repeating: 0, count: (2 * block + 2 * reach) * channels))
    while place < Double(end), step(into: &output, end: inputCount) {}
    // The last block reaches beyond the end.
    let taken = outputCount - output.count / channels
    if let last = Range(from: taken, to: outputCount).first(where: { inputPosition(ofOutput: $0) >= Double(end) }) {
      output.removeLast((outputCount - last) * channels)
      outputCount = last
    }
    restart(at: end)
    return output
  }

  /// Drops all that was appended; positions count on.
  private mutating func restart(at end: Int) {
    (input, mono) = ([], [])
    (first, cursor, place) = (end, end, Double(end))
    map.begin(output: outputCount, input: place, rate: rate)
  }

  // MARK: - Blocks

  /// Makes a block; false where that needs more input.
  private mutating func step(into output: inout [Float], end: Int) -> Bool {
    if rate == 1, Double(cursor) == place { return pass(into: &output, end: end) }
    let ideal = Int(place.rounded())
    guard max(cursor, ideal + reach) + block + coarse <= end else { return false }
    // On the way back to a rate of 1, a block is not taken from before its place: positions must not fall.
    let start = bestPlace(from: rate == 1 ? ideal : max(ideal - reach, first), through: ideal + reach)
    for index in 0..<block {
      let weight = fade[index]
      let (old, new) = ((cursor - first + index) * channels, (start - first + index) * channels)
      for channel in 0..<channels {
        output.append(input[old + channel] * (1 - weight) + input[new + channel] * weight)
      }
    }
    let next = rate == 1 ? Double(start + block) : place + Double(block) * rate
    map.begin(output: outputCount, input: place, rate: (next - place) / Double(block))
    outputCount += block
    (cursor, place) = (start + block, next)
    return true
  }

  private mutating func pass(into output: inout [Float], end: Int) -> Bool {
    guard cursor < end else { return false }
    output += input[((cursor - first) * channels)...]
    map.begin(output: outputCount, input: place, rate: 1)
    outputCount += end - cursor
    (cursor, place) = (end, Double(end))
    return true
  }

  /// Where the wave is most like what goes on behind the last block.
  private func bestPlace(from lowest: Int, through highest: Int) -> Int {
    let ideal = min(max(Int(place.rounded()), lowest), highest)
    let rough = best(of: stride(from: lowest, through: highest, by: coarse), every: coarse, else: ideal)
    return best(
      of: stride(from: max(lowest, rough - coarse), through: min(highest, rough + coarse), by: 1), every: 1, else: rough
    )
  }

  private func best(of places: StrideThrough<Int>, every step: Int, else usual: Int) -> Int {
    mono.withUnsafeBufferPointer { mono in
      var (best, most) = (usual, -Float.infinity)
      for place in places {
        var (product, power): (Float, Float) = (0, 1e-9)
        var (old, new) = (cursor - first, place - first)
        for _ in stride(from: 0, to: block, by: step) {
          product += mono[old] * mono[new]
          power += mono[new] * mono[new]
          (old, new) = (old + step, new + step)
        }
        let likeness = product / power.squareRoot()
        if likeness > most { (best, most) = (place, likeness) }
      }
      // Silence is like itself everywhere.
      return most > 0 ? best : usual
    }
  }

  /// Drops the input that no block can begin in any more.
  private mutating func forget() {
    let needed = min(cursor, Int(place) - reach - 1)
    let count = min(needed - first, mono.count)
    guard count > 0 else { return }
    input.removeFirst(count * channels)
    mono.removeFirst(count)
    first += count
  }
}

/// Which place of the input each place of the output stands for: straight pieces, of which the latest are kept.
struct TempoMap: Sendable {
  private struct Piece {
    var output: Int
    var input: Double
    var rate: Double
  }

  private var pieces = [Piece(output: 0, input: 0, rate: 1)]
  private static let limit = 1024

  /// From a place of the output on.
  mutating func begin(output: Int, input: Double, rate: Double) {
    if let last = pieces.last {
      let expected = last.input + Double(output - last.output) * last.rate
      if last.rate == rate, abs(expected - input) < 1e-3 { return }
      if last.output == output { pieces.removeLast() }
    }
    pieces.append(Piece(output: output, input: input, rate: rate))
    if pieces.count > Self.limit { pieces.removeFirst(Self.limit / 2) }
  }

  func input(ofOutput output: Int) -> Double {
    let number = pieces.lastIndex { $0.output <= output } ?? 0
    let (piece, next) = (pieces[number], number + 1 < pieces.count ? pieces[number + 1].input : .infinity)
    return min(max(0, piece.input + Double(output - piece.output) * piece.rate), next)
  }
}
