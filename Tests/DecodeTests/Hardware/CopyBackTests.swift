import Decode
import Frames
import Media
import Support
import Testing

/// Frames that come out of a device's memory, held against the software decoder's: a Vulkan device of FFmpeg's stands in
/// for a hardware decoder's.
@Suite(.tier(.test), .serialized, .enabled(if: PlantedHardware.isAvailable, "FFmpeg finds no Vulkan device"))
struct CopyBackTests {
  static func options(_ plan: PlantedHardware, isAutomatic: Bool = false) -> DecoderOptions {
    var options = DecoderOptions(threads: 1)
    options.plant(plan)
    options.isAutomatic = isAutomatic
    return options
  }

  private static func clip(_ name: String) throws -> String {
    switch name {
    case "10bit": try SharedClips.synthetic("back-10.mkv") { ($0.codec, $0.bitDepth) = ("hevc", 10) }
    // Cropping at the left and the top is the copier's task. FFmpeg's own rounds it down to what SIMD code likes.
    case "cropped":
      try SharedClips.ffmpeg(
        "back-cropped.mp4",
        [
          "-f", "lavfi", "-i", "testsrc2=s=450x184:r=25:d=0.4", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-bsf:v",
          "h264_metadata=crop_left=64:crop_right=4:crop_top=2:crop_bottom=6",
        ])
    default: try SharedClips.synthetic("back-\(name).mkv") { $0.codec = name }
    }
  }

