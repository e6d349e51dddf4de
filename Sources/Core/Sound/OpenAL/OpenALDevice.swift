internal import COpenAL
import Frames

/// An open device with its context; closed with it. One thread at a time, and OpenAL's functions inside `use` only.
struct OpenALDevice: ~Copyable, Sendable {
  let library: OpenALLibrary
  /// As the system calls it.
  let name: String
  nonisolated(unsafe) private let device: OpaquePointer
  nonisolated(unsafe) private let context: OpaquePointer
  /// Whether what surrounds the listener is turned into two ears.
  let usesHRTF: Bool

  /// - Parameters:
  ///   - name: nil: the default one.
  ///   - usesHeadphones: nil: as the system is set up.
  init(name: String?, sampleRate: Int, usesHeadphones: Bool?) throws(Failure) {
    let library = try OpenALLibrary.load()
    let attempt = name.map { "cannot open the sound device '\($0)'" } ?? "cannot open the default sound device"
    let remedy =
      "--audio null plays without one; 'bench360 devices' lists the names that OpenAL knows"
    guard let device = library.al.alcOpenDevice(name) else {
      throw Failure(.device, attempt, cause: "OpenAL cannot open the sound device", remedy: remedy)
    }
    let title = library.al.alcGetString(device, ALC_ALL_DEVICES_SPECIFIER).map { String(cString: $0) } ?? ""
    // OpenAL's own null device, for want of any other: it would be silence that looks like success.
    guard name != nil || !title.hasSuffix(Self.silent) else {
      _ = library.al.alcCloseDevice(device)
      throw Failure(.device, attempt, cause: "this machine has no sound device", remedy: remedy)
    }
    var attributes = [ALC_FREQUENCY, ALCint(clamping: sampleRate), ALC_REFRESH, 100]
    if let usesHeadphones { attributes += [ALC_HRTF_SOFT, usesHeadphones ? 1 : 0] }
    self = try Self(library, device, name: title, attributes: attributes, attempt: attempt)
  }

  /// A device that renders into memory: 32-bit float, stereo.
  init(loopbackAt sampleRate: Int, usesHeadphones: Bool) throws(Failure) {
    let library = try OpenALLibrary.load()
    let attempt = "cannot render sound into memory"
    guard let device = library.al.alcLoopbackOpenDeviceSOFT(nil) else {
      throw Failure(.device, attempt, cause: "OpenAL has no loopback device")
    }
    let attributes = [
      ALC_FREQUENCY, ALCint(clamping: sampleRate), ALC_FORMAT_CHANNELS_SOFT, ALC_STEREO_SOFT, ALC_FORMAT_TYPE_SOFT,
      ALC_FLOAT_SOFT, ALC_HRTF_SOFT, usesHeadphones ? 1 : 0,
    ]
    self = try Self(library, device, name: "loopback", attributes: attributes, attempt: attempt)
  }

  /// How OpenAL's name of the device ends that it plays nothing on.
  static let silent = "No Output"

  /// Takes the device over.
  private init(
    _ library: OpenALLibrary, _ device: OpaquePointer, name: String, attributes: [ALCint], attempt: String
  ) throws(Failure) {
    guard library.has("ALC_EXT_thread_local_context"),
      let context = library.al.alcCreateContext(device, attributes + [0])
    else {
      _ = library.al.alcCloseDevice(device)
      throw Failure(.device, attempt, cause: "OpenAL cannot play with the wanted format")
    }
    var status = ALCint(0)
    library.al.alcGetIntegerv(device, ALC_HRTF_SOFT, 1, &status)
    (self.library, self.device, self.name) = (library, device, name)
    (self.context, usesHRTF) = (context, status != 0)
  }

  deinit {
    library.al.alcDestroyContext(context)
    _ = library.al.alcCloseDevice(device)
  }

  /// With this device's context as the calling thread's: others may have theirs at the same time.
  borrowing func use<Result>(_ body: (bench_openal) -> Result) -> Result {
    enter()
    defer { leave() }
    return body(library.al)
  }

  /// As `use`, until `leave` on the same thread.
  func enter() { _ = library.al.alcSetThreadContext(context) }
  func leave() { _ = library.al.alcSetThreadContext(nil) }

  /// False once it was unplugged.
  var isConnected: Bool {
    guard library.has("ALC_EXT_disconnect", on: device) else { return true }
    var connected = ALCint(1)
    library.al.alcGetIntegerv(device, ALC_CONNECTED, 1, &connected)
    return connected != 0
  }

  /// Of a loopback device: plays so many sample frames; interleaved stereo.
  borrowing func render(_ count: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: 2 * count) { buffer, filled in
      library.al.alcRenderSamplesSOFT(device, buffer.baseAddress, ALCsizei(count))
      filled = 2 * count
    }
  }
}
