internal import CGLFW
import Frames
import GPU

/// One window without a graphics library of its own: Vulkan draws into it through its `surface`.
///
/// Main thread only, as window systems require. Sizes are in pixels unless they say points; on a high-density display a
/// point is several pixels.
public final class Window {
  /// The properties of a window when it opens.
  public struct Options: Sendable {
    public var isResizable = true
    public var isVisible = true
    /// Stays above others.
    public var floats = false

    public init() {}
  }

  let handle: OpaquePointer
  /// Events since the last `poll` or `wait`.
  var events: [WindowEvent] = []
  /// `close` was not called.
  public private(set) var isOpen = true
  /// Full screen and mini player.
  var modes = WindowModes()

  /// Opens a window of `size` pixels.
  ///
  /// Throws `.device` where there is no display, or the window system refuses; no window is left open then.
  public init(title: String, size: PictureSize, options: Options = Options()) throws(Failure) {
    try WindowSystem.start()
    glfwDefaultWindowHints()
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API)
    glfwWindowHint(GLFW_RESIZABLE, options.isResizable ? GLFW_TRUE : GLFW_FALSE)
    glfwWindowHint(GLFW_FLOATING, options.floats ? GLFW_TRUE : GLFW_FALSE)
    // Shown when it has the right size.
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE)
    guard let handle = glfwCreateWindow(Int32(size.width), Int32(size.height), title, nil, nil) else {
      throw WindowSystem.failure("open a window of \(size)", remedy: "use a smaller --size")
    }
    self.handle = handle
    let scale = pixelsPerPoint
    if scale != 1 {
      glfwSetWindowSize(
        handle, Int32((Double(size.width) / scale).rounded()), Int32((Double(size.height) / scale).rounded()))
    }
    listen()
    if options.isVisible { glfwShowWindow(handle) }
  }

  deinit { close() }

  /// Destroys the window. No other member may be called afterwards, and every object made from its `surface` must be
  /// gone before.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    glfwDestroyWindow(handle)
  }

  /// The source of the Vulkan surface for this window. Throws `.device` where GLFW has no Vulkan support.
  public func surface() throws(Failure) -> SurfaceSource {
    nonisolated(unsafe) let handle = handle
    return SurfaceSource(instanceExtensions: try WindowSystem.requiredInstanceExtensions()) {
      instance throws(Failure) -> UInt64 in
      var surface: UInt64 = 0
      let result = glfwCreateWindowSurface(UnsafeMutableRawPointer(instance), handle, nil, &surface)
      guard result == 0 else {
        throw WindowSystem.failure(
          "show pictures in a window", remedy: "install a Vulkan driver that knows this window system")
      }
      return surface
    }
  }

  /// The clipboard's content; nil where it is not text.
  public var clipboard: String? { glfwGetClipboardString(handle).map { String(cString: $0) } }

  public func setTitle(_ title: String) { glfwSetWindowTitle(handle, title) }
  public func show() { glfwShowWindow(handle) }
  public func hide() { glfwHideWindow(handle) }
  public func minimise() { glfwIconifyWindow(handle) }
  public func restore() { glfwRestoreWindow(handle) }
  public func focus() { glfwFocusWindow(handle) }

  public var isVisible: Bool { glfwGetWindowAttrib(handle, GLFW_VISIBLE) == GLFW_TRUE }
  public var isMinimised: Bool { glfwGetWindowAttrib(handle, GLFW_ICONIFIED) == GLFW_TRUE }
  public var isFocused: Bool { glfwGetWindowAttrib(handle, GLFW_FOCUSED) == GLFW_TRUE }

  /// It stays above other windows.
  public var isFloating: Bool { glfwGetWindowAttrib(handle, GLFW_FLOATING) == GLFW_TRUE }

  /// Hides the pointer while it is over the window.
  public var hidesPointer: Bool {
    get { glfwGetInputMode(handle, GLFW_CURSOR) == GLFW_CURSOR_HIDDEN }
    set { glfwSetInputMode(handle, GLFW_CURSOR, newValue ? GLFW_CURSOR_HIDDEN : GLFW_CURSOR_NORMAL) }
  }

  // MARK: Size

  /// Size of the framebuffer in pixels; nil while it is empty, as when minimised.
  public var size: PictureSize? {
    var (width, height): (Int32, Int32) = (0, 0)
    glfwGetFramebufferSize(handle, &width, &height)
    return width > 0 && height > 0 ? PictureSize(width: Int(width), height: Int(height)) : nil
  }

  /// Size in screen points; nil while empty.
  public var sizeInPoints: PictureSize? {
    var (width, height): (Int32, Int32) = (0, 0)
    glfwGetWindowSize(handle, &width, &height)
    return width > 0 && height > 0 ? PictureSize(width: Int(width), height: Int(height)) : nil
  }

  /// The user's scale for text and controls, not for pictures.
  public var contentScale: Double {
    var (x, y): (Float, Float) = (1, 1)
    glfwGetWindowContentScale(handle, &x, &y)
    return Double(x)
  }

  /// Requests another size, in pixels; the event `resized` reports the new size.
  public func resize(to size: PictureSize) {
    let scale = pixelsPerPoint
    glfwSetWindowSize(
      handle, Int32((Double(size.width) / scale).rounded()), Int32((Double(size.height) / scale).rounded()))
  }

  var pixelsPerPoint: Double {
    guard let size, let points = sizeInPoints else { return 1 }
    return Double(size.width) / Double(points.width)
  }

  // MARK: Displays

  /// The display it fills, or that has the largest part of it; nil where there is none.
  public var monitor: DisplayMonitor? { monitorHandle.flatMap(DisplayMonitor.init) }

  var monitorHandle: OpaquePointer? {
    if let filled = glfwGetWindowMonitor(handle) { return filled }
    let frame = actualFrame
    func overlap(_ handle: OpaquePointer) -> Int {
      DisplayMonitor(handle)?.overlap(left: frame.left, top: frame.top, width: frame.width, height: frame.height) ?? 0
    }
    // The primary display comes first: it is used where the window system reports no places.
    return DisplayMonitor.handles.reversed().max { overlap($0) < overlap($1) }
  }
}
