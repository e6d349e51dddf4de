internal import CDBus
import Frames
import Glibc
import Logging

/// libdbus's functions, loaded at first use; any thread.
struct BusLibrary: Sendable {
  /// Never freed: the library stays for the process's life.
  nonisolated(unsafe) private let functions: UnsafePointer<bench_dbus>

  private static let loaded: BusLibrary? = {
    var missing: UnsafePointer<CChar>?
    guard let functions = bench_dbus_load(&missing) else {
      let name = missing.map { String(cString: $0) } ?? "libdbus-1.so.3"
      desktopLog.debug("D-Bus cannot be used", metadata: ["missing": "\(name)"])
      return nil
    }
    return BusLibrary(functions: functions)
  }()

  /// Nil where the library is not installed.
  static func load() -> BusLibrary? { loaded }

  var bus: bench_dbus { functions.pointee }

  /// This machine's identifier; nil where it has none.
  var machine: String? {
    guard let text = bus.dbus_try_get_local_machine_id(nil) else { return nil }
    defer { bus.dbus_free(text) }
    return String(cString: text)
  }
}

let desktopLog = engineLogger("Desktop")
