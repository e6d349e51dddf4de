internal import CVulkan
import Frames

/// What one frame in flight needs for the quads over its view: grown, never shrunk. Nothing until the first quad.
final class QuadBuffers {
  private(set) var instances: GPUBuffer?
  private(set) var staging: GPUBuffer?
  private let device: GPUDevice

  init(device: GPUDevice) { self.device = device }

  /// Makes room for the layer and writes it there. The slot must be free.
  func take(_ layer: QuadLayer) throws(Failure) {
    let staged = layer.drawer.stagedByteCount
    if staged > 0 { staging = try Self.grown(staging, to: staged, .staging, device) }
    guard !layer.quads.isEmpty else { return }
    let size = layer.quads.count * MemoryLayout<Quad>.stride
    let buffer = try Self.grown(instances, to: size, .vertices, device)
    layer.quads.withUnsafeBytes { bytes in
      guard let first = bytes.baseAddress else { return }
      buffer.base.copyMemory(from: first, byteCount: bytes.count)
    }
    instances = buffer
  }

  private static func grown(
    _ buffer: GPUBuffer?, to size: Int, _ use: GPUBuffer.Use, _ device: GPUDevice
  ) throws(Failure) -> GPUBuffer {
    if let buffer, buffer.byteCount >= size { return buffer }
    return try GPUBuffer(device: device, byteCount: max(size, 2 * (buffer?.byteCount ?? 8192)), use: use)
  }
}
