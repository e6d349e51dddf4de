import Decode
import Frames
import Support
import Testing

/// Decoded frames are FFmpeg's own, byte for byte, with any number of threads and any owner of the memory.
@Suite(.tier(.test)) struct FrameHashTests {
  static let realClips = [
    "androidx+media/libraries/test_data/src/test/assets/media/mp4/bt601.mp4",
    "androidx+media/libraries/test_data/src/test/assets/media/mp4/fragmented_captions_h265.mp4",
    "androidx+media/libraries/test_data/src/test/assets/media/mp4/sample_shorter_audio.mp4",
    "androidx+media/libraries/test_data/src/test/assets/media/vp9/bear-vp9-odd-dimensions.webm",
    "debian+firefox-esr-140.12.0esr/dom/canvas/test/webgl-conf/checkout/resources/video-rotation-90.vp9.mp4",
    "debian+firefox-esr-140.12.0esr/dom/media/test/aspect_ratio_5_2_hevc.mp4",
    "debian+firefox-esr-140.12.0esr/dom/media/test/black100x100-aspect3to2.ogv",
    "dmlc+decord/tests/test_data/video_90.mov",
    "joeyparrish+shaka-packager/packager/media/test/data/bear-320x240-16x9-aspect.webm",
    "mozilla+mp4parse-rust/mp4parse/tests/bbb_sunflower_QCIF_30fps_mp4v_noaudio_1f.mp4",
    "pytorch+torchcodec/test/resources/h265_video.mp4",
    "videojs+http-streaming/utils/bipbop1.ts",
    "videojs+http-streaming/utils/bipbop0.flv",
    "videojs+http-streaming/test/segments/oneSecond.ts",
  ]

  @Test(.enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"), arguments: realClips)
  func realClipsAreDecodedAsFFmpegDoes(name: String) throws {
    guard let path = TestFolders.clip(name) else { return }
    try compare(path, by: [(2, HostAllocator())])
  }

  @Test(
    .tier(.full), .enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"),
    arguments: realClips)
  func realClipsAreDecodedAsFFmpegDoesByAnyReader(name: String) throws {
    guard let path = TestFolders.clip(name) else { return }
    try compare(path)
  }

  @Test(arguments: ["h264.mp4", "hevc.mkv", "vp9.webm", "av1.mp4", "mpeg2.ts", "h264.ts"])
  func syntheticClipsAreDecodedAsFFmpegDoes(name: String) throws {
    let parts = name.split(separator: ".").map(String.init)
    try compare(SharedClips.synthetic("hash-\(name)") { ($0.codec, $0.frames) = (parts[0], 12) })
  }

  private func compare(
    _ path: String,
    by readers: [(threads: Int, allocator: HostAllocator?)] = [(1, nil), (2, nil), (2, HostAllocator())]
  ) throws {
    let expected = try Judge.hashes(path)
    #expect(!expected.isEmpty)
    for (threads, allocator) in readers {
      let reader = try FrameReader(path: path, options: DecoderOptions(threads: threads), allocator: allocator)
      var hashes: [UInt32] = []
      while let frame = try reader.next() { hashes.append(crc32(frame.packedBytes)) }
      #expect(hashes == expected, "\(threads) threads, \(allocator == nil ? "its own" : "our") memory")
      #expect(reader.damagedPackets == 0)
    }
  }

  @Test(.enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
  func picturesThatChangeSizeAreAsLargeAsFFmpegSays() throws {
    let name = "debian+firefox-esr-140.12.0esr/testing/web-platform/tests/media/400x300-red-resize-200x150-green"
    for path in ["\(name).mp4", "\(name).webm"].compactMap(TestFolders.clip) {
      let allocator = HostAllocator()
      do {
        let frames = try FrameReader(path: path, allocator: allocator).allFrames()
        let expected = try Judge.frames(path).map { PictureSize(width: $0.width ?? 0, height: $0.height ?? 0) }
        #expect(frames.map(\.size) == expected && Set(expected).count == 2, "\(path)")
        for frame in frames {
          #expect(frame.picture.planes.map(\.rows) == frame.format.planes.map { $0.size(of: frame.size).height })
        }
      }
      #expect(allocator.books.lent == allocator.books.released)
    }
  }
}
