import Foundation
import Frames
import GPU
import Render
import Support
import Testing
import Window

/// Windows on a display of their own, one after the other; what is on the screen is read from the X server.
@Suite(
  .serialized, .enabled(if: VirtualDisplay.isAvailable, "Xvfb is not installed"),
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

    /// Waits until the screen shows exactly these pixels; the most that any differs when it does not.
    func difference(_ pixels: [UInt8], _ size: PictureSize) throws -> Int {
      let end = MonotonicTime.now.advanced(byMilliseconds: 10_000)
      var difference = Int.max
      while difference > 0, MonotonicTime.now < end {
        _ = window.wait(timeout: 0.01)
        difference = zip(try display.pixels(size: size), pixels).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
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
    let end = MonotonicTime.now.advanced(byMilliseconds: 10_000)
    var events: [WindowEvent] = []
    while !isEnough(events) {
      try #require(MonotonicTime.now < end, "only came: \(events)")
      events += window.wait(timeout: 0.1)
    }
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
      let size = try #require(window.size)
      // More frames than images: every image is shown, comes back, and is shown again.
      for number in 0..<9 {
        let view = try stage.draw(number)
        #expect(view.isPresented)
        if number % 4 == 0 { #expect(try stage.difference(view.pixels, size) == 0, "frame \(number)") }
      }
      #expect(stage.swapchain.generations == 1 && stage.swapchain.size == size)
      #expect(stage.device.instance.validation.messages.isEmpty, "\(stage.device.instance.validation.messages)")
      try save(size)
    }
  }

  @Test(arguments: Swapchain.Mode.allCases)
  func everyModeShowsTheLastFrame(_ mode: Swapchain.Mode) throws {
    try Self.withWindow { window in
      let stage = try Stage(window, shading: .fragment, mode: mode)
      var last: [UInt8] = []
      for number in 0..<6 { last = try stage.draw(number).pixels }
      #expect(try stage.difference(last, #require(window.size)) == 0)
      #expect(stage.device.instance.validation.messages.isEmpty)
    }
  }

  @Test(arguments: Shading.allCases)
  func theViewFollowsTheWindow(_ shading: Shading) throws {
    try Self.withWindow { window in
      let stage = try Stage(window, shading: shading)
      for (number, size) in [(400, 300), (333, 111), (600, 400), (320, 180)].map(PictureSize.init).enumerated() {
        _ = try stage.draw(number)
        try stage.resize(to: size)
        let view = try stage.draw(number + 10)
        #expect(view.isPresented && view.pixels.count == size.width * size.height * 4)
        #expect(stage.swapchain.size == size && stage.swapchain.generations == number + 2)
        #expect(try stage.difference(view.pixels, size) == 0, "\(size)")
      }
      #expect(stage.device.instance.validation.messages.isEmpty, "\(stage.device.instance.validation.messages)")
    }
  }

  /// A hand that drags the window's corner: no image has come back yet when the next size is there.
  @Test func rapidResizing() throws {
    try Self.withWindow { window in
      let stage = try Stage(window, shading: .fragment)
      for step in 0..<12 {
        try stage.resize(to: PictureSize(width: 330 + 10 * step, height: 190 + 5 * step))
        #expect(try stage.draw(step).isPresented)
      }
      #expect(stage.swapchain.generations == 13)
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
      let end = MonotonicTime.now.advanced(byMilliseconds: 10_000)
      var difference = Int.max
      while difference > 2, MonotonicTime.now < end {
        _ = window.wait(timeout: 0.01)
        let seen = try stage.display.pixels(size: PictureSize(width: 320, height: 180))
        difference = zip(seen, expected).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
      }
      #expect(difference <= 2)
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
