import Decode
import Foundation
import Frames
import Media
import Support
import Testing

/// Boxes that lie about their sizes: `probe` answers, and the rest of the file stays what it was.
@Suite(.tier(.test)) struct HostileBoxTests {
  private static let entry = BoxEditor.sampleEntry()
  private static let track = ["moov", "trak"]
  private static let xml = Made.xml(["FullPanoWidthPixels": "320", "FullPanoHeightPixels": "90"])

  /// A clip with V1 and V2, so that all that is read is there.
  private static func whole() throws -> BoxEditor {
    let path = try Made.clip("hostile-base.mp4") {
      $0.insert(Made.st3d(1), into: entry)
      $0.insert(Made.sv3d(Made.equi(left: 0.25, right: 0.25), pose: Pose(yaw: 5)), into: entry)
      $0.insert(Made.uuid(xml), into: track)
    }
    return BoxEditor(try [UInt8](Data(contentsOf: URL(filePath: path))))
  }

  private static func box(_ size: UInt32, _ type: String, _ payload: [UInt8]) -> [UInt8] {
    BoxEditor.number(size) + Array(type.utf8) + payload
  }

  /// What stands before a sound `uuid`, and whether that one can still be found behind it.
  private static let before: [(name: String, box: [UInt8], isFound: Bool)] = [
    ("size-8", box(8, "free", []), true),
    ("size-64-bit", box(1, "free", [0, 0, 0, 0] + BoxEditor.number(20) + [1, 2, 3, 4]), true),
    ("size-7", box(7, "free", []), false),
    ("size-huge", box(0xffff_fff0, "free", []), false),
    ("size-64-bit-huge", box(1, "free", [UInt8](repeating: 0xff, count: 8)), false),
    ("size-64-bit-small", box(1, "free", [0, 0, 0, 0] + BoxEditor.number(15)), false),
    ("many", (0..<15_000).flatMap { _ in box(8, "free", []) }, true),
    ("too-many", (0..<25_000).flatMap { _ in box(8, "free", []) }, false),
  ]

  @Test(arguments: before.map(\.name))
  func sizesThatLieHideNoMoreThanWhatFollows(name: String) throws {
    let row = try #require(Self.before.first { $0.name == name })
    let path = try Made.clip("before-\(name).mp4") { $0.insert(row.box + Made.uuid(Self.xml), into: Self.track) }
    // FFmpeg itself may refuse such a file: that is an answer, too.
    guard let video = try? probe(path).video else {
      #expect(!row.isFound)
      return
    }
    #expect((video.spherical != nil) == row.isFound)
  }

  /// A `uuid` that goes on to the end of its track, its XML's end missing.
  @Test func aSizeOfZeroReachesToTheEnd() throws {
    let payload = Made.globalMetadataID + Array(Self.xml.utf8)
    let path = try Made.clip("size-0.mp4") { $0.insert(Self.box(0, "uuid", payload), into: Self.track) }
    if let video = try? probe(path).video {
      #expect(video.spherical?.projection ?? "equirectangular" == "equirectangular")
    }
  }

  @Test func nestingHasNoDepthToFallInto() throws {
    var nested: [UInt8] = Made.equi()
    for level in 0..<4000 { nested = BoxEditor.box(level % 2 == 0 ? "proj" : "sv3d", nested) }
    let path = try Made.clip("nested.mp4") { $0.insert(BoxEditor.box("sv3d", nested), into: Self.entry) }
    if let sphere = try? probe(path).video.spherical { #expect(sphere.projection == "unknown") }
  }

  @Test(arguments: [0, 1, 7, 8, 15, 16, 17, 40])
  func shortPayloadsAreNotReadBeyondTheirEnd(length: Int) throws {
    let short = [UInt8](repeating: 0xff, count: length)
    for type in ["st3d", "sv3d", "lhvC", "proj"] {
      let path = try Made.clip("short-\(type)-\(length).mp4") {
        $0.insert(BoxEditor.box(type, short), into: Self.entry)
      }
      _ = try? probe(path)
    }
    for type in ["prhd", "equi", "cbmp", "mshp"] {
      let path = try Made.clip("short-\(type)-\(length).mp4") {
        $0.insert(Made.sv3d(BoxEditor.box(type, short)), into: Self.entry)
      }
      _ = try? probe(path)
    }
    let path = try Made.clip("short-uuid-\(length).mp4") {
      $0.insert(BoxEditor.box("uuid", Made.globalMetadataID.prefix(length) + short), into: Self.track)
    }
    // FFmpeg refuses a 'uuid' that is too short for its name.
    if length >= 16 { #expect(try probe(path).video.spherical == nil) } else { _ = try? probe(path) }
  }

  @Test func binaryInPlaceOfXMLIsNoMetadata() throws {
    var generator = SeededGenerator(for: "binaryInPlaceOfXMLIsNoMetadata")
    for round in 0..<8 {
      let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let path = try Made.clip("binary-\(round).mp4") {
        $0.insert(BoxEditor.box("uuid", Made.globalMetadataID + noise), into: Self.track)
      }
      #expect(try probe(path).video.spherical == nil, "seed \(generator.seed)")
    }
  }

  @Test func everyTruncationIsAnswered() throws {
    let whole = try Self.whole()
    let movie = try #require(whole.find(["moov"])?.last)
    try TestFolders.withTemporary { folder in
      let path = folder + "/cut.mp4"
      for length in stride(from: movie.lowerBound, to: whole.bytes.count, by: 37) {
        try Data(whole.bytes.prefix(length)).write(to: URL(filePath: path))
        _ = try? probe(path)
      }
    }
  }

  /// Random changes to the index: any answer will do, so long as there is one soon.
  @Test func mutationsNeverCrashNorHang() throws {
    var generator = SeededGenerator(for: "mutationsNeverCrashNorHang")
    let whole = try Self.whole()
    let movie = try #require(whole.find(["moov"])?.last)
    let started = MonotonicTime.now
    var answers = 0
    try TestFolders.withTemporary { folder in
      let path = folder + "/mutated.mp4"
      for _ in 0..<400 {
        var bytes = whole.bytes
        for _ in 0..<Int.random(in: 1...6, using: &generator) { Self.mutate(&bytes, movie.lowerBound, &generator) }
        try Data(bytes).write(to: URL(filePath: path))
        if let info = try? probe(path) {
          answers += 1
          if let bounds = info.video.spherical?.bounds {
            let isInside = bounds.left >= 0 && bounds.top >= 0 && bounds.width > 0 && bounds.height > 0
            #expect(
              isInside && bounds.left + bounds.width <= 1 && bounds.top + bounds.height <= 1, "seed \(generator.seed)")
          }
        }
        if MonotonicTime.now.seconds(since: started) > 20 { break }
      }
    }
    #expect(answers > 0, "seed \(generator.seed): not one mutation left a file that could be opened")
  }

  private static func mutate(_ bytes: inout [UInt8], _ start: Int, _ generator: inout SeededGenerator) {
    let position = Int.random(in: start..<bytes.count - 4, using: &generator)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
    case 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 2:
      let sizes: [UInt32] = [0, 1, 7, 8, 9, 16, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]
      let size = BoxEditor.number(sizes.randomElement(using: &generator) ?? 0)
      bytes.replaceSubrange(position..<position + 4, with: size)
    case 3: bytes.removeSubrange(position..<position + Int.random(in: 1...4, using: &generator))
    default: bytes.insert(contentsOf: bytes[position..<position + 4], at: position)
    }
  }
}
