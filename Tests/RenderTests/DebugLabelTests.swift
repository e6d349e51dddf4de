import Dispatch
import Frames
import GPU
import Overlay
import Render
import Support
import Synchronization
import Testing

/// Labels of commands: balanced, named for what is done, and none without validation.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct DebugLabelTests {
  /// Each label that began, in order, with how many were open before it; and whether more ended than began.
  private final class Listener: DebugLabelListener {
    struct Seen {
      var labels: [String] = []
      var open = 0
      var ended = 0
      var isBalanced: Bool { open == 0 && ended == labels.count }
    }
    private let seen = Mutex(Seen())

    func began(_ label: String) {
      seen.withLock { seen in
        seen.labels.append(label)
        seen.open += 1
      }
    }

    func ended() {
      seen.withLock { seen in
        seen.open -= 1
        seen.ended += 1
      }
    }

    func take() -> Seen {
      seen.withLock { seen in
        defer { seen = Seen() }
        return seen
      }
    }
  }

  private static func draw(on device: GPUDevice, _ shading: Shading, overlays: Int = 0) throws {
    let geometry = PictureGeometry(projection: .equirectangular)
    let renderer = try ViewRenderer(
      device: device, geometry: geometry, targetSize: PictureSize(width: 64, height: 32), shading: shading)
    for _ in 0..<overlays { try Graticule.add(to: renderer) }
    let frame = try TestPictures.synthetic(3, size: PictureSize(width: 128, height: 64))
    _ = try renderer.render(frame, camera: Camera(), wantsPixels: true)
    _ = try renderer.drain()
  }

  @Test(arguments: [Shading.fragment, .compute])
  func labelsAreBalancedAndNameWhatIsDone(shading: Shading) throws {
    let listener = Listener()
    let device = try GPUDevice(validate: true, seams: DeviceSeams(labels: listener))
    try Self.draw(on: device, shading)
    let plain = listener.take()
    #expect(plain.isBalanced && plain.labels == ["upload", "view", "readback"], "\(plain)")
    try Self.draw(on: device, shading, overlays: 2)
    let overlaid = listener.take()
    #expect(overlaid.isBalanced && overlaid.labels == ["upload", "view", "overlay", "readback"], "\(overlaid)")
    #expect(device.instance.validation.messages == [])
  }

  /// Copies that have a command buffer of their own begin and end their label in it.
  @Test func labelsDoNotReachOverCommandBuffers() throws {
    let listener = Listener()
    let device = try GPUDevice(validate: true, seams: DeviceSeams(copiesApart: true, labels: listener))
    try Self.draw(on: device, .fragment)
    let seen = listener.take()
    #expect(seen.isBalanced && seen.labels == ["upload", "view", "readback"], "\(seen)")
    #expect(device.instance.validation.messages == [])
  }

  @Test func withoutValidationNothingIsCalled() throws {
    let listener = Listener()
    try Self.draw(on: try GPUDevice(seams: DeviceSeams(labels: listener)), .fragment, overlays: 1)
    #expect(listener.take().labels.isEmpty)
  }

  /// Where labels were not kept apart, the validation layer 1.3.239 crashed.
  @Test func threadsMayLabelWhileOthersDestroy() throws {
    let device = try GPUDevice(validate: true, seams: DeviceSeams(labels: Listener()))
    let frame = try TestPictures.synthetic(3, size: PictureSize(width: 32, height: 16))
    let drawn = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      let count = try? Self.drawWithNewRings(150, frame, device)
      drawn.withLock { $0 += count ?? 0 }
    }
    #expect(drawn.withLock { $0 } == 4 * 150)
    #expect(device.instance.validation.messages == [])
  }

  /// Each ring makes command buffers, labels commands in one, and destroys them.
  private static func drawWithNewRings(_ count: Int, _ frame: VideoFrame, _ device: GPUDevice) throws -> Int {
    let pipelines = try ViewPipelines(device: device, shading: .fragment)
    return try (0..<count).reduce(0) { drawn, _ in
      let renderer = try ViewRenderer(
        pipelines: pipelines, geometry: PictureGeometry(projection: .equirectangular),
        targetSize: PictureSize(width: 16, height: 16))
      let early = try renderer.render(frame, camera: Camera())
      return try drawn + early.count + renderer.drain().count
    }
  }
}
