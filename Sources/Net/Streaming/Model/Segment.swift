import Frames

/// A piece of a rendition that is downloaded in one request.
public struct Segment: Sendable, Hashable {
  /// Media sequence number in HLS, `$Number$` in DASH; the place counted from 1 in a DASH timeline without numbers.
  public var number: Int64
  public var address: StreamAddress
  /// The part of the resource; nil for all of it.
  public var range: ByteRange?
  /// On its timeline's axis, in ticks of its timescale; negative where it begins before its period.
  public var start: Int64
  /// In ticks.
  public var duration: Int64
  /// Segments of one number are continuous in time stamps and coding; the number of the period in DASH.
  public var discontinuity: Int64
  /// The wall clock of its first sample: from the manifest, or extrapolated from neighbours.
  public var wallTime: WallTime?
  /// The server has no media for it: do not load it.
  public var isGap: Bool
  public var key: SegmentKey?
  public var initialization: InitializationSection?
  /// Bits per second, where the playlist tells (`EXT-X-BITRATE`).
  public var bitrate: Int64?
  /// The parts of a low-latency segment, as long as the playlist lists them.
  public var parts: [PartialSegment]

  public init(
    number: Int64, address: StreamAddress, range: ByteRange? = nil, start: Int64, duration: Int64,
    discontinuity: Int64 = 0
  ) {
    self.number = number
    self.address = address
    self.range = range
    self.start = start
    self.duration = duration
    self.discontinuity = discontinuity
    isGap = false
    parts = []
  }
}

/// A header that a demuxer needs before the segments that name it.
public struct InitializationSection: Sendable, Hashable {
  public var address: StreamAddress
  /// Nil for all of the resource.
  public var range: ByteRange?
  /// The key in force where the section was named; its vector is explicit.
  public var key: SegmentKey?

  public init(address: StreamAddress, range: ByteRange? = nil, key: SegmentKey? = nil) {
    self.address = address
    self.range = range
    self.key = key
  }
}

/// The encryption of whole segments: AES-128 in CBC mode with PKCS7 padding (RFC 8216 §4.3.2.4).
public struct SegmentKey: Sendable, Hashable {
  /// Where the 16 bytes of the key lie.
  public var address: StreamAddress
  /// The initialisation vector that the playlist gives; nil: the media sequence number of the segment.
  public var explicitVector: InitializationVector?

  public init(address: StreamAddress, explicitVector: InitializationVector? = nil) {
    self.address = address
    self.explicitVector = explicitVector
  }

  public func vector(forSegment number: Int64) -> InitializationVector {
    explicitVector ?? InitializationVector(high: 0, low: UInt64(clamping: number))
  }
}

/// 128 bits, big-endian.
public struct InitializationVector: Sendable, Hashable {
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  public var bytes: [UInt8] {
    [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } }
  }
}

/// A part of a low-latency segment (`EXT-X-PART`).
public struct PartialSegment: Sendable, Hashable {
  public var address: StreamAddress
  public var range: ByteRange?
  /// On its timeline's axis, in ticks.
  public var start: Int64
  public var duration: Int64
  /// Begins with a sync sample.
  public var isIndependent: Bool
  public var isGap: Bool
}
