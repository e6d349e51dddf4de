internal import CGLFW
import Frames

/// A display as the window system describes it. A value; read on the main thread only.
public struct DisplayMonitor: Sendable, Hashable {
  public var name: String
  /// Size of its current mode, in pixels.
  public var size: PictureSize
  /// Refreshes per second, rounded by the window system; nil where it reports none.
  public var refreshRate: Ratio?
  /// Its top-left corner among all displays, in screen points.
  public var left: Int
  public var top: Int
  /// Pixels per point that the user has set for it.
  public var scale: Double

  /// All connected displays, the primary one first. Requires `WindowSystem.start` or a window.
  public static var all: [DisplayMonitor] { handles.compactMap(DisplayMonitor.init) }

  static var handles: [OpaquePointer] {
    var count: Int32 = 0
    guard let monitors = glfwGetMonitors(&count) else { return [] }
    return (0..<Int(count)).compactMap { monitors[$0] }
  }

  /// Nil when it was unplugged meanwhile.
  init?(_ handle: OpaquePointer) {
    guard let mode = glfwGetVideoMode(handle)?.pointee else { return nil }
    var (x, y, scaleX, scaleY): (Int32, Int32, Float, Float) = (0, 0, 1, 1)
    glfwGetMonitorPos(handle, &x, &y)
    glfwGetMonitorContentScale(handle, &scaleX, &scaleY)
    name = glfwGetMonitorName(handle).map { String(cString: $0) } ?? ""
    size = PictureSize(width: Int(mode.width), height: Int(mode.height))
    refreshRate = mode.refreshRate > 0 ? Ratio(mode.refreshRate, 1) : nil
    (left, top, scale) = (Int(x), Int(y), Double(scaleX))
  }

  /// Area of the rectangle's part on this display, in square points.
  func overlap(left x: Int, top y: Int, width: Int, height: Int) -> Int {
    let across = min(x + width, left + size.width) - max(x, left)
    let down = min(y + height, top + size.height) - max(y, top)
    return max(0, across) * max(0, down)
  }
}
