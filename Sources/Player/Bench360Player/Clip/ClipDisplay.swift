import Frames
import GPU
import Playback

/// Where clips are shown, one after the other or in turns, and what calls them.
package struct ClipDisplay {
  package let link: any DisplayLink
  /// Nil: they are drawn offscreen.
  package let screen: PlaySession.Screen?
  /// Whether the display reports when pictures were seen.
  package let isTold: Bool

  /// - Parameters:
  ///   - swapchain: of the window; nil: there is none.
  ///   - refresh: refreshes per second.
  package init(_ swapchain: Swapchain?, refresh: Ratio) {
    let pace = swapchain.map { WindowPace($0, rate: refresh) }
    link = pace?.link ?? TimerDisplayLink(rate: refresh)
    (screen, isTold) = (pace?.screen, pace?.isTold ?? false)
  }
}
