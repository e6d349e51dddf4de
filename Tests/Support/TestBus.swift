import Foundation
import Glibc

/// A D-Bus of a test's own, with programs of other projects as its clients.
///
/// It ends with this process, also when that is killed: a shell waits for the end of a pipe that this process keeps open.
public final class TestBus: Sendable {
  /// As `DBUS_SESSION_BUS_ADDRESS` has it.
  public let address: String
  private let folder: String
  private let daemon: Daemon

  /// Where the programs must exist, missing ones fail tests instead of skipping them.
  public static let isAvailable =
    ProcessInfo.processInfo.environment["CI"] == "true"
    || (try? CommandOutput.of("sh", ["-c", "command -v dbus-daemon && command -v gdbus && command -v playerctl"]).status)
      == 0

  public struct Missing: Error, CustomStringConvertible {
    public let description: String
    public init(description: String) { self.description = description }
  }

  public init() throws {
    folder = NSTemporaryDirectory() + "bench360-bus-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    address = "unix:path=\(folder)/bus"
    try Self.configuration(address).write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
    daemon = Daemon()
    try daemon.start(folder)
  }

  deinit {
    daemon.end()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// A program with this bus as its session's.
  public func client(_ program: String, _ arguments: [String]) throws -> CommandOutput {
    try CommandOutput.of(program, arguments, environment: ["DBUS_SESSION_BUS_ADDRESS": address])
  }

  /// `playerctl`, which knows players by the end of their names.
  public func playerctl(_ arguments: String..., player: String = "bench360") throws -> String {
    try client("playerctl", ["-p", player] + arguments).text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Calls a method of the player by `gdbus`, which prints the answer as a tuple, or an error.
  public func call(
    _ method: String, _ arguments: [String] = [], player: String = "org.mpris.MediaPlayer2.bench360"
  ) throws -> CommandOutput {
    try client(
      "gdbus",
      [
        "call", "--session", "--timeout", "30", "--dest", player, "--object-path", "/org/mpris/MediaPlayer2",
        "--method", method,
      ] + arguments)
  }

  /// The player's place in microseconds, as it tells it; nil: it does not. `playerctl` counts on from it by itself.
  public func position() throws -> Int? {
    let answer = try call("org.freedesktop.DBus.Properties.Get", ["org.mpris.MediaPlayer2.Player", "Position"])
    return answer.text.firstMatch(of: /int64 (-?[0-9]+)/).flatMap { Int($0.1) }
  }

  /// Names on the bus that are no numbers.
  public func names() throws -> [String] {
    let answer = try client(
      "gdbus",
      [
        "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/org/freedesktop/DBus", "--method",
        "org.freedesktop.DBus.ListNames",
      ])
    return answer.text.split(separator: "'").map(String.init).filter { $0.hasPrefix("org.") }
  }

  /// The bus takes and sends nothing until it continues.
  public func freeze() { daemon.signal(SIGSTOP) }
  public func thaw() { daemon.signal(SIGCONT) }

  /// Ends the bus, and starts another one at the same address.
  public func restart() throws {
    daemon.end()
    try? FileManager.default.removeItem(atPath: folder + "/bus")
    try daemon.start(folder)
  }

  private static func configuration(_ address: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """
  }
}

/// The daemon's process.
private final class Daemon: @unchecked Sendable {
  private let lock = NSLock()
  private var lifeline: FileHandle?
  private var process: pid_t = 0
  private var shell: Process?

  func start(_ folder: String) throws {
    let shell = Process()
    // Threads of tests block signals, and a child inherits that: env unblocks the one that ends the daemon.
    shell.executableURL = URL(filePath: "/usr/bin/env")
    shell.arguments = ["--default-signal=TERM", "sh", "-c", Self.script, "sh", folder + "/bus.conf"]
    let (input, output) = (Pipe(), Pipe())
    (shell.standardInput, shell.standardOutput, shell.standardError) = (input, output, FileHandle.nullDevice)
    try shell.run()
    var answer = ""
    // The daemon's number, then its address once it listens.
    while answer.count(where: { $0 == "\n" }) < 2 {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { throw TestBus.Missing(description: "dbus-daemon does not start: \(answer)") }
      answer += String(decoding: data, as: UTF8.self)
    }
    let number = answer.split(separator: "\n").compactMap { pid_t($0) }.first
    guard let number else { throw TestBus.Missing(description: "dbus-daemon tells no number: \(answer)") }
    lock.withLock { (process, lifeline, self.shell) = (number, input.fileHandleForWriting, shell) }
  }

  func signal(_ signal: Int32) { lock.withLock { if process > 0 { _ = kill(process, signal) } } }

  func end() {
    signal(SIGCONT)
    let shell = lock.withLock {
      try? lifeline?.close()
      defer { (process, lifeline, self.shell) = (0, nil, nil) }
      return self.shell
    }
    shell?.waitUntilExit()
  }

  private static let script = """
    dbus-daemon --nofork --nopidfile --nosyslog --print-address=1 --config-file="$1" &
    daemon=$!
    echo "$daemon"
    exec >/dev/null
    cat
    kill "$daemon"
    wait "$daemon"
    """
}
