import Frames

/// The segments of one track in every packaging that is written. One thread at a time.
struct TrackOutput: ~Copyable {
  private let name: String
  private let specification: LadderSpecification
  private let encryption: LadderEncryption?
  /// Nil: no MPEG-TS is written.
  private let transport: TransportMuxer?
  private var fragments: FragmentMuxer
  private var transportFacts = LadderIndex.Rendition(packaging: .ts)
  private var fragmentFacts = LadderIndex.Rendition(packaging: .fmp4)

  init(
    name: String, specification: LadderSpecification, encryption: LadderEncryption?,
    transport: consuming TransportMuxer?, fragments: FragmentMuxer
  ) {
    self.name = name
    self.specification = specification
    self.encryption = encryption
    self.transport = transport
    self.fragments = fragments
  }

  /// Writes a segment. `start` and `duration` are seconds; `frames` are its pictures.
  mutating func write(
    _ packets: [CodedPacket], number: Int, start: Double, duration: Double, frames: Range<Int>?,
    to folder: borrowing OutputFolder
  ) throws {
    let fragment = fragments.segment(packets)
    let stream = try transport?.segment(packets)
    for (base, suffix, made) in [
      (LadderWriter.transportFolder, "ts", stream), (LadderWriter.fragmentFolder, "m4s", fragment),
    ] {
      guard let made else { continue }
      let bytes = encryption?.encrypt(made.bytes, segment: number) ?? made.bytes
      let file = "\(base)/\(name)/\(numbered(number)).\(suffix)"
      try folder.write(bytes, to: file)
      var facts = LadderIndex.Segment(file: file, bytes: bytes.count, start: start, duration: duration, frames: frames)
      if frames != nil && encryption == nil { facts.syncBytes = made.firstBytes }
      if suffix == "ts" { transportFacts.segments.append(facts) } else { fragmentFacts.segments.append(facts) }
    }
  }

  /// Writes the initialization segment. Returns the renditions in the order of `Packaging`.
  consuming func finish(to folder: borrowing OutputFolder) throws -> [LadderIndex.Rendition] {
    let file = "\(LadderWriter.fragmentFolder)/\(name)/init.mp4"
    let bytes = fragments.initialization
    try folder.write(bytes, to: file)
    fragmentFacts.initialization = LadderIndex.File(file: file, bytes: bytes.count)
    let hasTransport = !transportFacts.segments.isEmpty
    var all = hasTransport ? [transportFacts, fragmentFacts] : [fragmentFacts]
    for index in all.indices {
      all[index].setBitRates()
      guard specification.hasHLS else { continue }
      let base = all[index].packaging == .ts ? LadderWriter.transportFolder : LadderWriter.fragmentFolder
      all[index].playlist = "\(base)/\(name).m3u8"
      if all[index].segments.contains(where: { $0.syncBytes != nil }) {
        all[index].iFramePlaylist = "\(base)/\(name)-iframes.m3u8"
      }
    }
    return all
  }
}

extension LadderIndex.Rendition {
  /// `EXT-X-TARGETDURATION`: the longest segment, rounded.
  var targetDuration: Int { max(1, Int((segments.map(\.duration).max() ?? 1).rounded())) }

  /// Both bit rates, from the segments.
  mutating func setBitRates() {
    let bits = segments.map { Double($0.bytes * 8) }
    let seconds = segments.map(\.duration)
    let total: Double = seconds.reduce(0, +)
    averageBitRate = Int((bits.reduce(0, +) / max(total, 1e-9)).rounded(.up))
    let target = Double(targetDuration)
    var peak = Double(averageBitRate)
    for start in segments.indices {
      var (sum, length) = (0.0, 0.0)
      for index in Range(from: start, to: segments.count) {
        sum += bits[index]
        length += seconds[index]
        guard length <= 1.5 * target else { break }
        if length >= 0.5 * target { peak = max(peak, sum / length) }
      }
    }
    peakBitRate = Int(peak.rounded(.up))
  }
}

/// Collects the packets of a rung until a segment is complete.
struct SegmentCutter {
  struct Segment {
    var number: Int
    var frames: Range<Int>
    var packets: [CodedPacket]
  }

  private let segments: [Range<Int>]
  private var packets: [CodedPacket] = []
  private var number = 0

  init(_ segments: [Range<Int>]) {
    self.segments = segments
  }

  /// Returns the segment that ends before this packet. Throws `Failure(.failed)` where the encoder did not put sync
  /// samples at the beginning of segments, and there only, or mixed the pictures of two.
  mutating func add(_ packet: CodedPacket) throws -> Segment? {
    var complete: Segment?
    if packet.isSync && !packets.isEmpty { complete = try take() }
    packets.append(packet)
    return complete
  }

  /// The last segment.
  mutating func finish() throws -> Segment {
    let segment = try take()
    guard number == segments.count else { throw failure }
    return segment
  }

  private mutating func take() throws -> Segment {
    guard number < segments.count, packets.first?.isSync == true else { throw failure }
    let frames = segments[number]
    guard packets.map({ Int($0.presentation) }).sorted() == Array(frames),
      Int(packets[0].presentation) == frames.lowerBound
    else { throw failure }
    defer {
      packets = []
      number += 1
    }
    return Segment(number: number, frames: frames, packets: packets)
  }

  private var failure: Failure {
    Failure(
      .failed, "cannot cut segment \(number)", cause: "the encoder put its sync samples elsewhere",
      remedy: "try another segment duration")
  }
}
