import Frames

/// The decoder keeps its own memory; the CPU copies rows into a buffer, the GPU copies that to optimal images.
struct CopyUpload: Upload {
  var memory: UInt32? { nil }

  func obstacle(on device: GPUDevice) -> String? { nil }

  func makeMemory(_ request: PictureRequest, on device: GPUDevice) throws(Failure) -> PictureMemory? { nil }
}

/// A buffer that rows are copied into, frame after frame; remade when format or size change. One thread at a time.
final class RowCopy {
  private let device: GPUDevice
  private var made: (format: PictureFormat, size: PictureSize, samples: SampleBuffer)?

  init(device: GPUDevice) {
    self.device = device
  }

  /// Copies the frame's rows; the buffer must not be in use by the GPU.
  func copy(_ frame: VideoFrame) throws(Failure) -> SampleBuffer {
    let samples = try buffer(for: frame)
    for (plane, place) in zip(frame.picture.planes, samples.planes) {
      plane.copy(to: samples.buffer.base + place.offset, bytesPerRow: plane.rowBytes)
    }
    return samples
  }

  private func buffer(for frame: VideoFrame) throws(Failure) -> SampleBuffer {
    if let made, made.format == frame.format, made.size == frame.size { return made.samples }
    var places: [(offset: Int, rowTexels: Int)] = []
    var total = 0
    for (plane, format) in zip(frame.picture.planes, frame.format.planes) {
      places.append((total, plane.rowBytes / format.bytesPerTexel))
      total += (plane.rowBytes * plane.rows + 255) / 256 * 256
    }
    let samples = SampleBuffer(
      buffer: try GPUBuffer(device: device, byteCount: total, use: .staging), planes: places)
    made = (frame.format, frame.size, samples)
    return samples
  }
}
