import Decode
import Encode
import Frames
import Media
import Support
import Testing

/// Streams whose codec, size and colour change between two packets: each part as FFmpeg's tools see it alone.
@Suite(.tier(.test)) struct FormatChangeTests {
  /// A part: 40 frames, numbered from 0.
  private struct Part {
    var codec: String
    var size: PictureSize

    var clip: ClipSpecification {
      SharedClips.small {
        ($0.codec, $0.size, $0.frames, $0.gop) = (codec, size, Self.frames, 10)
        $0.projection = .flat
      }
    }

    static let frames = 40
  }

  private static let first = Part(codec: "h264", size: PictureSize(width: 640, height: 320))

  private static let others = [
    Part(codec: "hevc", size: PictureSize(width: 480, height: 270)),
    Part(codec: "mpeg2", size: PictureSize(width: 640, height: 320)),
    Part(codec: "h264", size: PictureSize(width: 320, height: 180)),
  ]

  private static func joined(_ parts: [Part]) throws -> (path: String, alone: [String]) {
    try SharedClips.joined("change-\(parts.map { "\($0.codec)-\($0.size)" }.joined(separator: "-"))", parts.map(\.clip))
  }

  /// A frame as its picture tells: the part that it is of, and its number there.
  private struct Shown: Hashable {
    var part: Int
    var number: Int?
  }

  private static func shown(_ frame: VideoFrame, _ parts: [Part]) -> Shown {
    let part = frame.stream?.size == parts[0].size && frame.stream?.codec == "h264" ? 0 : 1
    return Shown(part: part, number: frame.number(parts[part].clip))
  }

  /// libavformat keeps the last two packets of an identifier back until the file's end: two frames near the first part's are left
  /// out.
  @Test(arguments: others.indices)
  func framesOfBothPartsComeInOrder(number: Int) throws {
    let parts = [Self.first, Self.others[number]]
    let (path, alone) = try Self.joined(parts)
    let expected = try alone.map { try Judge.hashes($0) }
    #expect(expected.map(\.count) == [Part.frames, Part.frames])
    let last = Part.frames - 4..<Part.frames
    let possible = last.flatMap { a in
      last.filter { $0 != a }.map { b in
        expected[0].indices.filter { $0 != a && $0 != b }.map { expected[0][$0] } + expected[1]
      }
    }
    for (threads, allocator) in [(1, nil), (2, HostAllocator())] as [(Int, HostAllocator?)] {
      let reader = try FrameReader(path: path, options: DecoderOptions(threads: threads), allocator: allocator)
      let frames = try reader.allFrames()
      #expect(possible.contains(frames.map { crc32($0.packedBytes) }), "\(frames.count) frames")
      let numbers = frames.map { Self.shown($0, parts) }
      #expect(numbers.prefix(36) == (0..<36).map { Shown(part: 0, number: $0) }[...])
      #expect(numbers.suffix(Part.frames) == (0..<Part.frames).map { Shown(part: 1, number: $0) }[...])
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.presentationTime < $1.presentationTime })
      #expect(reader.damagedPackets == 0)

      // The consumer is told once, with the frame that begins the other format.
      let changes = frames.indices.dropFirst().filter { frames[$0].stream !== frames[$0 - 1].stream }
      #expect(changes == [Part.frames - 2])
      let names = parts.map { $0.codec == "mpeg2" ? "mpeg2video" : $0.codec }
      #expect(reader.formats.map(\.codec) == names && reader.formats.map(\.size) == parts.map(\.size))
      #expect(frames.allSatisfy { $0.size == $0.stream?.size && $0.format == $0.stream?.format })
    }
  }

  /// Over the change and back, to frames that the codes tell.
  @Test(arguments: others.indices)
  func seeksGoOverTheChangeAndBack(number: Int) throws {
    let parts = [Self.first, Self.others[number]]
    let (path, _) = try Self.joined(parts)
    let all = try FrameReader(path: path).allFrames().map { (time: $0.presentationTime, shown: Self.shown($0, parts)) }
    try #require(all.count == 2 * Part.frames - 2)
    let reader = try FrameReader(path: path)
    var random = SeededGenerator(for: "seeksGoOverTheChangeAndBack \(number)")
    let places = [70, 10, 39, 37, 38, 5, 77, 0, 45] + (0..<12).map { _ in Int.random(in: 0..<78, using: &random) }
    for place in places {
      let frame = try #require(try reader.seek(SeekRequest(target: all[place].time)), "\(place)")
      #expect(
        frame.presentationTime == all[place].time && Self.shown(frame, parts) == all[place].shown,
        "\(place): \(frame.presentationTime) \(frame.size)")
      let next = try reader.next()
      #expect(next?.presentationTime == (place + 1 < all.count ? all[place + 1].time : nil), "after \(place)")
    }
    try reader.rewind()
    #expect(try reader.allFrames().map(\.presentationTime) == all.map(\.time))
    #expect(reader.formats.count == 2)
  }

  /// The same over a step back and a leap.
  @Test func stepsGoOverTheChange() throws {
    let parts = [Self.first, Self.others[0]]
    let (path, _) = try Self.joined(parts)
    let times = try FrameReader(path: path).allFrames().map(\.presentationTime)
    try #require(times.count == 2 * Part.frames - 2)
    let reader = try FrameReader(path: path)
    _ = try reader.seek(SeekRequest(target: times[40]))
    for place in [39, 38, 37, 36] {
      let frame = try #require(try reader.previous())
      #expect(frame.presentationTime == times[place] && frame.size == parts[place / 38].size, "\(place)")
    }
    try reader.leap(toSyncSampleAfter: times[43])
    #expect(try reader.next()?.presentationTime == times[48])
  }

  /// A second view of the same program, that comes beside the first one, is left out.
  @Test func aStreamBesideIsLeftOut() throws {
    let parts = [Self.first, Self.others[0]]
    let clips = try parts.enumerated().map { number, part in
      try SharedClips.file("beside-\(number).mp4") { try generateClip(part.clip, to: $0) }
    }
    let path = try SharedClips.ffmpeg(
      "beside.ts", ["-i", clips[0], "-i", clips[1], "-map", "0:v", "-map", "1:v", "-c", "copy"])
    let reader = try FrameReader(path: path)
    let size = reader.info.video.size
    let frames = try reader.allFrames()
    #expect(frames.count == Part.frames && frames.allSatisfy { $0.size == size } && reader.formats.count == 1)
  }
}
