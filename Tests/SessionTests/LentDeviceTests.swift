import Decode
import Encode
import Frames
import GPU
import Render
import Session
import Support
import Synchronization
import Testing

/// Frames that FFmpeg creates on the render device, as its Vulkan decoders do: here it uploads software's frames.
@Suite(
  .tier(.test), .enabled(if: TestDevice.isAvailable && PlantedHardware.isAvailable, "FFmpeg finds no Vulkan device"))
struct LentDeviceTests {
  private static func options(_ plan: PlantedHardware?) -> RenderSession.Options {
    var options = RenderSession.Options()
    options.upload = plan == nil ? .copy : nil
    options.targetSize = PictureSize(width: 160, height: 90)
    options.validates = true
    options.decoder.threads = 1
    if let plan { options.decoder.plant(plan) }
    options.decoder.isAutomatic = true
    return options
  }

  /// Each frame drawn twice: the second time waits for the first.
  private static func views(_ session: RenderSession) throws -> [FrameRing.Finished] {
    var finished: [FrameRing.Finished] = []
    for _ in 0..<8 {
      guard let frame = try session.reader.next() else { break }
      for pan in [30.0, -120] {
        finished += try session.renderer.render(frame, camera: Camera(pan: pan, tilt: 10), wantsPixels: true)
      }
    }
    return finished + (try session.renderer.drain())
  }

  private static func clip(_ name: String) throws -> String {
    switch name {
    case "nv12":
      try SharedClips.ffmpeg(
        "lent-nv12.nut",
        ["-f", "lavfi", "-i", "testsrc2=s=322x162:r=25:d=0.4", "-pix_fmt", "nv12", "-c:v", "rawvideo"])
    case "10bit": try SharedClips.synthetic("lent-10.mkv") { ($0.codec, $0.bitDepth) = ("hevc", 10) }
    case "odd":
      try SharedClips.ffmpeg(
        "lent-odd.mkv",
        ["-f", "lavfi", "-i", "testsrc2=s=161x121:r=10:d=0.8", "-pix_fmt", "yuv420p", "-c:v", "libvpx-vp9"])
    default: try SharedClips.synthetic("lent-\(name).mkv") { $0.codec = name }
    }
  }

  /// FFmpeg 5.1 makes no P010 pictures on a Vulkan device, and ends the process where it is asked for pixel formats
  /// such as yuvj420p: no decoder on a GPU gives those.
  @Test(arguments: ["h264", "nv12", "10bit", "odd"])
  func framesAreDrawnWhereTheDecoderLeavesThem(name: String) throws {
    let path = try Self.clip(name)
    let session = try RenderSession(path: path, options: Self.options(.onLentDevice))
    #expect(session.upload == .shared && session.reader.decoder.sharesMemory)
    let shared = try Self.views(session)
    let copied = try Self.views(RenderSession(path: path, options: Self.options(nil)))
    #expect(shared.count == copied.count && shared.count == 16)
    for (x, y) in zip(shared, copied) {
      #expect(!x.frame.isInHostMemory && y.frame.isInHostMemory)
      #expect(x.frame.presentationTime == y.frame.presentationTime && x.frame.format == y.frame.format)
      #expect(x.upload == .shared && x.uploadMilliseconds == 0 && x.uploadGPUMilliseconds == nil)
      #expect(x.pixels == y.pixels, "frame \(x.frame.index)")
    }
    #expect(session.reader.sharingRefusal == nil && session.picturesMade == 0)
    #expect(session.device.instance.validation.messages == [])
  }

