import Frames
import GPU

/// How a session presents in a window: its pictures, and its display link. The window's own link where the driver
/// reports when pictures were seen, else a timer's.
public struct WindowPace {
  public let screen: PlaySession.Screen
  public let link: any DisplayLink
  /// Whether the display tells.
  public let isTold: Bool

  /// - Parameter rate: refreshes per second, as the window system says.
  public init(_ swapchain: Swapchain, rate: Ratio) {
    var screen = PlaySession.Screen(swapchain: swapchain)
    isTold = swapchain.tellsPresents
    if isTold {
      let presents = SwapchainPresents()
      let link = SwapchainDisplayLink(rate: rate, presents: presents)
      screen.onPresent = { presents.add($0) }
      screen.takeSeen = { link.takeSeen() }
      self.link = link
    } else {
      link = TimerDisplayLink(rate: rate)
    }
    self.screen = screen
  }
}
