import Foundation
import Frames
import Synchronization
import TestPicture

/// A display without a screen, which one test at a time has; what it shows is read from memory.
///
/// Its X server is used again by later tests, and ends with this process.
public final class VirtualDisplay: Sendable {
  private let server: DisplayServer
  /// As `DISPLAY` has it.
  public var name: String { server.name }
  public var size: PictureSize { server.size }

  private static let idle = Mutex<[DisplayServer]>([])

  /// Where displays must exist, a missing one fails tests instead of skipping them.
  public static let isAvailable =
    ProcessInfo.processInfo.environment["CI"] == "true"
    || (try? CommandOutput.of("sh", ["-c", "command -v Xvfb"]).status) == 0

  /// What is missing on this machine, or does not start.
  public struct Missing: Error, CustomStringConvertible {
    public let description: String
  }

  public init(size: PictureSize = PictureSize(width: 1280, height: 800)) throws {
    while let server = Self.takeIdle(size) {
      guard (try? server.isAsNew()) == true else { continue }
      self.server = server
      return
    }
    server = try DisplayServer(size: size)
  }

  deinit { Self.idle.withLock { $0.append(server) } }

  private static func takeIdle(_ size: PictureSize) -> DisplayServer? {
    idle.withLock { idle in idle.firstIndex { $0.size == size }.map { idle.remove(at: $0) } }
  }

  // MARK: Its screen

  /// What the screen shows in this rectangle: RGBA as views have it, alpha 255.
  public func pixels(left: Int = 0, top: Int = 0, size: PictureSize) throws -> [UInt8] {
    let screen = server.screen
    // The header of an X window dump: big-endian words, then the colour table, then rows of BGRX.
    func word(_ index: Int) -> Int {
      Int(UInt32(bigEndian: screen.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
    }
    let (start, stride) = (word(0) + word(19) * 12, word(12))
    guard word(7) == 0, word(11) == 32, word(4) >= left + size.width, word(5) >= top + size.height else {
      throw Missing(description: "the screen is not one of 32 bits that holds \(size)")
    }
    return [UInt8](unsafeUninitializedCapacity: size.width * size.height * 4) { bytes, count in
      for row in 0..<size.height {
        let source = start + (top + row) * stride + left * 4
        for column in 0..<size.width {
          let pixel = UInt32(
            littleEndian: screen.loadUnaligned(fromByteOffset: source + column * 4, as: UInt32.self))
          let turned = pixel & 0xFF00 | pixel >> 16 & 0xFF | (pixel & 0xFF) << 16 | 0xFF00_0000
          UnsafeMutableRawBufferPointer(bytes).storeBytes(
            of: turned.littleEndian, toByteOffset: (row * size.width + column) * 4, as: UInt32.self)
        }
      }
      count = size.width * size.height * 4
    }
  }

  /// How many pixels in the upper left corner have a colour.
  public func count(_ isCounted: (_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Bool, size: PictureSize) throws -> Int
  {
    let pixels = try pixels(size: size)
    return stride(from: 0, to: pixels.count, by: 4).count { isCounted(pixels[$0], pixels[$0 + 1], pixels[$0 + 2]) }
  }

  /// The most that a byte in the upper left corner differs from a view's.
  public func difference(from view: [UInt8], size: PictureSize) throws -> Int {
    try pixels(size: size).largestDifference(from: view)
  }

  /// The number of the flat synthetic frame in the upper left corner; nil where there is none.
  public func frameNumber(size: PictureSize) throws -> Int? {
    let pixels = try pixels(size: size)
    return FrameCode.read(.flat) { u, v in
      let (x, y) = (
        min(Int(u * Double(size.width)), size.width - 1), min(Int(v * Double(size.height)), size.height - 1)
      )
      return pixels[(y * size.width + x) * 4 + 1]
    }.number
  }

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

  // MARK: A user's hand

  /// Whether a window has that title.
  public func hasWindow(_ title: String) -> Bool {
    server.connection.withLock { (try? $0.window(title)) != nil }
  }

  /// Sends an action of another X client to the window with that title: `close`, `press CODE TIME STATE` (a key, down and up),
  /// `keydown` and `keyup`, `buttondown 1` and `buttonup 1`, `pointer 10 20`, `size 640 360`, `state 3`.
  public func act(_ words: String, on title: String) throws {
    let parts = words.split(separator: " ")
    let numbers = parts.dropFirst().compactMap { Int($0) }
    func number(_ place: Int, else usual: Int = 0) -> Int { place < numbers.count ? numbers[place] : usual }
    try server.connection.withLock { connection in
      let window = try connection.window(title)
      func send(isDown: Bool, isButton: Bool = false, after delay: Int = 0) throws {
        try connection.send(
          number(0), isDown: isDown, isButton: isButton, time: number(1, else: 1000) + delay, state: number(2),
          to: window)
      }
      switch parts.first {
      case "close": try connection.requestClosing(of: window)
      case "press":
        try send(isDown: true)
        try send(isDown: false, after: 50)
      case "keydown": try send(isDown: true)
      case "keyup": try send(isDown: false)
      case "buttondown": try send(isDown: true, isButton: true)
      case "buttonup": try send(isDown: false, isButton: true)
      case "pointer": try connection.movePointer(x: number(0), y: number(1), in: window)
      case "size": try connection.resize(window, width: number(0), height: number(1))
      case "state": try connection.setState(number(0), of: window)
      default: throw Missing(description: "no action is called '\(words)'")
      }
      try connection.synchronize()
    }
  }
}
