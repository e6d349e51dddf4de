import Frames
import GPU
import Render
import Support
import Testing

/// Every format by every way of uploading: one and the same view.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct FormatUploadTests {
  @Test(arguments: PictureFormat.all, [UploadStrategy.direct, .staged])
  func everyUploadGivesTheSamePicture(_ format: PictureFormat, _ upload: UploadStrategy) throws {
    let device = try TestDevice.device()
    guard upload.obstacle(on: device) == nil else { return }
    var generator = SeededGenerator()
    for size in [PictureSize(width: 162, height: 98), PictureSize(width: 161, height: 99)] {
      var frame = TestPictures.noisy(
        format: format, size: size, color: ColorDescription(matrix: .bt709, range: .limited), generator: &generator)
      let geometry = PictureGeometry(projection: .equirectangular)
      let target = PictureSize(width: 160, height: 90)
      let copied = try renderedView(frame, geometry, Camera(pan: 170), target)
      let pool = PicturePool(device: device, strategies: [upload])
      let coded = PictureSize(width: 192, height: 112)
      let allocation = pool.allocate(PictureRequest(format: format, size: size, codedSize: coded, alignment: 64))
      // Where rows of the device's linear images do not suit a decoder, there is nothing to compare.
      guard let allocation else {
        #expect(pool.refusal?.contains("row pitch") ?? false, "\(pool.refusal ?? "no reason")")
        continue
      }
      defer { allocation.release() }
      var planes = PlaneList()
      for (own, lent) in zip(frame.picture.planes, allocation.planes) {
        own.copy(to: lent.base, bytesPerRow: lent.bytesPerRow)
        planes.append(
          HostPlane(base: lent.base, bytesPerRow: lent.bytesPerRow, rowBytes: own.rowBytes, rows: own.rows))
      }
      frame.picture = HostPicture(planes: planes, owner: pool, allocation: allocation)
      let renderer = try ViewRenderer(
        pipelines: KeptPipelines.of(.fragment), geometry: geometry, targetSize: target)
      _ = try renderer.render(frame, camera: Camera(pan: 170), wantsPixels: true)
      let view = try #require(try renderer.drain().last)
      #expect(view.upload == upload && view.uploadMilliseconds == 0)
      #expect(view.pixels == copied, "seed \(generator.seed), \(size)")
    }
    #expect(try TestDevice.validationMessages() == [])
  }
}
