import Adaptation
import Foundation
import Frames
import HTTP
import Media
import Support
import Testing

import Streaming

/// What came of a live stream on a virtual clock.
struct LiveRun {
  var history: StreamHistory
  var log: [VirtualTransport.Row]
  var stalls: Int
  var jumps: [(time: Double, place: Double)]
  var edge: LiveEdge?
  var breaks: [StreamBreak]
  var failure: Failure?
  /// From the moment of the picture to the server's clock, seconds, at each move after the first seconds.
  var latencies = Latencies()
  /// It was loaded to its end.
  var hasEnded: Bool
  var seconds: Double
  /// Of the loader, with `HistoryOptions.keepsSteps`.
  var steps: [String]

  struct Latencies {
    var least = Double.infinity
    var most = -Double.infinity
    var last = Double.nan

    fileprivate mutating func add(_ latency: Double) {
      (least, most, last) = (min(least, latency), max(most, latency), latency)
    }

    /// All are within a twentieth of a second of it, or so near.
    func keep(_ target: Double, within tolerance: Double = 0.05) -> Bool {
      abs(least - target) < tolerance && abs(most - target) < tolerance
    }
  }

  private final class Witness: @unchecked Sendable {
    var latencies = Latencies()
  }

  /// Plays until `seconds`, or to its end.
  static func of(
    _ transport: VirtualTransport, until seconds: Double, _ change: (inout StreamOptions) -> Void = { _ in }
  ) throws -> LiveRun {
    var options = StreamOptions(controller: try #require(ControllerChoice("lowest")))
    options.load = LoadPolicy(minimum: 60, maximum: 60)
    change(&options)
    let witness = Witness()
    let drain = transport.onPlay
    transport.onPlay = { [unowned transport] store, place in
      drain(store, place)
      guard transport.now > 30, let live = transport.live, store.live.edge?.zero != nil else { return }
      witness.latencies.add(live.start + transport.now - place)
    }
    transport.at(seconds) { $0.stop() }
    let stream = try LoadedStream(
      transport.stream.manifest, try StreamAddress(url: transport.stream.url), transport, options,
      interruption: Interruption())
    transport.begin(stream.store)
    let sound = try transport.beginSound(of: stream)
    defer { withExtendedLifetime(sound) {} }
    let hasEnded = Patience.until(seconds: 10 * Patience.seconds, every: 1) {
      stream.store.ending.isRequested || stream.store.isFinished || transport.isExhausted
    }
    #expect(hasEnded && !transport.isExhausted)
    let isFinished = !stream.store.ending.isRequested
    var failure: Failure?
    do throws(Failure) {
      while try stream.store.next(unless: Interruption(), orSuperseded: false) != nil {}
    } catch {
      failure = error.kind == .cancelled ? nil : error
    }
    stream.stop()
    return LiveRun(
      history: stream.history, log: transport.log, stalls: transport.stalls, jumps: transport.jumps,
      edge: stream.liveEdge, breaks: stream.breaks, failure: failure, latencies: witness.latencies,
      hasEnded: isFinished && failure == nil,
      seconds: transport.now, steps: stream.steps)
  }

  /// Segments in the order in which they were asked for; those with parts not.
  var numbers: [Int] {
    log.filter { $0.path.hasSuffix(".m4s") && $0.status == 200 }.compactMap { Int($0.path.suffix(9).prefix(5)) }
  }
}
