import Adaptation
import Frames
import HTTP
import Media
import Support
import Testing

import Streaming

/// What came of a stream over a simulated link: all that a run tells.
struct VirtualRun {
  var history: StreamHistory
  var log: [VirtualTransport.Row]
  /// In the order in which a reader gets them.
  var segments: [[UInt8]] = []
  /// Why it ended before its end.
  var failure: Failure?
  /// It ended by itself.
  var hasEnded: Bool
  var seconds: Double

  /// Loads a stream to its end; then reads all that was handed over.
  static func of(
    _ transport: VirtualTransport, _ options: StreamOptions, isDrained: Bool = true
  ) throws -> VirtualRun {
    let stream = try LoadedStream(
      transport.stream.manifest, try StreamAddress(url: transport.stream.url), transport, options,
      interruption: Interruption())
    transport.begin(stream.store)
    let hasEnded = Patience.until(every: 1) { stream.store.isFinished || transport.isExhausted }
    var run = VirtualRun(
      history: stream.history, log: [], hasEnded: hasEnded && !transport.isExhausted, seconds: 0)
    if run.hasEnded, isDrained { run.drain(stream.store) }
    stream.stop()
    (run.log, run.seconds) = (transport.log, transport.now)
    return run
  }

  /// Of each segment that a reader got: the rung and the number that its bytes are of.
  func names(in stream: VirtualStream) -> [String] {
    segments.map { bytes in
      for rung in stream.table.bitrates.indices {
        for segment in stream.table.durations.indices where stream.bytes(of: segment, rung: rung) == bytes {
          return "\(rung)/\(segment)"
        }
      }
      return "\(bytes.count) bytes of no segment"
    }
  }

  private mutating func drain(_ store: SegmentStore) {
    do throws(Failure) {
      while let segment = try store.next(unless: { false }) {
        var bytes = [UInt8](repeating: 0, count: max(0, Int(segment.bytes.count)))
        var offset = 0
        while offset < bytes.count {
          let count = bytes.withUnsafeMutableBytes { target in
            target.baseAddress.map {
              segment.bytes.read(at: Int64(offset), into: $0 + offset, count: target.count - offset)
            }
          }
          guard let count, count > 0 else { break }
          offset += count
        }
        segments.append(bytes)
      }
    } catch {
      failure = error
    }
  }
}
