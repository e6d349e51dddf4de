import Frames
import GPU
import Support
import Testing
import Window

extension WindowTests {
  /// Actions of another X client arrive as events.
  @Suite struct EventTests {
    private func events(
      after actions: [String], until isEnough: @escaping ([WindowEvent]) -> Bool
    ) throws -> [WindowEvent] {
      var events: [WindowEvent] = []
      try WindowTests.withWindow(title: "bench360 — events.mp4") { window in
        let display = try WindowTests.display.get()
        _ = window.poll()
        for action in actions { try display.act(action, on: "bench360 — events.mp4") }
        events = try WindowTests.events(of: window, until: isEnough)
      }
      return events
    }

    /// X's key codes are the kernel's plus 8: 57 is the space bar, 38 the A.
    @Test func keysAndCharacters() throws {
      let events = try events(after: ["keydown 65 1000", "keyup 65 1200", "keydown 38 1300 1"]) {
        $0.contains(.character("A"))
      }
      let expected: [WindowEvent] = [
        .key(.space, .pressed, []), .character(" "), .key(.space, .released, []), .key(.a, .pressed, .shift),
        .character("A"),
      ]
      #expect(events.filter(expected.contains) == expected, "\(events)")
    }

    @Test func pointerButtonsAndWheel() throws {
      let events = try events(after: ["pointer 30 40", "buttondown 1", "buttonup 1", "buttondown 4"]) {
        $0.contains(.scroll(right: 0, up: 1))
      }
      let expected: [WindowEvent] = [
        .pointerMoved(PointerPlace(x: 30, y: 40)), .button(.left, isPressed: true, []),
        .button(.left, isPressed: false, []), .scroll(right: 0, up: 1),
      ]
      #expect(events.filter(expected.contains) == expected, "\(events)")
      #expect(events.contains(.pointerEntered))
    }

    @Test func closeRequestsDoNotClose() throws {
      try WindowTests.withWindow(title: "close me") { window in
        try WindowTests.display.get().act("close", on: "close me")
        _ = try WindowTests.events(of: window) { $0.contains(.closeRequested) }
        #expect(window.size != nil && window.isVisible)
      }
    }

    /// A window manager says so by a property of the window; 3 is iconic, 1 normal.
    @Test func minimiseAndRestore() throws {
      try WindowTests.withWindow(title: "small") { window in
        let display = try WindowTests.display.get()
        try display.act("state 3", on: "small")
        _ = try WindowTests.events(of: window) { $0.contains(.minimised(true)) }
        #expect(window.isMinimised)
        try display.act("state 1", on: "small")
        _ = try WindowTests.events(of: window) { $0.contains(.minimised(false)) }
        #expect(!window.isMinimised)
      }
    }

    @Test func fullScreenAndBack() throws {
      try WindowTests.withWindow { window in
        let display = try WindowTests.display.get()
        let monitor = try #require(window.monitor)
        #expect(monitor.size == display.size && DisplayMonitor.all == [monitor])
        window.setFullscreen(true)
        _ = try WindowTests.events(of: window) { _ in window.size == display.size }
        #expect(window.isFullscreen)
        window.setFullscreen(false)
        _ = try WindowTests.events(of: window) { _ in window.size == PictureSize(width: 320, height: 180) }
        #expect(!window.isFullscreen)
      }
    }

    @Test func wakeEndsAWait() throws {
      try WindowTests.withWindow { window in
        _ = window.poll()
        let start = MonotonicTime.now
        WindowSystem.wake()
        _ = window.wait(timeout: 600)
        // Else this test would take ten minutes.
        #expect(MonotonicTime.now.seconds(since: start) < 600)
      }
    }
  }

  /// GLFW's numbers, which cannot be asked for here: its header has them.
  @Test func keysHaveTheNumbersOfGLFW() {
    #expect(Key.period.rawValue == 46 && Key.slash.rawValue == 47 && Key.digit9.rawValue == 57)
    #expect(Key.z.rawValue == 90 && Key.rightBracket.rawValue == 93 && Key.end.rawValue == 269)
    #expect(Key.pause.rawValue == 284 && Key.f12.rawValue == 301 && Key.keypad9.rawValue == 329)
    #expect(Key.keypadEqual.rawValue == 336 && Key.rightCommand.rawValue == 347 && Key.menu.rawValue == 348)
  }
}

/// Which size a window's images have.
struct SwapchainSizeTests {
  private func fitting(current: SwapchainSize.Size?, wanted: SwapchainSize.Size) -> PictureSize? {
    SwapchainSize.fitting(current: current, least: (1, 1), most: (4096, 2160), wanted: wanted)
  }

  @Test func windowSizesAreUsed() {
    #expect(fitting(current: (640, 360), wanted: (100, 100)) == PictureSize(width: 640, height: 360))
  }

  @Test func requestedSizesAreClamped() {
    #expect(fitting(current: nil, wanted: (640, 360)) == PictureSize(width: 640, height: 360))
    #expect(fitting(current: nil, wanted: (9999, 9999)) == PictureSize(width: 4096, height: 2160))
  }

  @Test(arguments: [(0, 0), (0, 360), (640, 0)])
  func minimisedWindowsHaveNoImages(_ width: Int, _ height: Int) {
    #expect(fitting(current: (width, height), wanted: (640, 360)) == nil)
    #expect(fitting(current: nil, wanted: (width, height)) == nil)
  }
}
