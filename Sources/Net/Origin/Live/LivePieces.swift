import NIOCore

/// Parts of a live segment that are sent as one body, each once it is there. A value.
struct LivePieces: Sendable {
  /// Below the ladder's folder.
  let file: String
  let name: String
  /// Since the first picture, of each part.
  let ready: [Int64]
  private let counts: [Int]
  private let range: Range<Int>
  private let number: Int64

  init(_ track: LiveTrack, _ number: Int64, _ range: Range<Int>, ready: [Int64]) {
    let place = track.index(number)
    file = track.files[place]
    name = "\(number).\(range.lowerBound)-\(range.upperBound)"
    counts = track.parts[place].map(\.samples)
    (self.number, self.range, self.ready) = (number, range, ready)
  }

  /// The bytes of each part, from those of the file; nil where it is another one by now.
  func bytes(of file: ByteBuffer) -> [[UInt8]]? {
    guard let cutter = FragmentCutter(Array(file.readableBytesView)),
      cutter.samples.count == counts.reduce(0, +)
    else { return nil }
    // Numbers of fragments go up over all rounds.
    let sequence = UInt32(truncatingIfNeeded: number &* 1000)
    return Array(cutter.parts(counts, number: sequence &+ 1)[range])
  }
}
