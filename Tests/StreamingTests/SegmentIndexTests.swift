import Frames
import Support
import Testing

import Streaming

/// Indexes of files (`sidx`) become the file's segments.
@Suite struct SegmentIndexTests {
  static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(count - 1 - $0))) }
  }

  static func box(
    version: UInt64 = 0, timescale: UInt64 = 1_000, earliest: UInt64 = 0, firstOffset: UInt64 = 0,
    references: [(size: UInt64, duration: UInt64)]
  ) -> [UInt8] {
    let width = version == 0 ? 4 : 8
    let head = bytes(version << 24, 4) + bytes(1, 4) + bytes(timescale, 4)
    let place = bytes(earliest, width) + bytes(firstOffset, width) + bytes(UInt64(references.count), 4)
    let content =
      head + place + references.flatMap { bytes($0.size, 4) + bytes($0.duration, 4) + bytes(0x9000_0000, 4) }
    return bytes(UInt64(content.count + 8), 4) + Array("sidx".utf8) + content
  }

  private static func file(_ attributes: String = "") throws -> IndexedFile {
    let text = Manifests.video(
      "<SegmentBase indexRange=\"800-899\" \(attributes)><Initialization range=\"0-799\"/></SegmentBase>",
      representation: "<BaseURL>v.mp4</BaseURL>")
    guard case .index(let file)? = try Manifests.parse(text).periods[0].adaptationSets[0].renditions.first?.source
    else {
      throw Failure(.failed, "no index", cause: "")
    }
    return file
  }

  @Test func referencesBecomeSegments() throws {
    let index = Self.box(
      version: 1, earliest: 500, firstOffset: 10, references: [(100, 4_000), (200, 3_000), (50, 3_500)])
    let timeline = try Self.file("timescale=\"10\" presentationTimeOffset=\"5\"").timeline(
      index: Self.bytes(8, 4) + Array("free".utf8) + index)
    let segments = Playlists.segments(timeline)
    let first = Int64(800 + 8 + index.count + 10)
    #expect(segments.map(\.start) == [0, 4_000, 7_000] && segments.map(\.duration) == [4_000, 3_000, 3_500])
    #expect(
      segments.map(\.range)
        == [(first, 100), (first + 100, 200), (first + 300, 50)].map { ByteRange(offset: $0.0, length: $0.1) })
    #expect(timeline.mediaOffset == 500 && timeline.timescale == 1_000)
    #expect(segments[0].initialization?.range == ByteRange(offset: 0, length: 800))
    // What begins behind the period is not played.
    let late = try Self.file().timeline(index: Self.box(references: [(1, 9_999), (1, 1), (1, 1)]))
    #expect(late.count == 2)
    // So is a segment that ends before the period begins.
    let early = try Self.file("timescale=\"1000\" presentationTimeOffset=\"3000\"").timeline(
      index: Self.box(references: [(10, 3_000), (20, 500), (30, 500)]))
    #expect(
      Playlists.segments(early).map(\.start) == [0, 500] && early[0]?.number == 2 && early[0]?.range?.length == 20)
  }

  @Test func brokenIndexesAreRefused() throws {
    let file = try Self.file()
    func refusal(_ bytes: [UInt8]) -> String {
      do {
        _ = try file.timeline(index: bytes)
        return ""
      } catch {
        return "\(error)"
      }
    }
    let good = Self.box(references: [(100, 1), (100, 1)])
    #expect(refusal(good) == "")
    #expect(refusal([]).contains("no 'sidx'") && refusal(Self.bytes(8, 4) + Array("free".utf8)).contains("no 'sidx'"))
    #expect(refusal([0x1C, 0x53, 0xBB, 0x6B, 0x80]).contains("WebM"))
    #expect(refusal(Self.box(references: [(0x8000_0064, 1)])).contains("index of indexes"))
    #expect(refusal(Self.box(timescale: 0, references: [])).contains("timescale"))
    #expect(refusal(Self.box(version: 2, references: [])).contains("version"))
    #expect(refusal(Self.box(references: [(0, 1)])).contains("segment 1 is empty"))
    #expect(refusal(Self.box(version: 1, firstOffset: .max, references: [(1, 1)])).contains("too great"))
    #expect(refusal(Self.box(version: 1, earliest: 1 << 62, firstOffset: 1 << 62, references: [(1, 1)])) != "")
    for count in 0..<good.count { #expect(refusal(Array(good.prefix(count))) != "", "\(count) bytes") }
  }

  /// Ranges lie end to end, and so do times, also in a damaged index.
  @Test func randomIndexesAreMonotone() throws {
    var random = SeededGenerator(for: "randomIndexesAreMonotone")
    let file = try Self.file()
    for _ in 0..<300 {
      var index = Self.box(
        version: UInt64.random(in: 0...1, using: &random), timescale: UInt64.random(in: 1...90_000, using: &random),
        references: (0..<Int.random(in: 1...50, using: &random)).map { _ in
          (UInt64.random(in: 1...90_000, using: &random), UInt64.random(in: 0...9_000, using: &random))
        })
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        index[Int.random(in: index.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let timeline = try? file.timeline(index: index) else { continue }
      let segments = Playlists.segments(timeline)
      for (a, b) in zip(segments, segments.dropFirst()) {
        #expect(a.range?.end == b.range?.offset && a.start + a.duration == b.start, "seed \(random.seed)")
      }
    }
  }
}
