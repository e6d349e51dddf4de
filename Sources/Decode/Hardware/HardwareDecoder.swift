internal import CFFmpeg
import Frames
import Media

/// A kind of hardware decoder: what it needs, how its device is opened, and how its frames are shared.
///
/// A new one is one file and one row in `HardwareDecoders.all`.
protocol HardwareDecoder: Sendable {
  var choice: DecoderChoice { get }
  /// FFmpeg's kind of device.
  var type: AVHWDeviceType { get }
  /// Which library or device is missing here, and what to do about it; nil: nothing is. Opens no device.
  ///
  /// - Parameter device: the GPU that it is to run on; nil: any.
  func obstacle(on device: DeviceIdentity?) -> String?
  /// Opens the device and closes it again: why that fails. Nil: it opens, or only the decoder's start tells.
  ///
  /// Asked only where there is no other obstacle.
  func obstacleToOpening(on device: DeviceIdentity?) -> String?
  /// Why a device does not open, in better words than FFmpeg's; nil: there are none.
  func reasonNotToOpen(on device: DeviceIdentity?) -> String?
  /// What FFmpeg opens that device by. Asked only where there is no obstacle.
  func name(of device: DeviceIdentity?) -> String?
  /// Opens the device: an error of FFmpeg's, or 0.
  ///
  /// - Parameters:
  ///   - opened: the caller's where it succeeds.
  ///   - lent: the device that draws, where decoders may work on it.
  func open(
    _ opened: inout UnsafeMutablePointer<AVBufferRef>?, on device: DeviceIdentity?, lent: LentDevice?
  ) -> Int32
  /// Why its frames of a codec are copied to the CPU's memory rather than shared; nil when they are shared.
  func sharingObstacle(_ sharing: PictureSharing, _ codec: AVCodecID) -> String?
  /// Shares frames of an opened device; nil where that cannot be.
  func makeSharing(_ device: UnsafeMutablePointer<AVBufferRef>, _ allocator: PictureAllocator) -> (any FrameSharing)?
  /// Surfaces beyond the codec's own need, for frames that are on their way.
  var extraSurfaces: Int { get }
}

/// The table of hardware decoders, in the order in which `auto` tries them.
enum HardwareDecoders {
  static let all: [any HardwareDecoder] = [CUDADecoder(), VAAPIDecoder(), VulkanDecoder()]

  static func named(_ choice: DecoderChoice) -> (any HardwareDecoder)? { all.first { $0.choice == choice } }
}

extension HardwareDecoder {
  func obstacleToOpening(on device: DeviceIdentity?) -> String? { nil }

  func reasonNotToOpen(on device: DeviceIdentity?) -> String? { nil }

  func open(
    _ opened: inout UnsafeMutablePointer<AVBufferRef>?, on device: DeviceIdentity?, lent: LentDevice?
  ) -> Int32 {
    openOwnDevice(&opened, on: device)
  }

  /// A device that is FFmpeg's alone.
  func openOwnDevice(_ opened: inout UnsafeMutablePointer<AVBufferRef>?, on device: DeviceIdentity?) -> Int32 {
    captureLog()
    return av_hwdevice_ctx_create(&opened, type, name(of: device), nil, 0)
  }

  /// FFmpeg's decoder for a codec on such a device, and what it gives; nil when there is none.
  func codec(for id: AVCodecID) -> (codec: UnsafePointer<AVCodec>, format: AVPixelFormat)? {
    var position: UnsafeMutableRawPointer?
    while let codec = av_codec_iterate(&position) {
      guard codec.pointee.id == id else { continue }
      let format = bench_codec_hardware_format(codec, type)
      if format != AV_PIX_FMT_NONE { return (codec, format) }
    }
    return nil
  }

  /// Why it cannot decode a codec here; nil when nothing is known to stand in the way. Opens no device.
  func obstacle(to id: AVCodecID, on device: DeviceIdentity?) -> String? {
    guard hasType else { return "this FFmpeg (\(FFmpegVersion.runtime)) was built without \(choice.rawValue)" }
    guard codec(for: id) != nil else {
      let name = string(avcodec_get_name(id)) ?? "this codec"
      return choice == .vulkan && codecs.isEmpty
        ? "this FFmpeg (\(FFmpegVersion.runtime)) has no Vulkan decoders: 6.1 or newer is needed"
        : "this FFmpeg (\(FFmpegVersion.runtime)) does not decode \(name) with \(choice.rawValue)"
    }
    return obstacle(on: device)
  }

  /// The linked FFmpeg knows such devices.
  var hasType: Bool {
    var known = AV_HWDEVICE_TYPE_NONE
    while true {
      known = av_hwdevice_iterate_types(known)
      if known == type { return true }
      if known == AV_HWDEVICE_TYPE_NONE { return false }
    }
  }

  /// FFmpeg's names of all codecs that it has a decoder for on such devices; the GPU need not know all of them.
  var codecs: [String] {
    var names: Set<String> = []
    var position: UnsafeMutableRawPointer?
    while let codec = av_codec_iterate(&position) {
      guard bench_codec_hardware_format(codec, type) != AV_PIX_FMT_NONE else { continue }
      if let name = string(avcodec_get_name(codec.pointee.id)) { names.insert(name) }
    }
    return names.sorted()
  }
}
