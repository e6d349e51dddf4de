import Foundation
import Frames
import Synchronization

/// A running Xvfb, its screen in memory, and a connection to it.
///
/// It ends with this process, also when that is killed: a shell waits for the end of a pipe that this process keeps open.
final class DisplayServer: Sendable {
  /// Such as `:7`.
  let name: String
  let size: PictureSize
  let connection: Mutex<DisplayConnection>
  /// An X window dump that the server goes on writing.
  nonisolated(unsafe) let screen: UnsafeRawBufferPointer
  private let propertyCount: Int
  private let lifeline: FileHandle

  init(size: PictureSize) throws {
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "bench360-display-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let shell = Process()
    // Threads of tests block signals, and a child inherits that: env unblocks the one that ends the server.
    shell.executableURL = URL(filePath: "/usr/bin/env")
    shell.arguments = [
      "--default-signal=TERM", "sh", "-c", Self.script, "sh", "\(size.width)x\(size.height)x24", folder.path,
    ]
    let (input, output) = (Pipe(), Pipe())
    (shell.standardInput, shell.standardOutput) = (input, output)
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    var answer = ""
    while !answer.hasSuffix("\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else {
        throw VirtualDisplay.Missing(description: "Xvfb does not start: install Debian's xvfb")
      }
      answer += String(decoding: data, as: UTF8.self)
    }
    name = ":" + answer.trimmingCharacters(in: .whitespacesAndNewlines)
    self.size = size
    lifeline = input.fileHandleForWriting
    screen = try Self.mapped(folder.appending(path: "Xvfb_screen0"))
    var connection = try DisplayConnection(display: name)
    propertyCount = try connection.rootPropertyCount()
    self.connection = Mutex(connection)
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: screen.baseAddress), screen.count) }

  /// It picks a free number and prints it.
  private static let script = """
    Xvfb -displayfd 1 -screen 0 "$1" -fbdir "$2" -nolisten tcp -nocursor -noreset &
    server=$!
    exec >/dev/null
    cat
    kill "$server"
    wait "$server"
    rm -rf "$2"
    """

  private static func mapped(_ file: URL) throws -> UnsafeRawBufferPointer {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    let start = mmap(nil, max(size, 1), PROT_READ, MAP_SHARED, descriptor, 0)
    guard let start, start != MAP_FAILED else {
      throw VirtualDisplay.Missing(description: "cannot map '\(file.path)': \(String(cString: strerror(errno)))")
    }
    return UnsafeRawBufferPointer(start: start, count: size)
  }

  /// Whether nothing shows that it was used: no window is left, no window manager was there, and the size is the first one.
  ///
  /// The pointer goes back to the middle, where it is at the start.
  func isAsNew() throws -> Bool {
    try connection.withLock { connection in
      let root = connection.root
      try connection.movePointer(x: size.width / 2, y: size.height / 2, in: root)
      return try connection.children().isEmpty && connection.rootPropertyCount() == propertyCount
        && connection.rootSize() == (size.width, size.height)
    }
  }
}
