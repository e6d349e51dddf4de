import Frames

/// A buffer per picture, laid out as the decoder likes it; the GPU copies what is shown to optimal images.
struct StagedUpload: Upload {
  var memory: UInt32? { cachedHostMemory }

  /// SIMD code reads and writes a little past the last row.
  private static let tail = 256

  func obstacle(on device: GPUDevice) -> String? {
    device.memory.heap(flags: cachedHostMemory) != nil
      ? nil : "the device copies from no memory that the CPU caches"
  }

  func makeMemory(_ request: PictureRequest, on device: GPUDevice) throws(Failure) -> PictureMemory? {
    let alignment = max(request.alignment, 64)
    var layouts: [(offset: Int, pitch: Int, coded: PictureSize)] = []
    var total = 0
    for plane in request.format.planes {
      let coded = plane.size(of: request.codedSize)
      let pitch = (coded.width * plane.bytesPerTexel + alignment - 1) / alignment * alignment
      layouts.append((total, pitch, coded))
      total += (pitch * coded.height + Self.tail + alignment - 1) / alignment * alignment
    }
    let buffer = try GPUBuffer(device: device, byteCount: total, use: .pictures)
    var planes = PlaneList()
    var places: [(offset: Int, rowTexels: Int)] = []
    for (plane, layout) in zip(request.format.planes, layouts) {
      planes.append(
        HostPlane(
          base: buffer.base + layout.offset, bytesPerRow: layout.pitch,
          rowBytes: layout.coded.width * plane.bytesPerTexel, rows: layout.coded.height))
      places.append((layout.offset, layout.pitch / plane.bytesPerTexel))
    }
    return PictureMemory(
      planes: planes, samples: .buffer(SampleBuffer(buffer: buffer, planes: places)), byteCount: total)
  }
}
