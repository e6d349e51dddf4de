import Frames

/// The way of a view's pixels back to the CPU. Made when pixels are first wanted, and again where the view's size changes.
final class Readback {
  private let device: GPUDevice
  private var buffer: GPUBuffer?
  /// The last view that was read back.
  private var pixels: [UInt8] = []

  init(device: GPUDevice) { self.device = device }

  /// What the GPU copies a view of this size to.
  func buffer(for size: PictureSize) throws(Failure) -> GPUBuffer {
    let needed = size.width * size.height * 4
    if let buffer, buffer.byteCount == needed { return buffer }
    let made = try GPUBuffer(device: device, byteCount: needed, use: .readback)
    buffer = made
    return made
  }

  /// RGBA, 8 bits each, copied over the last view's unless a caller still holds those; nil before there was a view.
  func read() -> [UInt8]? {
    guard let buffer else { return nil }
    if pixels.count != buffer.byteCount { pixels = [UInt8](repeating: 0, count: buffer.byteCount) }
    pixels.withUnsafeMutableBytes {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: buffer.base, count: buffer.byteCount))
    }
    return pixels
  }
}
