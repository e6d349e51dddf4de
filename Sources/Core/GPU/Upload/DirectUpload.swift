internal import CVulkan
import Frames

/// One allocation with a linear image per plane: what the decoder writes is what shaders sample.
struct DirectUpload: Upload {
  var memory: UInt32? { unifiedMemory }

  func obstacle(on device: GPUDevice) -> String? {
    if !device.info.features.contains(.hostCachedImages) {
      return "the device's own memory is not cached by the CPU"
    }
    if !device.info.features.contains(.linearSampling) { return "the device does not sample linear images" }
    return nil
  }

  func makeMemory(_ request: PictureRequest, on device: GPUDevice) throws(Failure) -> PictureMemory? {
    let layout = try LinearLayout(device: device, request: request)
    let memory: DeviceMemory
    let planes: PlaneList
    do throws(Failure) {
      memory = try DeviceMemory(
        device: device, byteCount: layout.byteCount, typeBits: layout.typeBits, wishes: [unifiedMemory],
        purpose: "a picture of \(request.size)")
      planes = try bind(layout, to: memory, device)
    } catch {
      layout.destroyImages(device)
      throw error
    }
    var images: [GPUImage] = []
    do throws(Failure) {
      for (plane, format) in zip(layout.planes, request.format.planes) {
        images.append(
          try GPUImage(
            device: device, adopting: plane.image, size: format.size(of: request.size), format: textureFormat(format)))
      }
    } catch {
      layout.destroyImages(device, from: images.count)
      throw error
    }
    let textures = PictureTextures(format: request.format, size: request.size, images: images, memories: [memory])
    return PictureMemory(planes: planes, samples: .textures(textures), byteCount: memory.byteCount)
  }

  private func bind(
    _ layout: LinearLayout, to memory: DeviceMemory, _ device: GPUDevice
  ) throws(Failure) -> PlaneList {
    guard let base = memory.base else { throw Failure(.device, "cannot map a picture", cause: "no address") }
    var planes = PlaneList()
    for plane in layout.planes {
      try check(
        vkBindImageMemory(device.handle, plane.image, memory.handle, VkDeviceSize(plane.offset)), "bind a picture")
      planes.append(
        HostPlane(
          base: base + plane.offset + plane.imageOffset, bytesPerRow: plane.pitch, rowBytes: plane.rowBytes,
          rows: plane.rows))
    }
    return planes
  }
}
