import Decode
import Encode
import Frames
import GPU
import Media
import Render
import Session

/// Draws what a clip shows `seconds` after its start as a PNG file: the view of a camera that looks 30° to the right.
///
/// Gives the time of the frame that was drawn. Blocks until the file is written.
func renderView(of clip: String, at seconds: Double, to png: String) throws -> MediaTime {
  let size = PictureSize(width: 640, height: 360)
  let device = try GPUDevice("auto")

  // The decoder writes where the device reads, by the best way that this device has; without one, rows are copied.
  let uploads = [UploadStrategy.direct, .staged].filter { $0.obstacle(on: device) == nil }
  let pool = uploads.isEmpty ? nil : PicturePool(device: device, strategies: uploads)
  let reader = try FrameReader(path: clip, allocator: pool)
  reader.allowsDeepSamples = device.info.features.contains(.deepTextures)

  // No tolerance: the frame that is shown at that time, wherever the last sync sample lies.
  guard let frame = try reader.seek(SeekRequest(target: MediaTime(seconds: seconds))) else {
    throw Failure(.media, "cannot show '\(clip)'", cause: "no frame could be decoded")
  }

  // Projection, stereo layout, bounds and pose as the file says, or as is guessed.
  let (geometry, _) = GeometryChoice().resolve(reader.info)
  let renderer = try ViewRenderer(device: device, geometry: geometry, targetSize: size)
  var views = try renderer.render(frame, camera: Camera(pan: 30), wantsPixels: true)
  views += try renderer.drain()
  guard let pixels = views.last?.pixels else {
    throw Failure(.device, "cannot show '\(clip)'", cause: "the device gave no pixels back")
  }
  try writePNG(rgba: pixels, size: size, to: png)
  return frame.presentationTime
}
