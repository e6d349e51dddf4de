import Frames
import Media

/// How to decode.
public struct DecoderOptions: Sendable, Hashable, Codable {
  /// Decoder threads; 0 lets libavcodec choose by the number of cores.
  public var threads: Int
  /// No frame threads and no reordering delay beyond what the stream needs.
  public var isLowDelay: Bool
  /// Bytes of decoded pictures that are held around the last one for seeks and steps back; 0 is none. Playing
  /// from the start holds none.
  public var cacheBytes: Int
  /// Who decodes; nil is `auto`.
  public var choice: DecoderChoice? = .software
  /// `choice` is what `auto` came to: software takes over where that cannot.
  public var isAutomatic = false
  /// The GPU that hardware decoders run on; nil: the one that hands out memory, or any.
  public var device: DeviceIdentity?
  /// How the clip is fetched, where it lies on the network.
  public var network = NetworkOptions()
  /// A clip that ends before its end is looped all the same where so many seconds of it can be decoded; nil: never.
  public var leastLoopSeconds: Double?
  /// For tests; nil outside of them.
  package var planted: PlantedHardware?
  /// The first frame is had as soon as it can be: where one packet tells as much as probing does, it is decoded instead.
  /// Reading on from there costs decoding that frame again.
  public var showsFirstSoon = false

  /// Software may take the place of a hardware decoder.
  var mayFallBack: Bool { choice == nil || isAutomatic }

  /// The decoder may be one that works on the device that draws, where that is lent.
  public var mayUseLentDevice: Bool {
    planted?.isOnLentDevice ?? ((choice ?? .vulkan) == .vulkan && !VulkanDecoder().codecs.isEmpty)
  }

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
  /// It can write into memory of the caller's; a hardware decoder's frames are copied there.
  public var canRenderDirectly: Bool
  public var choice = DecoderChoice.software
  /// Its frames are drawn where they lie, or where its device copied them: the CPU sees none of them.
  public var sharesMemory = false
}
