import Frames

/// How to decode.
public struct DecoderOptions: Sendable, Hashable, Codable {
  /// Decoder threads; 0 lets libavcodec choose by the number of cores.
  public var threads: Int
  /// No frame threads and no reordering delay beyond what the stream needs.
  public var isLowDelay: Bool
  /// Bytes of decoded pictures that are held around the last one where somebody seeks or steps back; 0 is none. Playing
  /// from the start holds none.
  public var cacheBytes: Int
  /// The first frame is had as soon as it can be: where one packet tells as much as probing does, it is decoded instead.
  /// Costs a frame's decoding for whoever reads on from there.
  public var showsFirstSoon = false

  public init(threads: Int = 0, isLowDelay: Bool = false, cacheBytes: Int = 64 << 20) {
    self.threads = threads
    self.isLowDelay = isLowDelay
    self.cacheBytes = cacheBytes
  }
}

/// What the decoder settled on once it was open.
public struct DecoderDescription: Sendable, Hashable, Codable {
  /// FFmpeg's name.
  public var name: String
  public var threads: Int
  /// `frame`, `slice`, `own` (threads of the decoder library's own making) or `none`.
  public var threadType: String
  /// It can write into memory of the caller's.
  public var canRenderDirectly: Bool
}
