public import Frames
import Synchronization

/// A device that sound can be played on.
public struct SoundDevice: Sendable, Hashable {
  /// As `--audio` takes it.
  public var name: String
  public var isDefault: Bool

  public init(name: String, isDefault: Bool) {
    (self.name, self.isDefault) = (name, isDefault)
  }
}

/// The sound devices of this machine.
public enum SoundDevices {
  /// The library keeps one list for all its callers.
  private static let lock = Mutex(())

  /// As OpenAL tells them, the default first; empty where it finds none. One that is told may still fail to open. Any thread; takes some
  /// milliseconds.
  ///
  /// Throws `.device` where OpenAL Soft is not installed.
  public static func list() throws(Failure) -> [SoundDevice] {
    let library = try OpenALLibrary.load()
    let names = lock.withLock { _ in library.deviceNames() }
    return names.enumerated().map { SoundDevice(name: $1, isDefault: $0 == 0) }
  }
}
