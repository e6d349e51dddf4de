import Desktop
import Foundation
import Frames
import Glibc
import Support
import Testing

/// Machines without a bus, and buses that do not behave as one.
@Suite(.tier(.test)) struct AbsentBusTests {
  @Test func theAddressIsTheSessions() throws {
    #expect(MediaControls.sessionAddress([:]) == nil)
    #expect(MediaControls.sessionAddress(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/a"]) == "unix:path=/a")
    // A bus is started by the session, not by a player.
    #expect(MediaControls.sessionAddress(["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"]) == nil)
    try TestFolders.withTemporary { folder in
      #expect(MediaControls.sessionAddress(["XDG_RUNTIME_DIR": folder]) == nil)
      try Data().write(to: URL(filePath: folder + "/bus"))
      #expect(MediaControls.sessionAddress(["XDG_RUNTIME_DIR": folder]) == "unix:path=\(folder)/bus")
    }
  }

  @Test(arguments: ["unix:path=/nowhere/bus", "nonsense", "", "unix:", "tcp:host=127.0.0.1,port=1"])
  func withoutABusThereIsSilence(address: String) {
    let controls = MediaControls(address: address) {}
    controls.tell(PlayerState(), jump: true)
    #expect(controls.takeRequests() == [])
    #expect(controls.stop(withinSeconds: Patience.seconds))
  }

  /// Servers that accept, and then say nothing, nonsense, or only half of what a bus says.
  @Test(arguments: [
    "", "HTTP/1.1 200 OK\r\n\r\n", "REJECTED EXTERNAL\r\n", "OK 0123456789abcdef0123456789abcdef\r\n",
    "OK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\nl\u{2}\u{1}\u{1}nonsense that is no message",
    "OK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\n" + String(repeating: "\u{7F}", count: 100_000),
  ])
  func aServerThatIsNoBusHoldsNothingUp(answer: String) throws {
    try TestFolders.withTemporary { folder in
      let server = try FalseBus(folder + "/bus", answer: Array(answer.utf8))
      let controls = MediaControls(address: "unix:path=\(folder)/bus") {}
      #expect(Patience.until { server.hasAnswered })
      controls.tell(PlayerState(), jump: true)
      #expect(controls.stop(withinSeconds: Patience.seconds))
    }
  }

  /// Where the queue of connections is full, connecting waits: the player does not.
  @Test func aServerThatAcceptsNothingHoldsNothingUp() throws {
    try TestFolders.withTemporary { folder in
      let listener = try FalseBus.listen(folder + "/bus", backlog: 0)
      let first = try FalseBus.connect(folder + "/bus")
      let controls = MediaControls(address: "unix:path=\(folder)/bus") {}
      controls.tell(PlayerState())
      let start = MonotonicTime.now
      controls.stop(withinSeconds: 0.2)
      #expect(MonotonicTime.now.seconds(since: start) < Patience.seconds / 2)
      close(first)
      close(listener)
      // The thread ends by itself once connecting fails.
      #expect(controls.stop(withinSeconds: Patience.seconds))
    }
  }

  /// Our declarations of libdbus are those of its headers.
  @Test(.enabled("libdbus-1-dev is not installed") { (try? flags()) != nil })
  func theDeclarationsAreThoseOfTheLibrary() throws {
    try TestFolders.withTemporary { folder in
      let file = folder + "/check.c"
      let header = TestFolders.repository + "/Sources/C/CDBus/shim.h"
      try "#include <dbus/dbus.h>\n#include \"\(header)\"\n".write(toFile: file, atomically: true, encoding: .utf8)
      let result = try CommandOutput.of("clang", ["-fsyntax-only", "-Wall", "-Werror"] + Self.flags() + [file])
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  private static func flags() throws -> [String] {
    let answer = try CommandOutput.of("pkg-config", ["--cflags", "dbus-1"])
    guard answer.status == 0 else { throw TestBus.Missing(description: answer.errors) }
    return answer.text.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}

/// A server that accepts one connection, and answers its first bytes by fixed ones.
private final class FalseBus {
  private let listener: Int32
  private let ends = DispatchSemaphore(value: 0)
  private let answered = DispatchSemaphore(value: 0)

  var hasAnswered: Bool {
    guard answered.wait(timeout: .now()) == .success else { return false }
    answered.signal()
    return true
  }

  init(_ path: String, answer: [UInt8]) throws {
    listener = try Self.listen(path, backlog: 4)
    let (listener, ends, answered) = (listener, ends, answered)
    Thread.detachNewThread {
      let client = accept(listener, nil, nil)
      var bytes = [UInt8](repeating: 0, count: 4096)
      _ = recv(client, &bytes, bytes.count, 0)
      _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
      answered.signal()
      ends.wait()
      close(client)
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    ends.signal()
  }

  static func listen(_ path: String, backlog: Int32) throws -> Int32 {
    let socket = try socket(path) { bind($0, $1, $2) }
    try #require(Glibc.listen(socket, backlog) == 0)
    return socket
  }

  static func connect(_ path: String) throws -> Int32 { try socket(path) { Glibc.connect($0, $1, $2) } }

  private static func socket(
    _ path: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        use(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0)
    return socket
  }
}
