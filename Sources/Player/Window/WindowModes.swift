/// Full screen and mini player, each with the frame to return to. Pure: `Window` carries its frames out.
///
/// A window in full screen that becomes a mini player returns to full screen, and from there to its first frame. A mini
/// player in full screen returns to the mini player.
package struct WindowModes: Hashable {
  /// A place and a size, in points of all displays.
  package struct Frame: Hashable {
    package var (left, top): (Int, Int)
    package var (width, height): (Int, Int)

    package init(left: Int, top: Int, width: Int, height: Int) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }
  }

  /// The frame that a window is to have.
  package enum Change: Hashable {
    case fillDisplay
    case leaveDisplay(Frame)
    case move(Frame)
  }

  package private(set) var isFullscreen = false
  package private(set) var isMini = false
  /// Before the first of both modes.
  private var normal: Frame?
  private var mini: Frame?
  private var wasFullscreen = false

  package init() {}

  /// - Parameter frame: the window's current one.
  package mutating func setFullscreen(_ isWanted: Bool, from frame: Frame) -> Change? {
    guard isWanted != isFullscreen else { return nil }
    isFullscreen = isWanted
    if isWanted {
      if !isMini { normal = frame }
      return .fillDisplay
    }
    return (isMini ? mini : normal).map { .leaveDisplay($0) }
  }

  /// - Parameters:
  ///   - frame: the window's current one.
  ///   - small: the mini player's frame for a window of the given one.
  package mutating func setMini(_ isWanted: Bool, from frame: Frame, small: (Frame) -> Frame) -> Change? {
    guard isWanted != isMini else { return nil }
    isMini = isWanted
    if isWanted {
      wasFullscreen = isFullscreen
      let large = isFullscreen ? normal ?? frame : frame
      let corner = small(large)
      (normal, mini, isFullscreen) = (large, corner, false)
      return wasFullscreen ? .leaveDisplay(corner) : .move(corner)
    }
    defer { isFullscreen = wasFullscreen }
    if wasFullscreen { return isFullscreen ? nil : .fillDisplay }
    return normal.map { isFullscreen ? .leaveDisplay($0) : .move($0) }
  }

  /// The window left full screen by itself, as when its display was unplugged.
  package mutating func noteLeftDisplay() { isFullscreen = false }
}
