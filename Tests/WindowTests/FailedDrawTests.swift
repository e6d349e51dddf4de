import Frames
import GPU
import Render
import Support
import Testing
import Window

extension WindowTests {
  /// The copies of a frame were sent before its draw failed: the next frame takes the same slot and a new value.
  @Test func ringsAreUsableAfterAFailedDraw() throws {
    try Self.withWindow { window in
      let losses = PlantedLosses()
      var source = try window.surface()
      source.losses = losses
      let device = try GPUDevice(validate: true, surface: source, seams: DeviceSeams(copiesApart: true))
      let renderer = try ViewRenderer(
        device: device, geometry: PictureGeometry(projection: .flat), targetSize: PictureSize(width: 160, height: 80))
      let frame = try TestPictures.synthetic(7, size: PictureSize(width: 640, height: 320))
      func view() throws -> [UInt8] {
        var views = try renderer.render(frame, camera: Camera(), wantsPixels: true)
        views += try renderer.drain()
        return try #require(views.last?.pixels)
      }
      let before = try view()
      for _ in 0..<4 {
        losses.loseDevice(afterSubmits: 1)
        #expect(throws: Failure.self) { _ = try renderer.render(frame, camera: Camera(), wantsPixels: true) }
        #expect(try view() == before)
      }
      #expect(device.instance.validation.messages == [])
    }
  }
}
