import Foundation
import Frames
import Media
import Support
import Synchronization
import Testing

import Streaming

/// A segment's bytes between the thread that loads them and the thread that reads them.
@Suite struct SegmentBytesTests {
  private static func append(_ bytes: some Sequence<UInt8>, to segment: SegmentBytes) {
    Array(bytes).withUnsafeBytes { segment.append($0) }
  }

  private static func read(
    _ segment: SegmentBytes, at offset: Int, _ count: Int, unless interruption: Interruption? = nil
  ) -> (result: Int, bytes: [UInt8]) {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = bytes.withUnsafeMutableBytes { target in
      target.baseAddress.map { segment.read(at: Int64(offset), into: $0, count: count, unless: interruption) } ?? 0
    }
    return (result, Array(bytes.prefix(max(0, result))))
  }

  @Test(arguments: [nil, "the connection was lost"])
  func aReaderGetsAllBytesInOrderWhileTheyArrive(problem: String?) throws {
    var generator = SeededGenerator(for: "a reader gets all bytes in order")
    for _ in 0..<40 {
      let header = (0..<Int.random(in: 0...50, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      let media = (0..<Int.random(in: 0...60_000, using: &generator)).map { UInt8(truncatingIfNeeded: $0 * 31 >> 3) }
      let segment = SegmentBytes("test", header: header)
      let seed = generator.next()
      let writer = Thread {
        var (generator, rest) = (SeededGenerator(seed: seed), media[...])
        while !rest.isEmpty {
          let piece = rest.prefix(.random(in: 1...4000, using: &generator))
          Self.append(piece, to: segment)
          rest = rest.dropFirst(piece.count)
        }
        segment.finish(problem)
      }
      writer.start()
      var found: [UInt8] = []
      while true {
        let part = Self.read(segment, at: found.count, .random(in: 1...9000, using: &generator))
        guard part.result > 0 else {
          #expect(problem == nil ? part.result == 0 : part.result < 0)
          break
        }
        found += part.bytes
      }
      let isSame = found == header + media
      #expect(isSame, "seed \(generator.seed)")
      #expect(segment.isWhole == (problem == nil) && segment.failure == problem)
      let length = problem == nil ? Int64(found.count) : -Int64(ENOSYS)
      #expect(segment.count == length)
    }
  }

  @Test func aReaderThatWaitsCanBeStopped() throws {
    let segment = SegmentBytes("test", header: [1, 2, 3])
    #expect(Self.read(segment, at: 0, 10).bytes == [1, 2, 3])
    let interruption = Interruption()
    let stopper = Thread { interruption.request() }
    stopper.start()
    let part = Self.read(segment, at: 3, 10, unless: interruption)
    #expect(part.result < 0)
    #expect(segment.failure == nil && !segment.isWhole)
  }

  @Test func mediaIsThereAfterTheHeader() {
    let segment = SegmentBytes("test", header: [1, 2, 3])
    #expect(!segment.hasMedia)
    Self.append([4], to: segment)
    #expect(segment.hasMedia && !segment.isWhole)
    let failed = SegmentBytes("test", header: [1, 2, 3])
    failed.finish("it was not loaded to its end")
    #expect(failed.hasMedia && !failed.isWhole)
    // The first end counts.
    failed.finish()
    #expect(failed.failure == "it was not loaded to its end" && !failed.isWhole)
    let empty = SegmentBytes("test")
    empty.finish()
    #expect(empty.hasMedia && empty.count == 0 && Self.read(empty, at: 0, 4).result == 0)
  }

  @Test(arguments: [(0x47, true), (0x00, false)])
  func aTransportStreamMayBeReadTwice(first: UInt8, isSeekable: Bool) {
    let segment = SegmentBytes("test")
    Self.append([first, 1, 2, 3], to: segment)
    #expect(segment.isSeekable == isSeekable)
    #expect(Self.read(segment, at: 1, 3).bytes == [1, 2, 3])
    #expect(Self.read(segment, at: 0, 1).bytes == [first])
    #expect(Self.read(segment, at: -1, 1).result == 0)
  }
}
