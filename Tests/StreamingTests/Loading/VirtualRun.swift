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
  /// Of the loader, with `HistoryOptions.keepsSteps`.
  var steps: [String] = []

  /// Loads a stream to its end; then reads all that was handed over.
  static func of(
    _ transport: VirtualTransport, _ options: StreamOptions, isDrained: Bool = true,
    within seconds: Double = Patience.seconds
  ) throws -> VirtualRun {
    let stream = try LoadedStream(
      transport.stream.manifest, try StreamAddress(url: transport.stream.url), transport, options,
      interruption: Interruption())
    transport.begin(stream.store)
    let sound = try transport.beginSound(of: stream)
    defer { withExtendedLifetime(sound) {} }
    let hasEnded = Patience.until(seconds: seconds, every: 1) {
      stream.store.isFinished && transport.hasAllSound || transport.isExhausted
    }
    var run = VirtualRun(
      history: stream.history, log: [], hasEnded: hasEnded && !transport.isExhausted, seconds: 0)
    if run.hasEnded, isDrained { run.drain(stream.store) }
    stream.stop()
    (run.log, run.seconds, run.steps) = (transport.log, transport.now, stream.steps)
    return run
  }

  /// Of each segment that a reader got: the rung and the number that its bytes are of.
  func names(in stream: VirtualStream) -> [String] {
    segments.map { stream.name(of: $0) ?? "\($0.count) bytes of no segment" }
  }

  /// All bytes of a segment, as a reader gets them; fewer where it is cut off.
  static func bytes(of segment: MediaSegment) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = piece.withUnsafeMutableBytes { target in
        target.baseAddress.map { segment.bytes.read(at: Int64(bytes.count), into: $0, count: target.count) }
      }
      guard let count, count > 0 else { return bytes }
      bytes += piece[..<count]
    }
  }

  private mutating func drain(_ store: SegmentStore) {
    do throws(Failure) {
      while let segment = try store.next(unless: Interruption(), orSuperseded: false) {
        segments.append(Self.bytes(of: segment))
      }
    } catch {
      failure = error
    }
  }
}
