import Adaptation
import Foundation
import Frames
import HTTP
import Origin
import Support
import Testing

import Streaming

/// Connections that did not outlive a sleep of the machine.
@Suite(.tier(.test)) struct RenewalTests {
  /// A segment that its server never sends is asked for again over a new connection; loaded segments stay.
  @Test func whatHangsIsMadeAgain() throws {
    let ladder = try SharedLadders.flat()
    var options = OriginOptions()
    options.faults = try FaultFile.rules(
      Data(
        """
        {"schema": "bench360-faults/1", "faults": [
          {"kind": "stall", "path": "**/video-0/00002.m4s", "nth_of_path": 1, "seconds": 3600}
        ]}
        """.utf8))
    let origin = try Origin.start(ladder.folder, options: options)
    let lowest = try #require(ControllerChoice("lowest"))
    let stream = try LoadedStream(origin.url + "hls-fmp4/main.m3u8", StreamOptions(controller: lowest))
    let two = MediaTime(seconds: 2)
    #expect(Patience.until { stream.loadedEnd == two })
    let goesOn = Patience.until {
      if stream.loadedEnd == two { stream.renewConnections() }
      return stream.loadedEnd > MediaTime(seconds: 4)
    }
    #expect(goesOn && stream.trouble == nil)
    let failed = stream.history.requests.compactMap { request -> String? in
      if case .failed(let cause) = request.outcome { cause } else { nil }
    }
    #expect(!failed.isEmpty && Set(failed) == ["the connection is older than the machine's last sleep"], "\(failed)")
    #expect(stream.statistics.failed == failed.count && stream.statistics.retries >= 1)
    // Segments 0 and 1 were loaded once.
    let early = stream.history.requests.filter { $0.kind == .segment && $0.segment ?? 9 < 2 && $0.outcome == .finished }
    #expect(early.count == 2)
    stream.stop()
    try origin.stop()
  }

  @Test func connectionsOfBeforeAreNotUsed() {
    let renewal = MonotonicTime(nanoseconds: 1_000_000_000)
    func idle(_ seconds: Double) -> Int {
      HTTPTransport.idleSeconds(since: renewal, at: renewal.advanced(byMilliseconds: seconds * 1000))
    }
    #expect([0, 0.9, 1.5, 5.2, 60, 119.5, 10_000].map(idle) == [0, 0, 0, 4, 59, 118, 118])
  }
}
