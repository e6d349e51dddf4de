internal import CGLFW
import Frames

// Place, full screen and mini player.
extension Window {
  /// Its top-left corner in the coordinates of all displays, in points.
  public var place: PointerPlace {
    get {
      let frame = actualFrame
      return PointerPlace(x: Double(frame.left), y: Double(frame.top))
    }
    set { glfwSetWindowPos(handle, Int32(newValue.x), Int32(newValue.y)) }
  }

  /// The window is in full screen.
  public var isFullscreen: Bool { glfwGetWindowMonitor(handle) != nil }

  /// The window is the mini player.
  public var isMini: Bool { modes.isMini }

  /// Enters full screen on its current display without changing the display's mode, or restores the previous place and
  /// size.
  public func setFullscreen(_ isWanted: Bool) {
    noteDisplay()
    if let change = modes.setFullscreen(isWanted, from: actualFrame) { carryOut(change) }
  }

  /// Becomes a mini player: small, above other windows, in the lower right corner of its display; or returns to full
  /// screen or to the place and size before.
  ///
  /// - Parameter width: the mini player's, in pixels at most; its shape is that of the window before.
  public func setMini(_ isWanted: Bool, width: Int) {
    noteDisplay()
    let (monitor, scale, gap) = (monitor, pixelsPerPoint, 24)
    let change = modes.setMini(isWanted, from: actualFrame) { large in
      let across = max(1, min(large.width, Int((Double(width) / scale).rounded())))
      let down = max(1, large.height * across / max(1, large.width))
      guard let monitor else { return .init(left: large.left, top: large.top, width: across, height: down) }
      return .init(
        left: monitor.left + max(0, monitor.size.width - across - gap),
        top: monitor.top + max(0, monitor.size.height - down - gap), width: across, height: down)
    }
    guard let change else { return }
    if !isWanted { glfwSetWindowAttrib(handle, GLFW_FLOATING, GLFW_FALSE) }
    carryOut(change)
    if isWanted { glfwSetWindowAttrib(handle, GLFW_FLOATING, GLFW_TRUE) }
  }

  private func carryOut(_ change: WindowModes.Change) {
    switch change {
    case .fillDisplay:
      guard let monitor = monitorHandle, let mode = glfwGetVideoMode(monitor)?.pointee else {
        return modes.noteLeftDisplay()
      }
      glfwSetWindowMonitor(handle, monitor, 0, 0, mode.width, mode.height, mode.refreshRate)
    case .leaveDisplay(let frame):
      glfwSetWindowMonitor(
        handle, nil, Int32(frame.left), Int32(frame.top), Int32(frame.width), Int32(frame.height), GLFW_DONT_CARE)
    case .move(let frame):
      glfwSetWindowSize(handle, Int32(frame.width), Int32(frame.height))
      glfwSetWindowPos(handle, Int32(frame.left), Int32(frame.top))
    }
  }

  /// GLFW leaves full screen by itself where the display is unplugged.
  private func noteDisplay() { if !isFullscreen { modes.noteLeftDisplay() } }

  var actualFrame: WindowModes.Frame {
    var (x, y, width, height): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    glfwGetWindowPos(handle, &x, &y)
    glfwGetWindowSize(handle, &width, &height)
    return .init(left: Int(x), top: Int(y), width: Int(width), height: Int(height))
  }
}
