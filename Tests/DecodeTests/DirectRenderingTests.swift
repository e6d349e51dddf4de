import Decode
import Frames
import Media
import Support
import Testing

@Suite(.tier(.test)) struct DirectRenderingTests {
  private static let clips = ["h264", "hevc", "mpeg4", "mpeg2", "vp8", "mjpeg"]

  @Test(arguments: clips, [1, 2])
  func decodersWriteIntoOurMemory(codec: String, threads: Int) throws {
    let path = try SharedClips.synthetic("direct-\(codec).mkv") { $0.codec = codec }
    let plain = try FrameReader(path: path, options: DecoderOptions(threads: threads)).allFrames()
    let allocator = HostAllocator()
    do {
      let reader = try FrameReader(path: path, options: DecoderOptions(threads: threads), allocator: allocator)
      #expect(reader.decoder.canRenderDirectly)
      let direct = try reader.allFrames()
      #expect(direct.allSatisfy { $0.picture.allocation != nil }, "every frame lies where it was asked to")
      #expect(direct.map { crc32($0.packedBytes) } == plain.map { crc32($0.packedBytes) })
      for frame in direct {
        for plane in frame.picture.planes {
          let alignment = frame.picture.allocation?.request.alignment ?? 1
          #expect(plane.bytesPerRow % alignment == 0 && UInt(bitPattern: plane.base) % UInt(alignment) == 0)
        }
      }
      let held = allocator.books
      #expect(held.lent - held.released >= direct.count, "frames hold their memory")
    }
    let books = allocator.books
    #expect(books.lent == books.released && books.releasedTwice == 0 && books.lent >= 24)
    for request in books.requests {
      #expect(request.size == PictureSize(width: 640, height: 320) && request.format == .yuv420p)
      #expect(request.codedSize.width >= request.size.width && request.codedSize.height >= request.size.height)
    }
  }

  @Test func refusalFallsBackToTheDecodersOwnMemory() throws {
    let path = try SharedClips.synthetic("direct-h264.mkv")
    let expected = try FrameReader(path: path).allFrames().map { crc32($0.packedBytes) }
    for (name, refuses) in [
      ("all", { @Sendable _ in true }), ("every third", { @Sendable number in number % 3 == 1 }),
    ] as [(String, @Sendable (Int) -> Bool)] {
      let allocator = HostAllocator(refuses: refuses)
      do {
        let frames = try FrameReader(path: path, allocator: allocator).allFrames()
        #expect(frames.map { crc32($0.packedBytes) } == expected, "\(name) refused")
        #expect(frames.contains { $0.picture.allocation == nil })
        #expect(frames.contains { $0.picture.allocation != nil } == (name != "all"))
      }
      #expect(allocator.books.lent == allocator.books.released)
    }
  }

  @Test func framesOutliveTheReaderAndItsAllocatorIsKept() throws {
    let path = try SharedClips.synthetic("direct-h264.mkv")
    var frame: VideoFrame?
    let allocator = HostAllocator()
    do {
      let reader = try FrameReader(path: path, allocator: allocator)
      frame = try reader.next()
    }
    #expect(allocator.books.lent - allocator.books.released == 1, "only the frame still held is out")
    #expect(frame?.number() == 0)
    frame = nil
    #expect(allocator.books.lent == allocator.books.released)
  }

  @Test func decodersThatCannotAreLeftAlone() throws {
    let path = try SharedClips.synthetic("direct-av1.mkv") { ($0.codec, $0.frames) = ("av1", 6) }
    let allocator = HostAllocator()
    let reader = try FrameReader(path: path, allocator: allocator)
    let frames = try reader.allFrames()
    #expect(frames.map { $0.number() } == (0..<6).map { $0 })
    if !reader.decoder.canRenderDirectly {
      #expect(allocator.books.requests.isEmpty && frames.allSatisfy { $0.picture.allocation == nil })
    }
  }

  @Test func seekingAndLoopingKeepsTheBooksBalanced() throws {
    let path = try SharedClips.many("mp4")
    let allocator = HostAllocator()
    var random = SeededGenerator(for: "seekingAndLoopingKeepsTheBooksBalanced")
    do {
      let reader = try FrameReader(path: path, options: DecoderOptions(threads: 2), allocator: allocator)
      for _ in 0..<60 {
        if Int.random(in: 0..<6, using: &random) == 0 { try reader.rewind() }
        _ = try reader.seek(SeekRequest(target: MediaTime(seconds: .random(in: 0..<2.2, using: &random))))
        _ = try reader.next()
      }
    }
    let books = allocator.books
    #expect(books.lent == books.released && books.releasedTwice == 0)
  }

  @Test(arguments: ["1920x1080", "162x90", "98x50"])
  func croppedPicturesAreAskedForWholly(text: String) throws {
    let size = try #require(PictureSize(text))
    let path = try SharedClips.ffmpeg(
      "cropped-\(text).mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(text):r=10:d=0.4", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset",
        "ultrafast",
      ])
    let allocator = HostAllocator()
    let frames = try FrameReader(path: path, allocator: allocator).allFrames()
    #expect(frames.map { crc32($0.packedBytes) } == (try Judge.hashes(path)))
    #expect(frames.allSatisfy { $0.picture.allocation != nil && $0.size == size })
    #expect(allocator.books.requests.allSatisfy { $0.size == size && $0.codedSize.height % 2 == 0 })
  }

  /// Released memory is reused, held memory is left alone: shown by the pictures themselves.
  @Test func picturesAreReusedOnceReleased() throws {
    let reader = try FrameReader(path: try SharedClips.many("mp4"))
    var generator = SeededGenerator(for: "picturesAreReusedOnceReleased")
    var held: [VideoFrame] = []
    var pictures: Set<ObjectIdentifier> = []
    while let frame = try reader.next() {
      pictures.insert(ObjectIdentifier(frame.picture))
      if Int.random(in: 0..<2, using: &generator) == 0 { held.append(frame) }
      if held.count > 3 { held.remove(at: Int.random(in: 0..<held.count, using: &generator)) }
      for frame in held { #expect(frame.number(SharedClips.manySpecification) == frame.index) }
    }
    #expect(pictures.count <= 6, "\(pictures.count) pictures for 64 frames, of which four are held at most")
  }
}
