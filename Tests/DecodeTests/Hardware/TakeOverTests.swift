import Decode
import Frames
import Media
import Support
import Testing

/// Software takes over from a hardware decoder: what is easily lost, doubled or counted twice.
extension CopyBackTests {
  @Test(arguments: [1, 4, 9])
  func framesOfShortGroupsThatAreHeldBackAreNotLost(failsAfterFrames: Int) throws {
    try Self.expectAllOfShortGroups(failsAfterFrames: failsAfterFrames)
  }

  @Test(.tier(.full), arguments: 1...9)
  func framesOfShortGroupsAreNotLostWhereverItFails(failsAfterFrames: Int) throws {
    try Self.expectAllOfShortGroups(failsAfterFrames: failsAfterFrames)
  }

  /// A sync sample each, and yet the decoder holds several of them back, for the stream says that it may reorder.
  private static func expectAllOfShortGroups(failsAfterFrames: Int) throws {
    let path = try SharedClips.ffmpeg(
      "back-held.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=0.48", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "3",
        "-force_key_frames", "expr:1",
      ])
    let expected = try FrameReader(path: path, options: DecoderOptions(threads: 1)).allFrames()
    let plan = PlantedHardware(failsAfterFrames: failsAfterFrames)
    let reader = try FrameReader(path: path, options: options(plan, isAutomatic: true))
    let frames = try reader.allFrames()
    #expect(reader.decoderDelayFrames ?? 0 > 1 && expected.count == 12 && expected.allSatisfy(\.isKeyFrame))
    #expect(frames.map(\.presentationTime) == expected.map(\.presentationTime))
    #expect(frames.map { crc32($0.packedBytes) } == expected.map { crc32($0.packedBytes) })
  }

  /// Software that takes over writes where software would have written from the start.
  @Test func softwareThatTakesOverRendersDirectly() throws {
    let path = try SharedClips.many("mp4")
    let allocator = HostAllocator()
    do {
      let reader = try FrameReader(
        path: path, options: Self.options(PlantedHardware(refusesAfterPackets: 20), isAutomatic: true),
        allocator: allocator)
      let frames = try reader.allFrames()
      #expect(reader.decoder.choice == .software && frames.count == 64)
      #expect(frames.allSatisfy { $0.picture.allocation != nil })
    }
    #expect(allocator.books.lent == allocator.books.released && allocator.books.releasedTwice == 0)
  }

  /// Frames decoded before a seek are not decoded once more.
  @Test func nothingFromBeforeASeekComesAgain() throws {
    let path = try SharedClips.many("mkv")
    let software = try FrameReader(path: path, options: DecoderOptions(threads: 1))
    let plan = PlantedHardware(failsAfterFrames: 45)
    let reader = try FrameReader(path: path, options: Self.options(plan, isAutomatic: true))
    for _ in 0..<40 { #expect(try reader.next() != nil) }
    let request = SeekRequest(target: MediaTime(seconds: 0.2))
    let landings = [try software.seek(request), try reader.seek(request)]
    #expect(landings[0]?.presentationTime == landings[1]?.presentationTime && landings[0] != nil)
    let (expected, frames) = (try software.allFrames(), try reader.allFrames())
    #expect(reader.decoder.choice == .software && expected.count > 40)
    #expect(frames.map(\.presentationTime) == expected.map(\.presentationTime))
    #expect(frames.map { crc32($0.packedBytes) } == expected.map { crc32($0.packedBytes) })
  }

  /// Frames that are left out are counted once, however often their packets are decoded.
  @Test(arguments: [1, 5, 9, 14])
  func framesThatAreLeftOutAreCountedOnce(failsAfterFrames: Int) throws {
    let path = try SharedClips.many("mp4")
    func frames(_ options: DecoderOptions) throws -> (times: [MediaTime], leftOut: Int, decoder: DecoderChoice) {
      let reader = try FrameReader(path: path, options: options)
      reader.skipsNonReferences = true
      return (try reader.allFrames().map(\.presentationTime), reader.framesLeftOut, reader.decoder.choice)
    }
    let software = try frames(DecoderOptions(threads: 1))
    let plan = PlantedHardware(failsAfterFrames: failsAfterFrames)
    let both = try frames(Self.options(plan, isAutomatic: true))
    #expect(both.decoder == .software && software.leftOut > 10 && software.times.count > 15)
    #expect(both.times == software.times && both.leftOut == software.leftOut)
  }

  /// More than is kept: then there is nowhere to begin, and that is said.
  @Test func aGroupThatIsTooLargeIsNotTakenOver() throws {
    // Twelve MiB each: the eleventh is one too many.
    let path = try SharedClips.ffmpeg(
      "back-large.nut",
      ["-f", "lavfi", "-i", "color=red:s=4096x2048:r=25:d=0.48", "-pix_fmt", "yuv420p", "-c:v", "rawvideo"])
    let plan = PlantedHardware(refusesAfterPackets: 11)
    let reader = try FrameReader(path: path, options: Self.options(plan, isAutomatic: true))
    var count = 0
    let error = failure { while try reader.next() != nil { count += 1 } }
    #expect(error?.cause == "a planted refusal" && error?.remedy == "use --decoder software" && count >= 10)
    #expect(reader.decoder.choice == .vulkan)
  }
}
