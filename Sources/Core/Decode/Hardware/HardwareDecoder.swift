package import CFFmpeg
import Frames
import Media

/// A kind of hardware decoder: what it needs, how its device is opened, and how its frames are shared.
///
/// A new one is one file and one row in `HardwareDecoders.all`.
package protocol HardwareDecoder: Sendable {
  var choice: DecoderChoice { get }
  /// FFmpeg's kind of device.
  var type: AVHWDeviceType { get }
  /// The missing library or device, and the remedy; nil: none is missing. Opens no device.
  ///
  /// - Parameter device: the GPU that it is to run on; nil: any.
  func obstacle(on device: DeviceIdentity?) -> String?
  /// Opens and closes the device; returns why that fails. Nil: it opens, or only the decoder's start shows it.
  ///
  /// Asked only where there is no other obstacle.
  func obstacleToOpening(on device: DeviceIdentity?) -> String?
  /// Why a device does not open, in better words than FFmpeg's; nil: there are none.
  func reasonNotToOpen(on device: DeviceIdentity?) -> String?
  /// FFmpeg's name of the device to open. Called only where there is no obstacle.
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
  /// It works on the device that draws, where that is lent.
  var worksOnLentDevice: Bool { get }
  /// FFmpeg's decoder for a codec on such a device, and what it gives; nil when there is none.
  func codec(for id: AVCodecID) -> (codec: UnsafePointer<AVCodec>, format: AVPixelFormat)?
  /// Starts it for one stream.
  ///
  /// - Parameter device: the GPU that is to decode; nil: any.
  func makeSession(
    _ codec: AVCodecID, on device: DeviceIdentity?, allocator: PictureAllocator?, path: String
  ) throws(Failure) -> any HardwareSession
}

/// Hardware decoders, in the order in which `auto` tries them: the built-in ones, or others that a caller hands in. Not
/// part of records.
package struct HardwareDecoders: Sendable, Hashable {
  static let all: [any HardwareDecoder] = [CUDADecoder(), VAAPIDecoder(), VulkanDecoder()]

  package let rows: [any HardwareDecoder]

  /// The built-in decoders.
  package init() { rows = Self.all }

  package init(_ rows: [any HardwareDecoder]) { self.rows = rows }

  package static func == (a: HardwareDecoders, b: HardwareDecoders) -> Bool {
    a.rows.map(\.choice) == b.rows.map(\.choice)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(rows.map(\.choice)) }

  func named(_ choice: DecoderChoice) -> (any HardwareDecoder)? { rows.first { $0.choice == choice } }
}

extension HardwareDecoder {
  package var worksOnLentDevice: Bool { false }

  package func makeSession(
    _ codec: AVCodecID, on device: DeviceIdentity?, allocator: PictureAllocator?, path: String
  ) throws(Failure) -> any HardwareSession {
    try DeviceSession(self, codec, on: device, allocator: allocator, path: path)
  }

  package func obstacleToOpening(on device: DeviceIdentity?) -> String? { nil }

  package func reasonNotToOpen(on device: DeviceIdentity?) -> String? { nil }

  package func open(
    _ opened: inout UnsafeMutablePointer<AVBufferRef>?, on device: DeviceIdentity?, lent: LentDevice?
  ) -> Int32 {
    openOwnDevice(&opened, on: device)
  }

  /// A device that is FFmpeg's alone.
  func openOwnDevice(_ opened: inout UnsafeMutablePointer<AVBufferRef>?, on device: DeviceIdentity?) -> Int32 {
    FFmpegCallback.install()
    return av_hwdevice_ctx_create(&opened, type, name(of: device), nil, 0)
  }

  package func codec(for id: AVCodecID) -> (codec: UnsafePointer<AVCodec>, format: AVPixelFormat)? {
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
