import Foundation
import Frames
import GPU
import Render
import Support
import Testing
import Window

/// Windows on a display of their own, one after the other; what is on the screen is read from the X server.
@Suite(
  .tier(.test), .serialized, .enabled(if: VirtualDisplay.isAvailable, "Xvfb is not installed"),
  .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct WindowTests {
  static let display: Result<VirtualDisplay, any Error> = Result {
    let display = try VirtualDisplay()
    // GLFW reads it from the environment only; no other code in this process changes it again.
    setenv("DISPLAY", display.name, 1)
    return display
  }

  /// An open window with its device, ring and swapchain.
  struct Stage {
    let window: Window
    let display: VirtualDisplay
    let device: GPUDevice
    let renderer: ViewRenderer
    let swapchain: Swapchain

    init(_ window: Window, shading: Shading, mode: Swapchain.Mode = .fifo) throws {
      self.window = window
      display = try WindowTests.display.get()
      device = try GPUDevice(validate: true, surface: window.surface())
      let size = try #require(window.size)
      renderer = try ViewRenderer(
        device: device, geometry: PictureGeometry(projection: .equirectangular), targetSize: size, shading: shading)
      swapchain = try Swapchain(device: device, size: size, mode: mode)
    }

    /// Draws a frame in the window; the view as it was read back, and whether it was presented.
    func draw(_ number: Int) throws -> (pixels: [UInt8], isPresented: Bool) {
      let frame = try TestPictures.synthetic(number, size: PictureSize(width: 640, height: 320))
      var finished: FrameRing.Finished?
      try renderer.render(frame, camera: Camera(), wantsPixels: true, on: swapchain) { finished = $0 }
      try renderer.drain { finished = $0 }
      let view = try #require(finished)
      return (try #require(view.pixels), view.present != nil)
    }

    /// Waits until the screen shows these pixels; the most that any differs then.
    func difference(_ pixels: [UInt8], _ size: PictureSize, tolerance: Int = 0) throws -> Int {
      var difference = Int.max
      _ = try Patience.until(every: 0) {
        _ = window.wait(timeout: 0.01)
        difference = try display.difference(from: pixels, size: size)
        return difference <= tolerance
      }
      return difference
    }

    /// Resizes the window and its swapchain.
    func resize(to size: PictureSize) throws {
      window.resize(to: size)
      let events = try WindowTests.events(of: window) { $0.contains(.resized(width: size.width, height: size.height)) }
      for case .resized(let width, let height) in events { swapchain.resize(width: width, height: height) }
      renderer.targetSize = size
    }
  }

  /// Events until they are as wanted.
  static func events(of window: Window, until isEnough: ([WindowEvent]) -> Bool) throws -> [WindowEvent] {
    var events: [WindowEvent] = []
    let isThere = Patience.until(every: 0) {
      if isEnough(events) { return true }
      events += window.wait(timeout: 0.1)
      return isEnough(events)
    }
    try #require(isThere, "only came: \(events)")
    return events
  }

  /// A window for `body`; all that draws in it has gone when that returns.
  static func withWindow(
    _ size: PictureSize = PictureSize(width: 320, height: 180), title: String = "bench360 test",
    _ body: (Window) throws -> Void
  ) throws {
    _ = try display.get()
    let window = try Window(title: title, size: size)
    defer { window.close() }
    try body(window)
  }

  @Test(arguments: Shading.allCases)
  func screenShowsTheView(_ shading: Shading) throws {
    try Self.withWindow { window in
      let stage = try Stage(window, shading: shading)
      let first = try #require(window.size)
      // More frames than images: every image is shown, comes back, and is shown again.
      for number in 0..<6 {
        let view = try stage.draw(number)
        #expect(view.isPresented)
        if number % 5 == 0 { #expect(try stage.difference(view.pixels, first) == 0, "frame \(number)") }
      }
      #expect(stage.swapchain.generations == 1 && stage.swapchain.size == first)
      try save(first)
      for (number, size) in [(400, 300), (333, 111), (320, 180)].map(PictureSize.init).enumerated() {
        try stage.resize(to: size)
        let view = try stage.draw(number + 10)
        #expect(view.isPresented && view.pixels.count == size.width * size.height * 4)
        #expect(stage.swapchain.size == size && stage.swapchain.generations == number + 2)
        #expect(try stage.difference(view.pixels, size) == 0, "\(size)")
      }
      #expect(stage.device.instance.validation.messages.isEmpty, "\(stage.device.instance.validation.messages)")
    }
  }

  @Test(arguments: Swapchain.Mode.allCases)
  func everyModeShowsTheLastFrame(_ mode: Swapchain.Mode) throws {
    try Self.withWindow { window in
      let stage = try Stage(window, shading: .fragment, mode: mode)
      var last: [UInt8] = []
      for number in 0..<4 { last = try stage.draw(number).pixels }
      #expect(try stage.difference(last, #require(window.size)) == 0)
      #expect(stage.device.instance.validation.messages.isEmpty)
    }
  }

  /// A hand that drags the window's corner: no image has come back yet when the next size is there.
  @Test func rapidResizing() throws {
    try Self.withWindow { window in
      let stage = try Stage(window, shading: .fragment)
      for step in 0..<6 {
        try stage.resize(to: PictureSize(width: 330 + 20 * step, height: 190 + 10 * step))
        #expect(try stage.draw(step).isPresented)
      }
      #expect(stage.swapchain.generations == 7)
      let view = try stage.draw(20)
      #expect(try stage.difference(view.pixels, #require(window.size)) == 0)
      #expect(stage.device.instance.validation.messages.isEmpty, "\(stage.device.instance.validation.messages)")
    }
  }

  /// The window has another size than the view, as one whose user has made it smaller: nothing is cut off.
  @Test func viewsOfAnotherSizeAreScaled() throws {
    try Self.withWindow { window in
      let stage = try Stage(window, shading: .fragment)
      stage.renderer.targetSize = PictureSize(width: 640, height: 360)
      let pixels = try stage.draw(3).pixels
      // Halves in both directions: each pixel is the mean of four.
      var expected: [UInt8] = []
      for row in 0..<180 {
        for byte in 0..<320 * 4 {
          let (column, part) = (byte / 4, byte % 4)
          let first = (row * 2 * 640 + column * 2) * 4 + part
          let sum = [0, 4, 640 * 4, 640 * 4 + 4].reduce(0) { $0 + Int(pixels[first + $1]) }
          expected.append(UInt8((sum + 2) / 4))
        }
      }
      #expect(try stage.difference(expected, #require(window.size), tolerance: 2) <= 2)
    }
  }

  @Test func devicesWithoutAWindowCannotPresent() throws {
    let device = try TestDevice.device()
    let failure = #expect(throws: Failure.self) {
      _ = try Swapchain(device: device, size: PictureSize(width: 16, height: 16))
    }
    #expect(failure?.kind == .usage)
  }

  /// Writes the screen to the file that `BENCH360_SCREENSHOT` names.
  private func save(_ size: PictureSize) throws {
    guard let path = ProcessInfo.processInfo.environment["BENCH360_SCREENSHOT"] else { return }
    let pixels = try Self.display.get().pixels(size: size)
    let header = "P6\n\(size.width) \(size.height)\n255\n"
    let colors = stride(from: 0, to: pixels.count, by: 4).flatMap { pixels[$0..<$0 + 3] }
    try (Data(header.utf8) + Data(colors)).write(to: URL(filePath: path))
  }
}
