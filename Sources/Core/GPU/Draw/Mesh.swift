internal import CVulkan
import Frames

/// Triangles in a buffer, for vertex shaders that take a position at location 0 and a place in the picture at 1.
///
/// Thread-safe after creation.
public final class Mesh: Sendable {
  /// A corner: where it lies around the camera, and what of the picture it shows.
  public struct Vertex: Sendable, Hashable {
    public var x: Float
    public var y: Float
    public var z: Float
    /// Where in the picture: u to the right, v down.
    public var u: Float
    public var v: Float

    public init(x: Float, y: Float, z: Float, u: Float, v: Float) {
      self.x = x
      self.y = y
      self.z = z
      self.u = u
      self.v = v
    }
  }

  private let buffer: GPUBuffer
  /// Of the first index, in bytes.
  private let indexOffset: Int
  private let indexCount: Int

  /// - Parameter indices: three for each triangle.
  public init(device: GPUDevice, vertices: [Vertex], indices: [UInt32]) throws(Failure) {
    precondition(indices.allSatisfy { $0 < vertices.count }, "an index points behind the vertices")
    indexOffset = vertices.count * MemoryLayout<Vertex>.stride
    indexCount = indices.count
    buffer = try GPUBuffer(device: device, byteCount: indexOffset + indices.count * 4, use: .vertices)
    UnsafeMutableRawBufferPointer(start: buffer.base, count: indexOffset)
      .copyBytes(from: vertices.withUnsafeBytes { Array($0) })
    UnsafeMutableRawBufferPointer(start: buffer.base + indexOffset, count: indices.count * 4)
      .copyBytes(from: indices.withUnsafeBytes { Array($0) })
  }

  func draw(_ commands: VkCommandBuffer) {
    var handle: VkBuffer? = buffer.handle
    var offset = VkDeviceSize(0)
    vkCmdBindVertexBuffers(commands, 0, 1, &handle, &offset)
    vkCmdBindIndexBuffer(commands, buffer.handle, VkDeviceSize(indexOffset), VK_INDEX_TYPE_UINT32)
    vkCmdDrawIndexed(commands, UInt32(indexCount), 1, 0, 0, 0)
  }

  static func vertexInput(_ arguments: CallArguments) -> VkPipelineVertexInputStateCreateInfo {
    let binding = VkVertexInputBindingDescription(
      binding: 0, stride: UInt32(MemoryLayout<Vertex>.stride), inputRate: VK_VERTEX_INPUT_RATE_VERTEX)
    let attributes = [
      VkVertexInputAttributeDescription(location: 0, binding: 0, format: VK_FORMAT_R32G32B32_SFLOAT, offset: 0),
      VkVertexInputAttributeDescription(location: 1, binding: 0, format: VK_FORMAT_R32G32_SFLOAT, offset: 12),
    ]
    return vertexInputState(binding, attributes, arguments)
  }
}
