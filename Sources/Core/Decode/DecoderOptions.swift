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
  /// The decoder; nil is `auto`.
  public var choice: DecoderChoice? = .software
  /// `auto` made `choice`: falls back to software where that cannot decode.
  public var isAutomatic = false
  /// The GPU that hardware decoders run on; nil: the one that hands out memory, or any.
  public var device: DeviceIdentity?
  /// How the clip is fetched, where it lies on the network.
  public var network = NetworkOptions()
  /// A truncated clip is looped where at least so many seconds of it can be decoded; nil: never.
  public var leastLoopSeconds: Double?
  /// The hardware decoders to choose from.
  package var hardware = HardwareDecoders()
  /// Delivers the first frame as early as possible: where one packet tells as much as probing, it is decoded instead.
  /// Reading on from there decodes that frame again.
  public var showsFirstSoon = false
  /// A file of sound alone is opened too, with black pictures in place of its video.
  public var acceptsSound = false

  /// All but `hardware`.
  private enum CodingKeys: CodingKey {
    case threads, isLowDelay, cacheBytes, choice, isAutomatic, device, network, leastLoopSeconds, showsFirstSoon,
      acceptsSound
  }

  /// Software may take the place of a hardware decoder.
  var mayFallBack: Bool { choice == nil || isAutomatic }

  /// The decoder may be one that works on the device that draws, where that is lent.
  public var mayUseLentDevice: Bool {
    (choice ?? .vulkan) == .vulkan && hardware.named(.vulkan)?.worksOnLentDevice == true
  }

  public init(threads: Int = 0, isLowDelay: Bool = false, cacheBytes: Int = 64 << 20) {
    self.threads = threads
    self.isLowDelay = isLowDelay
    self.cacheBytes = cacheBytes
  }
}

/// The decoder's settings once it is open.
public struct DecoderDescription: Sendable, Hashable, Codable {
  /// FFmpeg's name.
  public var name: String
  public var threads: Int
  /// `frame`, `slice`, `own` (threads of the decoder library's own making) or `none`.
  public var threadType: String
  /// It can write into the caller's memory; a hardware decoder's frames are copied there.
  public var canRenderDirectly: Bool
  public var choice = DecoderChoice.software
  /// Its frames are drawn where they lie, or where its device copied them: the CPU sees none of them.
  public var sharesMemory = false
}
