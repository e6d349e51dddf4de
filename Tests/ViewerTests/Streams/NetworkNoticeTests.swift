import Bench360Player
import Frames
import Streaming
import Testing
import Viewer

/// What the window says of a network that goes and comes, and of a machine that slept; how stalls are counted.
@Suite struct NetworkNoticeTests {
  private static func instant(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  @Test func aLostNetworkIsSaidOnceAndSoIsItsReturn() {
    var network = NetworkNotices()
    var said: [String] = []
    for step in 0...100 {
      let now = Double(step) / 10
      let trouble = (2.0..<6.0).contains(now) ? NetworkTrouble(.network, "connection refused") : nil
      if let text = network.notice(trouble: trouble, ahead: 12.7 - now, at: Self.instant(now)) { said.append(text) }
    }
    #expect(said == ["The network is lost (connection refused): 9 s are loaded ahead", "The network is back"])
    #expect(network.said == nil)
  }

  /// A server that answers with errors is there; what it answers is said, and then that something came.
  @Test func aServersErrorIsNoLostNetwork() {
    var network = NetworkNotices()
    let error = NetworkTrouble(.server, "the server answered 503 Service Unavailable")
    let lost = NetworkTrouble(.network, "connection refused")
    func said(_ trouble: NetworkTrouble?, _ times: [Double]) -> [String] {
      times.compactMap { network.notice(trouble: trouble, ahead: 7.9, at: Self.instant($0)) }
    }
    #expect(
      said(error, [0, 1.4, 1.5, 9]) == [
        "Loading fails (the server answered 503 Service Unavailable): 7 s are loaded ahead"
      ])
    #expect(said(nil, [10, 11]) == ["Loading goes on"])
    // A network that is lost, and has a server that answers with errors once it is back.
    #expect(said(lost, [20, 22]) == ["The network is lost (connection refused): 7 s are loaded ahead"])
    #expect(said(error, [23, 24]) == [], "it may be there soon")
    #expect(said(error, [24.5]).count == 1 && said(nil, [25]) == ["Loading goes on"])
  }

  @Test func aRequestThatIsMadeAgainIsNoLoss() {
    var network = NetworkNotices()
    let reset = NetworkTrouble(.network, "reset")
    let said = [(0.0, reset), (1.4, reset), (1.5, nil), (1.6, reset), (3.0, reset), (3.05, nil)]
      .compactMap { network.notice(trouble: $1, ahead: 5, at: Self.instant($0)) }
    #expect(said == [])
    _ = network.notice(trouble: reset, ahead: 0.2, at: Self.instant(5))
    let lost = network.notice(trouble: reset, ahead: 0.2, at: Self.instant(6.5))
    #expect(lost == "The network is lost (reset)")
  }

  /// The clock since boot goes on in a sleep, the monotonic one stands.
  @Test func aSleepIsNoticedOnce() {
    var sleep = SleepWatch()
    func slept(_ boot: Double, _ monotonic: Double) -> Double? {
      sleep.slept(boot: Int64(boot * 1e9), monotonic: Int64(monotonic * 1e9))
    }
    #expect(slept(1000, 900) == nil && slept(1000.02, 900.02) == nil, "an earlier sleep is none of this clip's")
    #expect(slept(1010, 910) == nil, "a busy machine")
    #expect(slept(1011.5, 910.5) == nil, "shorter than connections notice")
    #expect(slept(1131.5, 910.52) == 119.98 && slept(1131.6, 910.62) == nil)
    #expect(SleepWatch.text(12.7) == "12 s" && SleepWatch.text(720) == "12 min" && SleepWatch.text(7300) == "2 h")
  }

  @Test func stallsAreCountedWithTheirTime() {
    var stalls = StallCount()
    for (seconds, isStalled) in [(0.0, false), (1, true), (1.5, true), (3, false), (4, false), (7, true)] {
      stalls.note(isStalled: isStalled, at: Self.instant(seconds))
    }
    #expect(stalls.count == 2 && stalls.seconds(at: Self.instant(7.5)) == 2.5)
    stalls.note(isStalled: false, at: Self.instant(8))
    #expect(stalls.count == 2 && stalls.seconds(at: Self.instant(60)) == 3)
  }
}
