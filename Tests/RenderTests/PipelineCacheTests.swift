import Frames
import GPU
import Render
import Support
import Testing

/// Compiled shaders are shared between processes; damaged files are ignored.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct PipelineCacheTests {
  private static func compile(_ bytes: [UInt8]) throws -> (new: [UInt8]?, messages: [String]) {
    let device = try GPUDevice(validate: true, pipelines: { _ in bytes })
    _ = try ViewRenderer(
      device: device, geometry: PictureGeometry(projection: .equirectangular),
      targetSize: PictureSize(width: 16, height: 16))
    return (device.newPipelines, device.instance.validation.messages)
  }

  @Test func compiledShadersAreSharedBetweenProcesses() throws {
    let first = try Self.compile([])
    let bytes = try #require(first.new, "the driver keeps something")
    let second = try Self.compile(bytes)
    #expect(second.new == nil, "there is nothing new")
    #expect((first.messages + second.messages).isEmpty)
  }

  @Test func damagedCachesAreIgnored() throws {
    var random = SeededGenerator(for: "damagedCachesAreIgnored")
    let bytes = try #require(try Self.compile([]).new)
    var damaged: [[UInt8]] = [[0], Array(bytes.prefix(16)), Array(bytes.dropLast()), bytes + [0]]
    for _ in 0..<4 {
      var flipped = bytes
      flipped[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      damaged.append(flipped)
    }
    for bytes in damaged {
      let result = try Self.compile(bytes)
      #expect(result.new != nil, "they were not taken for what they are not")
      #expect(result.messages.isEmpty)
    }
  }
}
