import Decode
import Foundation
import Frames
import Media
import Support
import Synchronization
import Testing

/// Wherever a clip's bytes come from, it is the same clip.
@Suite struct ByteSourceTests {
  private static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

  @Test(arguments: ["mp4", "mkv", "ts"])
  func aClipInMemoryIsTheClipOnDisk(container: String) throws {
    let path = try SharedClips.many(container)
    let source = MemorySource(try Self.bytes(path), name: path)
    let (stored, held) = (try FrameReader(path: path), try FrameReader(path: path, source: source))
    #expect(held.info.video.size == stored.info.video.size && !held.info.isRemote)
    let times = try stored.allFrames().map(\.presentationTime)
    #expect(times.count > 1)
    #expect(try held.allFrames().map(\.presentationTime) == times)
    try held.rewind()
    let middle = SeekRequest(target: times[times.count / 2])
    #expect(try held.seek(middle)?.presentationTime == stored.seek(middle)?.presentationTime)
  }

  /// The boxes are read from the source that the demuxer reads: no second opening.
  @Test func boxesAreReadFromTheSource() throws {
    let path = try Made.clip("v2-held.mp4") { $0.insert(Made.sv3d(Made.equi()), into: BoxEditor.sampleEntry()) }
    let held = try probe(MemorySource(try Self.bytes(path), name: "held.mp4"))
    // FFmpeg does not tell which of the two schemes it read.
    #expect(held.video.spherical?.source == .v2)
    #expect(try held.video.spherical == probe(path).video.spherical)
  }

  @Test func aPlaylistInMemoryOpensNothing() throws {
    let clip = try SharedClips.many("ts")
    let list = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile://\(clip)\n#EXT-X-ENDLIST\n"
    #expect(throws: Failure.self) { try probe(MemorySource(Array(list.utf8), name: clip + ".m3u8")) }
  }

  /// A source that stops in mid-file, as a disk that fails does.
  private final class FailingSource: ByteSource, RandomAccessBytes {
    let held: MemorySource
    let behind: Int64
    let onFailure: @Sendable () -> Void
    private let failed = Atomic<Bool>(false)
    var path: String { held.path }
    var url: String { held.url }
    var allowedProtocols: String { held.allowedProtocols }
    var isRemote: Bool { false }
    var bytes: (any RandomAccessBytes)? { self }
    var count: Int64 { held.count }
    var hasFailed: Bool { failed.load(ordering: .relaxed) }

    init(_ held: MemorySource, behind: Int64, onFailure: @escaping @Sendable () -> Void = {}) {
      (self.held, self.behind, self.onFailure) = (held, behind, onFailure)
    }

    func read(
      at offset: Int64, into buffer: UnsafeMutableRawPointer, count: Int, unless interruption: Interruption?
    ) -> Int {
      guard offset < behind else {
        failed.store(true, ordering: .relaxed)
        onFailure()
        return -5
      }
      return held.read(at: offset, into: buffer, count: min(count, Int(behind - offset)))
    }
  }

  @Test func aSourceThatFailsEndsTheClipEarly() throws {
    let path = try SharedClips.many("ts")
    let held = MemorySource(try Self.bytes(path), name: path)
    let all = try FrameReader(path: path).allFrames().count
    let source = FailingSource(held, behind: held.count / 2)
    let reader = try FrameReader(path: path, source: source)
    let count = try reader.allFrames().count
    #expect(source.hasFailed && count > 0 && count < all)
    #expect(failure { try reader.rewind() }?.cause.hasPrefix("the file ends early") == true)
  }

  @Test func aSourceThatIsInterruptedSaysSo() throws {
    let path = try SharedClips.many("ts")
    let held = MemorySource(try Self.bytes(path), name: path)
    let interruption = Interruption()
    let source = FailingSource(held, behind: held.count / 2) { interruption.request() }
    let reader = try FrameReader(path: path, source: source, interruption: interruption)
    #expect(failure { _ = try reader.allFrames() }?.kind == .cancelled)
    #expect(source.hasFailed)
  }
}