  @Test(arguments: ["h264", "mpeg2", "10bit", "cropped"], [false, true])
  func copiedFramesAreThoseThatSoftwareGives(name: String, lends: Bool) throws {
    let path = try Self.clip(name)
    let expected = try FrameReader(path: path, options: DecoderOptions(threads: 1)).allFrames()
    let allocator = HostAllocator()
    do {
      let reader = try FrameReader(
        path: path, options: Self.options(PlantedHardware()), allocator: lends ? allocator : nil)
      #expect(reader.decoder.choice == .vulkan && reader.decoder.threads == 1 && !reader.decoder.sharesMemory)
      let frames = try reader.allFrames()
      #expect(frames.count == expected.count && !frames.isEmpty)
      for (frame, other) in zip(frames, expected) {
        #expect(frame.size == other.size && frame.format == other.format && frame.color == other.color)
        #expect(frame.presentationTime == other.presentationTime && frame.duration == other.duration)
        #expect(frame.isKeyFrame == other.isKeyFrame && frame.timing.packetSent != nil, "the tag found its packet")
        #expect(crc32(frame.packedBytes) == crc32(other.packedBytes))
        // Cropping at the left moves the planes: then the memory is not the one that was lent, as of software's frames.
        if lends, name != "cropped" { #expect(frame.picture.allocation != nil) }
      }
    }
    let books = allocator.books
    #expect(books.lent == books.released && books.releasedTwice == 0 && (books.lent >= expected.count || !lends))
  }

  /// Frames that a seek passes are not copied, and the one it lands on is right.
  @Test func seeksLandOnTheSameFrames() throws {
    let path = try SharedClips.many("mp4")
    let software = try FrameReader(path: path, options: DecoderOptions(threads: 1, cacheBytes: 0))
    var options = Self.options(PlantedHardware())
    options.cacheBytes = 0
    let planted = try FrameReader(path: path, options: options)
    for seconds in [1.3, 0.2, 2.0, 0.0, 1.31] {
      let request = SeekRequest(target: MediaTime(seconds: seconds))
      let (a, b) = (try software.seek(request), try planted.seek(request))
      #expect(a?.presentationTime == b?.presentationTime && a != nil)
      #expect(a.map { crc32($0.packedBytes) } == b.map { crc32($0.packedBytes) }, "at \(seconds) s")
    }
  }

  private static let plans = [
    PlantedHardware(failsAfterFrames: 0), PlantedHardware(failsAfterFrames: 1), PlantedHardware(failsAfterFrames: 7),
    PlantedHardware(failsAfterFrames: 8), PlantedHardware(failsAfterFrames: 23),
    PlantedHardware(failsAfterFrames: 63), PlantedHardware(refusesAfterPackets: 0),
    PlantedHardware(refusesAfterPackets: 3), PlantedHardware(refusesAfterPackets: 12),
    PlantedHardware(refusesAfterPackets: 23),
  ]

  @Test(arguments: zip(plans, plans.indices.map { $0 % 2 == 0 ? "mp4" : "mkv" }))
  func softwareTakesOverUnlessHardwareIsRequired(plan: PlantedHardware, container: String) throws {
    try Self.expectTakeOver(plan, container)
  }

  @Test(.tier(.full), arguments: plans, ["mp4", "mkv"])
  func softwareTakesOverInAnyContainer(plan: PlantedHardware, container: String) throws {
    try Self.expectTakeOver(plan, container)
  }

  /// Hardware may give up at any moment: every frame comes, once, and in order.
  private static func expectTakeOver(_ plan: PlantedHardware, _ container: String) throws {
    let path = try SharedClips.many(container)
    let expected = try FrameReader(path: path, options: DecoderOptions(threads: 1)).allFrames()
    let reader = try FrameReader(path: path, options: Self.options(plan, isAutomatic: true))
    #expect(reader.decoder.choice == .vulkan)
    let frames = try reader.allFrames()
    #expect(frames.map(\.presentationTime) == expected.map(\.presentationTime))
    #expect(frames.map { crc32($0.packedBytes) } == expected.map { crc32($0.packedBytes) })
    #expect(frames.map(\.index) == Array(0..<expected.count))
    #expect(reader.decoder.choice == .software && reader.damagedPackets == 0)
    #expect(reader.decoderReason?.hasPrefix("vulkan gave up ") == true, "\(reader.decoderReason ?? "no reason")")
    #expect(reader.decoderReason?.contains("planted") == true)
    if plan.failsAfterFrames == 0 { #expect(reader.decoderReason?.contains("before the first frame") == true) }
    #expect(reader.framesDecoded < expected.count + 50, "it begins no earlier than it has to")
    try reader.rewind()
    #expect(try reader.allFrames().count == expected.count, "software goes on")
  }

  /// NV12 as it comes from hardware: no software decoder but the one of raw video gives it.
  private static func raw(_ format: String) throws -> String {
    try SharedClips.ffmpeg(
      "back-\(format).nut",
      [
        "-f", "lavfi", "-i", "testsrc2=s=162x98:r=25:d=0.4", "-pix_fmt", format, "-c:v", "rawvideo", "-colorspace",
        "bt709",
      ])
  }

  /// FFmpeg 5.1 makes no P010 pictures on a Vulkan device: it ends the process.
  @Test func sharedFramesAreThoseThatSoftwareGives() throws {
    let format = "nv12"
    let path = try Self.raw(format)
    let expected = try FrameReader(path: path, options: DecoderOptions(threads: 1)).allFrames()
    let allocator = FileAllocator()
    do {
      let reader = try FrameReader(
        path: path, options: Self.options(PlantedHardware(sharesFrames: .max)), allocator: allocator)
      #expect(reader.decoder.sharesMemory)
      let frames = try reader.allFrames()
      #expect(frames.count == expected.count && frames.count == 10)
      for (frame, other) in zip(frames, expected) {
        #expect(!frame.isInHostMemory && frame.format == other.format && frame.format.name == format)
        #expect(frame.size == other.size && frame.color == other.color && frame.isKeyFrame == other.isKeyFrame)
        #expect(frame.presentationTime == other.presentationTime && frame.duration == other.duration)
        #expect(frame.timing.packetSent != nil)
        let picture = try #require(frame.picture.allocation as? FileAllocator.FilePicture)
        #expect(crc32(picture.bytes) == crc32(other.packedBytes))
      }
      let held = withExtendedLifetime(frames) { allocator.books }
      #expect(held.lent == 10 && held.released == 0 && held.written == Array(repeating: 2, count: 10))
    }
    #expect(allocator.books.released == 10, "each goes back once, with its frame")
    // Read and let go of at once: nothing is held.
    let reader = try FrameReader(
      path: path, options: Self.options(PlantedHardware(sharesFrames: .max)), allocator: allocator)
    reader.allowsDeepSamples = false
    while let frame = try reader.next() {
      #expect(!frame.isInHostMemory, "its samples are not deep")
      #expect(allocator.books.lent - allocator.books.released <= 2)
    }
  }

  @Test func whatCannotBeSharedAnyMoreIsCopiedBack() throws {
    let path = try Self.raw("nv12")
    let expected = try FrameReader(path: path, options: DecoderOptions(threads: 1)).allFrames()
    let allocator = FileAllocator()
    let reader = try FrameReader(
      path: path, options: Self.options(PlantedHardware(sharesFrames: 4)), allocator: allocator)
    let frames = try reader.allFrames()
    #expect(frames.map(\.isInHostMemory) == (0..<10).map { $0 >= 4 } && expected.count == 10)
    #expect(frames[4...].map { crc32($0.packedBytes) } == expected[4...].map { crc32($0.packedBytes) })
    #expect(reader.sharingRefusal?.contains("planted") == true && !reader.decoder.sharesMemory)
    #expect(reader.decoder.choice == .vulkan, "it goes on decoding")
  }

  @Test func softwareTakesOverInASeek() throws {
    let path = try SharedClips.many("mp4")
    for plan in [PlantedHardware(failsAfterFrames: 1), PlantedHardware(refusesAfterPackets: 9)] {
      let software = try FrameReader(path: path, options: DecoderOptions(threads: 1))
      let reader = try FrameReader(path: path, options: Self.options(plan, isAutomatic: true))
      for seconds in [0.7, 1.9, 0.1, 1.0] {
        let request = SeekRequest(target: MediaTime(seconds: seconds))
        let (a, b) = (try software.seek(request), try reader.seek(request))
        #expect(a?.presentationTime == b?.presentationTime && a != nil, "at \(seconds) s")
        #expect(a.map { crc32($0.packedBytes) } == b.map { crc32($0.packedBytes) }, "at \(seconds) s")
      }
      #expect(reader.decoder.choice == .software)
    }
  }

  @Test(arguments: [PlantedHardware(failsAfterFrames: 2), PlantedHardware(refusesAfterPackets: 2)])
  func aDecoderThatWasNamedIsInsistedOn(plan: PlantedHardware) throws {
    let reader = try FrameReader(path: try SharedClips.many("mp4"), options: Self.options(plan))
    let error = failure { _ = try reader.allFrames() }
    #expect(error?.attempt.hasSuffix("with vulkan") == true && error?.cause.contains("planted") == true)
    #expect(error?.remedy == "use --decoder software")
    #expect(reader.decoder.choice == .vulkan)
  }
}
