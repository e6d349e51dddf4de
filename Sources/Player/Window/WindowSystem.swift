internal import CGLFW
import Frames
import Synchronization

/// The window system of this session, through GLFW. Main thread only, except members that say otherwise.
///
/// The first window starts it, and it stays until the process ends: drivers keep its connection.
public enum WindowSystem {
  /// Version of GLFW, with the window systems it was built for. Any thread.
  public static var version: String { String(cString: glfwGetVersionString()) }

  /// GLFW's last error message.
  private static let complaint = Mutex<String?>(nil)

  /// Connects to the display; further calls have no effect.
  ///
  /// Throws `.device` where there is none; a later call tries again.
  public static func start() throws(Failure) {
    _ = glfwSetErrorCallback { _, text in
      WindowSystem.complaint.withLock { $0 = text.map { String(cString: $0) } }
    }
    bench_choose_window_system()
    guard glfwInit() == GLFW_TRUE else {
      throw failure("open a window", remedy: "run it in a graphical session, set DISPLAY, or use xvfb-run")
    }
  }

  /// The Vulkan instance extensions that windows need.
  static func requiredInstanceExtensions() throws(Failure) -> [String] {
    var count: UInt32 = 0
    guard let names = glfwGetRequiredInstanceExtensions(&count) else {
      throw failure(
        "show pictures in a window", remedy: "install a Vulkan driver that knows this window system (VK_KHR_surface)")
    }
    return (0..<Int(count)).compactMap { names[$0].map { String(cString: $0) } }
  }

  /// A failure whose cause is GLFW's error message, without its prefix.
  static func failure(_ attempt: String, remedy: String?) -> Failure {
    let text = complaint.withLock { complaint in
      defer { complaint = nil }
      return complaint
    }
    let cause = text.map { text in
      let words = text.firstRange(of: ": ").map { text[$0.upperBound...] } ?? text[...]
      return words.prefix(1).lowercased() + words.dropFirst()
    }
    return Failure(.device, "cannot \(attempt)", cause: cause ?? "the window system refuses", remedy: remedy)
  }

  /// Makes the main thread's `wait` return. Any thread.
  public static func wake() { glfwPostEmptyEvent() }
}
