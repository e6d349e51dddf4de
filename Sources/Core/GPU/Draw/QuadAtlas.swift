internal import CVulkan
import Frames

/// A texture that holds many small ones, and the copies to it still to be made.
///
/// One thread at a time. Frames in flight may read it: copies are ordered after them on the queue.
final class QuadAtlas {
  let image: GPUImage
  /// Texels along both sides.
  let side: Int
  let bytesPerTexel: Int
  private(set) var waiting: [Piece] = []

  struct Piece {
    var texels: Quad.Texels
    var bytes: [UInt8]
  }

  init(device: GPUDevice, side: Int, hasColor: Bool) throws(Failure) {
    image = try GPUImage(
      device: device, size: PictureSize(width: side, height: side),
      format: hasColor ? VK_FORMAT_R8G8B8A8_UNORM : VK_FORMAT_R8_UNORM,
      usage: VK_IMAGE_USAGE_SAMPLED_BIT.rawValue | VK_IMAGE_USAGE_TRANSFER_DST_BIT.rawValue,
      purpose: hasColor ? "a store of small pictures" : "a store of text")
    self.side = side
    bytesPerTexel = hasColor ? 4 : 1
  }

  func add(_ bytes: [UInt8], at texels: Quad.Texels) {
    precondition(
      texels.left >= 0 && texels.top >= 0 && texels.width > 0 && texels.height > 0
        && texels.left + texels.width <= side && texels.top + texels.height <= side
        && bytes.count == texels.width * texels.height * bytesPerTexel, "not a part of the atlas")
    waiting.append(Piece(texels: texels, bytes: bytes))
  }

  /// Bytes of staging memory that the waiting pieces take.
  var stagedByteCount: Int { waiting.reduce(0) { $0 + Self.aligned($1.bytes.count) } }

  /// Copies begin at multiples of what every device is content with.
  static func aligned(_ count: Int) -> Int { (count + 15) & ~15 }

  func forgetWaiting() { waiting.removeAll(keepingCapacity: true) }
}
