internal import CVulkan
import Frames

/// A picture as shaders see it: one texture per plane.
final class PictureTextures: Sendable {
  let format: PictureFormat
  let size: PictureSize
  let images: [GPUImage]
  /// What the three texture bindings of every shader get: interleaved chroma fills two of them, and where there is no
  /// chroma, which no shader then reads, luma fills all.
  let bindings: [GPUImage]
  /// How another writer hands the images over; nil: no writer but the CPU.
  let handover: (any Handover)?
  /// What the images lie in, where they do not have memory of their own.
  private let memories: [DeviceMemory]

  init(
    format: PictureFormat, size: PictureSize, images: [GPUImage], memories: [DeviceMemory] = [],
    handover: (any Handover)? = nil
  ) {
    self.format = format
    self.size = size
    self.images = images
    self.memories = memories
    self.handover = handover
    bindings = (0..<3).map { images[min($0, images.count - 1)] }
  }

  /// Optimally tiled textures that samples are copied to.
  convenience init(device: GPUDevice, format: PictureFormat, size: PictureSize) throws(Failure) {
    var images: [GPUImage] = []
    for plane in format.planes {
      images.append(
        try GPUImage(
          device: device, size: plane.size(of: size), format: textureFormat(plane),
          usage: VK_IMAGE_USAGE_SAMPLED_BIT.rawValue | VK_IMAGE_USAGE_TRANSFER_DST_BIT.rawValue,
          isShared: true, purpose: "a texture"))
    }
    self.init(format: format, size: size, images: images)
  }
}

/// Memory of one picture that a decoder writes and the GPU reads.
struct PictureMemory {
  var planes: PlaneList
  var samples: Samples
  var byteCount: Int
}

/// Where the GPU finds a picture's samples.
enum Samples {
  /// In the textures that shaders read.
  case textures(PictureTextures)
  /// In a buffer, from which the GPU copies them to textures.
  case buffer(SampleBuffer)
}

/// The planes of one picture in a buffer.
final class SampleBuffer: Sendable {
  let buffer: GPUBuffer
  /// Of the first sample shown, in bytes, and from one row to the next, in texels.
  let planes: [(offset: Int, rowTexels: Int)]

  init(buffer: GPUBuffer, planes: [(offset: Int, rowTexels: Int)]) {
    self.buffer = buffer
    self.planes = planes
  }
}
