import Frames
import Glibc

/// Lets a desktop control the player: MPRIS 2.2 on the session's D-Bus, whose clients are media keys, panels and lock screens.
///
/// Calls return at once: the bus has a thread of its own. Without libdbus or a session bus there is silence, and one line of the log. A bus that
/// goes away is looked for again.
public final class MediaControls: Sendable {
  private let mailbox = Mailbox()
  private let thread: WorkerThread?

  /// Starts to look for the bus.
  ///
  /// - Parameters:
  ///   - address: as `DBUS_SESSION_BUS_ADDRESS` has it.
  ///   - onRequest: called on the thread of the bus when `takeRequests` has something to take.
  public init(address: String, onRequest: @escaping @Sendable () -> Void) {
    guard mailbox.news >= 0 else {
      thread = nil
      return
    }
    let bus = BusThread(mailbox: mailbox, address: address, onRequest: onRequest)
    // Without a thread it is as without a bus.
    thread = try? WorkerThread { bus.run() }
  }

  deinit { mailbox.stop() }

  /// The session's bus; nil where there is none. Starts none: that is the session's to do.
  public static func sessionAddress(_ environment: [String: String]) -> String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
      return address.hasPrefix("autolaunch:") ? nil : address
    }
    guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"), access(folder + "/bus", F_OK) == 0 else {
      return nil
    }
    return "unix:path=\(folder)/bus"
  }

  /// The URI of a file by its absolute path.
  public static func uri(ofFile path: String) -> String { OpenedURI.uri(ofFile: path) }

  /// What clients are told from now on. Any thread.
  ///
  /// - Parameter jump: the place moved otherwise than by playing.
  public func tell(_ state: PlayerState, jump: Bool = false) { mailbox.tell(state, jump: jump) }

  /// What clients have asked for since the last call, in order: 64 requests at most, further ones are refused. Any thread.
  public func takeRequests() -> [PlayerRequest] { mailbox.takeRequests() }

  /// Leaves the bus; false where the thread still runs after so many seconds, as while a bus accepts no connection: it ends by itself then.
  @discardableResult public func stop(withinSeconds seconds: Double = 0.5) -> Bool {
    mailbox.stop()
    return thread?.join(seconds: seconds) ?? true
  }
}
