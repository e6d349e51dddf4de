import Foundation
import Frames

/// An X server without a screen, for one suite of tests; what it shows is read from a file.
///
/// It ends with this process, also when that is killed: a shell waits for the end of a pipe that this process keeps
/// open.
public final class VirtualDisplay: Sendable {
  /// As `DISPLAY` has it.
  public let name: String
  public let size: PictureSize
  private let screen: URL
  private let lifeline: FileHandle

  /// Where displays must exist, a missing one fails tests instead of skipping them.
  public static let isAvailable =
    ProcessInfo.processInfo.environment["CI"] == "true"
    || (try? CommandOutput.of("sh", ["-c", "command -v Xvfb"]).status) == 0

  /// What is missing on this machine, or does not start.
  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  public init(size: PictureSize = PictureSize(width: 1280, height: 800)) throws {
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
      guard !data.isEmpty else { throw Missing(description: "Xvfb does not start: install Debian's xvfb") }
      answer += String(decoding: data, as: UTF8.self)
    }
    name = ":" + answer.trimmingCharacters(in: .whitespacesAndNewlines)
    self.size = size
    screen = folder.appending(path: "Xvfb_screen0")
    lifeline = input.fileHandleForWriting
  }

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

  /// Waits until this part of the screen has changed so often: a program that draws there went round as often.
  ///
  /// False where it did not in time.
  public func shows(changes: Int, left: Int = 0, top: Int = 0, size: PictureSize) throws -> Bool {
    for _ in 0..<changes {
      let before = try pixels(left: left, top: top, size: size)
      guard try Patience.until({ try pixels(left: left, top: top, size: size) != before }) else { return false }
    }
    return true
  }

  /// What the screen shows in this rectangle: RGBA as views have it, alpha 255.
  public func pixels(left: Int = 0, top: Int = 0, size: PictureSize) throws -> [UInt8] {
    let file = try Data(contentsOf: screen)
    // The header of an X window dump: big-endian words, then the colour table, then rows of BGRX.
    func word(_ index: Int) -> Int { file[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | Int($1) } }
    let (start, stride) = (word(0) + word(19) * 12, word(12))
    guard word(7) == 0, word(11) == 32, word(4) >= left + size.width, word(5) >= top + size.height else {
      throw Missing(description: "the screen is not one of 32 bits that holds \(size)")
    }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size.width * size.height * 4)
    file.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      for row in 0..<size.height {
        for column in 0..<size.width {
          let place = start + (top + row) * stride + (left + column) * 4
          pixels += [bytes[place + 2], bytes[place + 1], bytes[place], 255]
        }
      }
    }
    return pixels
  }

  // MARK: A user's hand

  /// Sends an action of another X client to the window with that title: `close`, `press CODE TIME STATE` (a key, down and up),
  /// `keydown` and `keyup`, `buttondown 1` and `buttonup 1`, `pointer 10 20`, `size 640 360`, `state 3`.
  public func act(_ words: String, on title: String) throws {
    let result = try CommandOutput.of(
      "python3", ["-S", "-c", Self.client, title] + words.split(separator: " ").map(String.init),
      environment: ["DISPLAY": name])
    guard result.status == 0 else { throw Missing(description: "\(words): \(result.errors)") }
  }

  /// Talks to the server through libX11, which GLFW needs as well.
  private static let client = """
    import ctypes, sys
    from ctypes import byref, c_char_p, c_int, c_long, c_ulong, c_uint, c_void_p, POINTER
    x = ctypes.CDLL("libX11.so.6")
    for name in ["XOpenDisplay", "XDefaultRootWindow", "XInternAtom"]:
      getattr(x, name).restype = c_void_p
    x.XOpenDisplay.argtypes = [c_char_p]
    display = c_void_p(x.XOpenDisplay(None))
    root = c_ulong(x.XDefaultRootWindow(display))
    title, action, numbers = sys.argv[1], sys.argv[2], [int(n) for n in sys.argv[3:]]
    def atom(name): return c_ulong(x.XInternAtom(display, name, 0))
    parent, children, count = c_ulong(), POINTER(c_ulong)(), c_uint()
    x.XQueryTree(display, root, byref(parent), byref(parent), byref(children), byref(count))
    def text(window):
      kind, form, n, rest, data = c_ulong(), c_int(), c_ulong(), c_ulong(), c_char_p()
      x.XGetWindowProperty(display, c_ulong(window), atom(b"_NET_WM_NAME"), c_long(0), c_long(99), 0, c_ulong(0),
        byref(kind), byref(form), byref(n), byref(rest), byref(data))
      return (data.value or b"").decode()
    window = [children[i] for i in range(count.value) if text(children[i]) == title][0]
    words = (c_long * 24)()
    def send(mask): x.XSendEvent(display, c_ulong(window), 0, c_long(mask), byref(words))
    # The fields of XEvent that the server does not fill in, by their place in words of 64 bits.
    if action == "close":
      words[0], words[4], words[5] = 33, window, x.XInternAtom(display, b"WM_PROTOCOLS", 0)
      words[6], words[7] = 32, x.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
      send(0)
    elif action in ["press", "keydown", "keyup", "buttondown", "buttonup"]:
      kinds = {"press": [2, 3], "keydown": [2], "keyup": [3], "buttondown": [4], "buttonup": [5]}[action]
      for place, words[0] in enumerate(kinds):
        words[4], words[5], words[7] = window, root.value, (numbers[1] if len(numbers) > 1 else 1000) + 50 * place
        words[8], words[9] = 10 | 20 << 32, 10 | 20 << 32
        words[10] = (numbers[2] if len(numbers) > 2 else 0) | numbers[0] << 32
        words[11] = 1
        send(0)
    elif action == "pointer":
      x.XWarpPointer(display, c_ulong(0), c_ulong(window), 0, 0, 0, 0, numbers[0], numbers[1])
    elif action == "size":
      x.XResizeWindow(display, c_ulong(window), numbers[0], numbers[1])
    elif action == "state":
      state = (c_long * 2)(numbers[0], 0)
      name = atom(b"WM_STATE")
      x.XChangeProperty(display, c_ulong(window), name, name, 32, 0, byref(state), 2)
    x.XSync(display, 0)
    """
}