  /// Each draw waits for the work submitted before, raises the timeline by one, and preserves the layout; and frames
  /// are released after the GPU has finished with them.
  @Test func drawsAreSerialised() throws {
    let device = try GPUDevice(validate: true, lends: true)
    let pool = SpyingAllocator(PicturePool(device: device, strategies: [.shared]))
    var decoder = DecoderOptions(threads: 1)
    decoder.plant(.onLentDevice)
    do {
      let reader = try FrameReader(path: Self.clip("h264"), options: decoder, allocator: pool)
      let renderer = try ViewRenderer(
        device: device, geometry: PictureGeometry(projection: .flat), targetSize: PictureSize(width: 64, height: 32))
      while let frame = try reader.next() {
        for _ in 0..<3 { try renderer.render(frame, camera: Camera()) { _ in } }
      }
      try renderer.drain { _ in }
    }
    let turns = pool.turns.withLock { $0 }
    #expect(turns.count == 24)
    for turn in turns {
      #expect(turn.ended == [true, true, true] && turn.states.count == 3)
      for (before, after) in zip(turn.states, turn.states.dropFirst()) {
        #expect(zip(before, after).allSatisfy { $0.value + 1 == $1.value && $0.layout == $1.layout })
      }
    }
    #expect(pool.kept.withLock { $0.allSatisfy { $0.state == nil } }, "no frame is held any more")
    #expect(device.instance.validation.messages == [])
  }

  @Test func softwareTakesOverFromTheLentDevice() throws {
    let path = try Self.clip("h264")
    var plan = PlantedHardware(failsAfterFrames: 3)
    plan.isOnLentDevice = true
    let session = try RenderSession(path: path, options: Self.options(plan))
    let mixed = try Self.views(session)
    let copied = try Self.views(RenderSession(path: path, options: Self.options(nil)))
    #expect(mixed.map(\.frame.isInHostMemory) == (0..<mixed.count).map { $0 >= 6 })
    #expect(mixed.map(\.pixels) == copied.map(\.pixels) && mixed.count == copied.count)
    #expect(session.reader.decoder.choice == .software)
    #expect(session.device.instance.validation.messages == [])
  }

  /// Devices are lent where that was asked for, and pools that are not to share do not lend them.
  @Test func devicesAreLentOnRequestOnly() throws {
    let lent = try GPUDevice(lends: true)
    #expect(PicturePool(device: lent, strategies: [.shared]).lentDevice?.families.isEmpty == false)
    #expect(PicturePool(device: lent, strategies: [.direct, .staged]).lentDevice == nil)
    #expect(PicturePool(device: try TestDevice.device(), strategies: [.shared]).lentDevice == nil)
    #expect(UploadStrategy.shared.obstacle(on: lent) == nil)
  }

  @Test func onlyVulkanDecodersUseTheDevice() {
    let hasDecoders = DecoderReport.all(on: nil, sharing: nil).first { $0.name == .vulkan }?.obstacle == nil
    for choice in [nil] + DecoderChoice.allCases.map(Optional.some) {
      var options = DecoderOptions()
      options.choice = choice
      #expect(options.mayUseLentDevice == (hasDecoders && (choice == nil || choice == .vulkan)))
    }
  }
}

/// Hands pictures on to a pool, and watches who submits work with them.
private final class SpyingAllocator: PictureAllocator {
  struct Turn {
    var states: [[LentImageState]] = []
    var ended: [Bool] = []
  }

  struct Kept: Sendable {
    weak var state: (any LentPictureState)?
  }

  let turns = Mutex<[Turn]>([])
  let kept = Mutex<[Kept]>([])
  private let pool: PicturePool

  init(_ pool: PicturePool) { self.pool = pool }

  func allocate(_ request: PictureRequest) -> PictureAllocation? { nil }
  var sharing: PictureSharing? { pool.sharing }
  var lentDevice: LentDevice? { pool.lentDevice }

  func adopt(_ picture: LentPicture) throws(Failure) -> PictureAllocation {
    let number = turns.withLock { turns in
      turns.append(Turn())
      return turns.count - 1
    }
    kept.withLock { $0.append(Kept(state: picture.state)) }
    var watched = picture
    watched.state = Spy(picture.state, self, number)
    return try pool.adopt(watched)
  }

  private final class Spy: LentPictureState {
    private let state: any LentPictureState
    private let owner: SpyingAllocator
    private let number: Int

    init(_ state: any LentPictureState, _ owner: SpyingAllocator, _ number: Int) {
      (self.state, self.owner, self.number) = (state, owner, number)
    }

    func begin() -> [LentImageState] {
      let states = state.begin()
      owner.turns.withLock { $0[number].states.append(states) }
      return states
    }

    func end(isSubmitted: Bool) {
      owner.turns.withLock { $0[number].ended.append(isSubmitted) }
      state.end(isSubmitted: isSubmitted)
    }
  }
}
