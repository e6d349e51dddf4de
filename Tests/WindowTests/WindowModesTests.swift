import Testing
import Window

/// Full screen and mini player, in any order: each returns to the frame before.
@Suite struct WindowModesTests {
  private typealias Frame = WindowModes.Frame
  private static let normal = Frame(left: 100, top: 80, width: 1280, height: 720)
  private static let display = Frame(left: 0, top: 0, width: 1920, height: 1080)
  private static let corner = Frame(left: 1416, top: 786, width: 480, height: 270)

  /// A window that has every frame that it is told to have.
  private struct Stage {
    var modes = WindowModes()
    var frame = normal

    mutating func fullscreen(_ isWanted: Bool) { take(modes.setFullscreen(isWanted, from: frame)) }
    mutating func mini(_ isWanted: Bool) { take(modes.setMini(isWanted, from: frame) { _ in corner }) }

    private mutating func take(_ change: WindowModes.Change?) {
      switch change {
      case .fillDisplay: frame = display
      case .leaveDisplay(let to), .move(let to): frame = to
      case nil: break
      }
    }
  }

  @Test func fullScreenToMiniAndBackRestoresBoth() {
    var stage = Stage()
    stage.fullscreen(true)
    stage.mini(true)
    #expect(stage.frame == Self.corner && !stage.modes.isFullscreen && stage.modes.isMini)
    stage.mini(false)
    #expect(stage.frame == Self.display && stage.modes.isFullscreen && !stage.modes.isMini)
    stage.fullscreen(false)
    #expect(stage.frame == Self.normal)
  }

  @Test func miniToFullScreenAndBackRestoresBoth() {
    var stage = Stage()
    stage.mini(true)
    stage.fullscreen(true)
    #expect(stage.frame == Self.display && stage.modes.isMini)
    stage.fullscreen(false)
    #expect(stage.frame == Self.corner)
    stage.mini(false)
    #expect(stage.frame == Self.normal)
    // The mini player may also end in full screen.
    stage.mini(true)
    stage.fullscreen(true)
    stage.mini(false)
    #expect(stage.frame == Self.normal && !stage.modes.isFullscreen && !stage.modes.isMini)
  }

  @Test func anUnpluggedDisplayEndsFullScreenOnly() {
    var stage = Stage()
    stage.fullscreen(true)
    stage.modes.noteLeftDisplay()
    #expect(!stage.modes.isFullscreen)
    stage.frame = Frame(left: 0, top: 0, width: 640, height: 360)
    stage.fullscreen(true)
    stage.fullscreen(false)
    #expect(stage.frame.width == 640)
  }
}
