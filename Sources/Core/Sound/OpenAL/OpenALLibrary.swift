internal import COpenAL
import Frames
import Logging

/// OpenAL Soft's functions, loaded at first use; any thread.
struct OpenALLibrary: Sendable {
  /// Never freed: the library stays for the process's life.
  nonisolated(unsafe) private let functions: UnsafePointer<bench_openal>

  private static let loaded: Result<OpenALLibrary, Failure> = {
    var missing: UnsafePointer<CChar>?
    guard let functions = bench_openal_load(&missing) else {
      let name = missing.map { String(cString: $0) } ?? "libopenal.so.1"
      let isLibrary = name.hasPrefix("lib")
      soundLog.debug("OpenAL cannot be used", metadata: ["missing": "\(name)"])
      return .failure(
        Failure(
          .device, "cannot play sound", cause: isLibrary ? "\(name) is not installed" : "libopenal.so.1 lacks \(name)",
          remedy: isLibrary
            ? "install OpenAL Soft (Debian: apt-get install libopenal1), or choose another output"
            : "install OpenAL Soft 1.19 or newer, or choose another output"))
    }
    soundLog.debug("OpenAL is loaded")
    return .success(OpenALLibrary(functions: functions))
  }()

  /// Throws `.device` where the library is not installed, or is not OpenAL Soft.
  static func load() throws(Failure) -> OpenALLibrary { try loaded.get() }

  var al: bench_openal { functions.pointee }

  func has(_ name: String, on device: OpaquePointer? = nil) -> Bool { al.alcIsExtensionPresent(device, name) != 0 }

  /// Devices by the names that they are opened with, the default first where there is one.
  func deviceNames() -> [String] {
    guard has("ALC_ENUMERATE_ALL_EXT"), var place = al.alcGetString(nil, ALC_ALL_DEVICES_SPECIFIER) else { return [] }
    var names: [String] = []
    // Ends with an empty one; a list that does not is cut off.
    while place.pointee != 0, names.count < 1000 {
      let name = String(cString: place)
      names.append(name)
      place = place.advanced(by: name.utf8.count + 1)
    }
    let first = al.alcGetString(nil, ALC_DEFAULT_ALL_DEVICES_SPECIFIER).map { String(cString: $0) }
    return names.filter { $0 == first } + names.filter { $0 != first }
  }
}

let soundLog = engineLogger("Sound")
