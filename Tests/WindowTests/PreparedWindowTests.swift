import Frames
import GPU
import Overlay
import Render
import Support
import Testing
import Window

extension WindowTests {
  /// A prepared picture shown later, under the layers of that refresh, looks like one drawn with them at once.
  @Test(arguments: Shading.allCases)
  func whatWasPreparedIsShown(_ shading: Shading) throws {
    try Self.withWindow { window in
      let stage = try Stage(window, shading: shading)
      let size = try #require(window.size)
      let painter = try CanvasPainter(
        device: stage.device, texts: TextCache(renderer: try TextRenderer()), atlasSide: 512)
      var last: UInt64 = 0
      for number in 0..<6 {
        let layer = number % 3 == 0 ? nil : painter.paint(Self.canvas(number))
        let frame = try TestPictures.synthetic(number, size: PictureSize(width: 640, height: 320))
        // As it is drawn at once, read back and not shown.
        var expected: FrameRing.Finished?
        try stage.renderer.render(frame, camera: Camera(), layer: layer, wantsPixels: true) { _ in }
        try stage.renderer.drain { expected = $0 }
        var shown: FrameRing.Finished?
        try stage.renderer.prepare(frame, camera: Camera(), wantsPixels: number % 2 == 0) { _ in }
        try stage.renderer.showPrepared(layer: layer, on: stage.swapchain)
        try stage.renderer.drain { shown = $0 }
        let present = try #require(shown?.present)
        #expect(present.number == last + 1)
        last = present.number
        let pixels = try #require(expected?.pixels)
        if number > 2 { #expect(try stage.difference(pixels, size) == 0, "frame \(number)") }
      }
      #expect(stage.swapchain.generations == 1)
      #expect(stage.device.instance.validation.messages.isEmpty, "\(stage.device.instance.validation.messages)")
    }
  }

  /// Views drawn at once and before, with other sizes in between: numbers of presents go on, and the screen shows the last.
  @Test func bothWaysOfShowingFollowTheWindow() throws {
    try Self.withWindow { window in
      let stage = try Stage(window, shading: .fragment)
      for (number, size) in [(400, 300), (333, 111), (320, 180)].map(PictureSize.init).enumerated() {
        let frame = try TestPictures.synthetic(number, size: PictureSize(width: 640, height: 320))
        try stage.renderer.prepare(frame, camera: Camera()) { _ in }
        try stage.resize(to: size)
        #expect(!stage.renderer.hasPrepared, "it has the size of before")
        #expect(try stage.draw(number).isPresented)
        try stage.renderer.prepare(frame, camera: Camera(), wantsPixels: true) { _ in }
        try stage.renderer.showPrepared(on: stage.swapchain)
        var shown: FrameRing.Finished?
        try stage.renderer.drain { shown = $0 }
        let pixels = try #require(shown?.pixels)
        #expect(shown?.present != nil && pixels.count == size.width * size.height * 4)
        #expect(try stage.difference(pixels, size) == 0, "\(size)")
      }
      #expect(stage.device.instance.validation.messages.isEmpty, "\(stage.device.instance.validation.messages)")
    }
  }

  /// A show that fails leaves a ring that can be used: the view is discarded, the next one is drawn and shown.
  @Test func aRingCanBeUsedAfterAShowThatFailed() throws {
    try Self.withWindow { window in
      let losses = PlantedLosses()
      var source = try window.surface()
      source.losses = losses
      let device = try GPUDevice(validate: true, surface: source)
      let size = try #require(window.size)
      let renderer = try ViewRenderer(
        device: device, geometry: PictureGeometry(projection: .flat), targetSize: size)
      let frame = try TestPictures.synthetic(7, size: PictureSize(width: 640, height: 320))
      let swapchain = try Swapchain(device: device, size: size)
      var told = 0
      try renderer.prepare(frame, camera: Camera()) { _ in told += 1 }
      losses.loseDevice(afterSubmits: 0)
      #expect(throws: Failure.self) { try renderer.showPrepared(on: swapchain) }
      #expect(!renderer.hasPrepared)
      _ = try renderer.render(frame, camera: Camera(), wantsPixels: true)
      try renderer.drain { _ in told += 1 }
      #expect(told == 1, "the one that was not shown is not told")
    }
  }

  private static func canvas(_ number: Int) -> Canvas {
    var canvas = Canvas()
    canvas.rectangle(
      Canvas.Box(left: 20 + Double(number) * 8, top: 30, width: 90, height: 60), Canvas.Color(0.9, 0.2, 0.1, alpha: 0.6)
    )
    return canvas
  }
}
