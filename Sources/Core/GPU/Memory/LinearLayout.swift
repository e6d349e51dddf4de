internal import CVulkan
import Frames

/// Where the planes of one picture lie in one allocation, as the driver lays linear images out.
///
/// The image is exactly as large as what is shown, for texture coordinates wrap at its edges; the decoder's padding
/// lies behind its rows and below its last row. Refuses when the driver's row pitch does not suit the decoder.
struct LinearLayout {
  struct Plane {
    let image: VkImage
    /// Of the image in the allocation, and of the first row in the image.
    var offset: Int
    let imageOffset: Int
    let pitch: Int
    let rowBytes: Int
    let rows: Int
  }

  private(set) var planes: [Plane] = []
  private(set) var byteCount = 0
  private(set) var typeBits: UInt32 = .max

  /// SIMD code reads and writes a little past the last row.
  private static let tail = 256

  init(device: GPUDevice, request: PictureRequest) throws(Failure) {
    do throws(Failure) {
      for plane in request.format.planes { try add(plane, request, device) }
    } catch {
      destroyImages(device)
      throw error
    }
  }

  /// - Parameter first: the first plane whose image was not taken over.
  func destroyImages(_ device: GPUDevice, from first: Int = 0) {
    for plane in planes[first...] { vkDestroyImage(device.handle, plane.image, nil) }
  }

  private mutating func add(_ plane: PlaneFormat, _ request: PictureRequest, _ device: GPUDevice) throws(Failure) {
    let coded = plane.size(of: request.codedSize)
    guard samplesLinearImages(device.physical, textureFormat(plane)) else {
      throw Failure(
        .unsupported, "cannot decode into images of \(request.format.name)",
        cause: "the device does not sample linear images of \(request.format.name)")
    }
    let image = try makeImage(
      device, plane.size(of: request.size), textureFormat(plane), VK_IMAGE_TILING_LINEAR,
      VK_IMAGE_USAGE_SAMPLED_BIT.rawValue, "a picture")
    var needs = VkMemoryRequirements()
    vkGetImageMemoryRequirements(device.handle, image, &needs)
    var subresource = VkImageSubresource(
      aspectMask: VK_IMAGE_ASPECT_COLOR_BIT.rawValue, mipLevel: 0, arrayLayer: 0)
    var layout = VkSubresourceLayout()
    vkGetImageSubresourceLayout(device.handle, image, &subresource, &layout)
    let alignment = max(Int(needs.alignment), request.alignment, 64)
    let offset = (byteCount + alignment - 1) / alignment * alignment
    let pitch = Int(layout.rowPitch)
    planes.append(
      Plane(
        image: image, offset: offset, imageOffset: Int(layout.offset), pitch: pitch,
        rowBytes: coded.width * plane.bytesPerTexel, rows: coded.height))
    guard pitch % request.alignment == 0, pitch >= coded.width * plane.bytesPerTexel,
      Int(layout.offset) % request.alignment == 0
    else {
      throw Failure(
        .unsupported, "cannot decode into images of \(request.size)",
        cause: "the driver's row pitch of \(pitch) bytes does not suit the decoder, "
          + "which wants a multiple of \(request.alignment) and at least \(coded.width * plane.bytesPerTexel)")
    }
    byteCount = offset + max(Int(needs.size), Int(layout.offset) + pitch * coded.height) + Self.tail
    typeBits &= needs.memoryTypeBits
  }
}
