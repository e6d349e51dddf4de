import Adaptation
import Frames
import HTTP
import Media
import Support
import Testing

import Streaming

/// What a stream tells of requests that bring nothing: a lost network, a server that answers with errors, and until when.
@Suite struct TroubleTests {
  private static let lost = NetworkTrouble(.network, "connection refused")
  private static let error = NetworkTrouble(.server, "the server answered 503 Service Unavailable")

  private static func request(
    _ outcome: StreamRequest.Outcome, _ kind: StreamRequest.Kind = .segment, rung: Int? = 0
  ) -> StreamRequest {
    StreamRequest(
      kind: kind, url: "", rung: rung, times: TransferTimes(queued: 0, ended: 0), outcome: outcome, bufferBefore: 0,
      bufferAfter: 0)
  }

  /// The trouble after each of them.
  private static func troubles(_ requests: [(StreamRequest, NetworkTrouble?)]) -> [NetworkTrouble?] {
    var watch = TroubleWatch()
    return requests.map { request, trouble in
      watch.note(request, trouble)
      return watch.trouble
    }
  }

  private static func failed(
    _ trouble: NetworkTrouble, _ kind: StreamRequest.Kind = .segment, rung: Int? = 0
  ) -> (StreamRequest, NetworkTrouble?) {
    (request(.failed(trouble.cause), kind, rung: rung), trouble)
  }

  /// A jump, or a download that makes way, brings nothing.
  @Test func whatIsGivenUpIsNoAnswer() {
    let lost = Self.troubles([
      Self.failed(Self.lost), (Self.request(.cancelled), nil), (Self.request(.abandoned(for: 0)), nil),
      (Self.request(.finished, .playlist), nil), (Self.request(.cancelled), nil),
    ])
    #expect(lost == [Self.lost, Self.lost, Self.lost, nil, nil])
    let error = Self.troubles([Self.failed(Self.error), (Self.request(.cancelled), nil)])
    #expect(error == [Self.error, Self.error])
  }

  /// Playlists come, segments do not: that goes on until one does.
  @Test func aServersErrorEndsWithWhatItRefused() {
    let troubles = Self.troubles([
      Self.failed(Self.error), (Self.request(.finished, .playlist), nil), (Self.request(.finished, rung: nil), nil),
      (Self.request(.finished, rung: 2), nil),
    ])
    #expect(troubles == [Self.error, Self.error, Self.error, nil])
    // Another rung's segment stands in for what leads to the first one's.
    let playlist = Self.troubles([Self.failed(Self.error, .playlist), (Self.request(.finished, rung: 1), nil)])
    #expect(playlist == [Self.error, nil])
  }

  @Test func aClockThatIsGoneIsNoTrouble() {
    #expect(Self.troubles([Self.failed(Self.error, .clock, rung: nil)]) == [nil])
  }

  /// A stream over a virtual network: the troubles that a picture was shown with, each once, and whether the stream was given up.
  private static func played(
    _ fault: @escaping (VirtualTransport.Row) -> VirtualFault?
  ) throws -> (troubles: [NetworkTrouble?], hasGivenUp: Bool) {
    let stream = VirtualStream(
      try RungTable(name: "test", bitrates: [100_000], durations: Array(repeating: 2, count: 10)), .dash)
    let period = NetworkTrace.Period(seconds: 3600, bitsPerSecond: 1_000_000, roundTrip: 0.05)
    let transport = VirtualTransport(stream, over: try NetworkTrace(name: "constant", periods: [period]))
    transport.fault = { row, _ in fault(row) }
    var options = StreamOptions(controller: try #require(ControllerChoice("lowest")))
    (options.retries.retryLimit, options.retries.limitSeconds) = (6, 600)
    let loaded = try LoadedStream(
      "main.mpd", try StreamAddress(url: stream.url), transport, options, interruption: Interruption())
    var troubles: [NetworkTrouble?] = []
    transport.onPlay = { _, _ in
      if troubles.isEmpty || troubles.last != loaded.trouble { troubles.append(loaded.trouble) }
    }
    transport.begin(loaded.store)
    #expect(Patience.until(every: 1) { loaded.store.isFinished || loaded.hasGivenUp })
    defer { loaded.stop() }
    return (troubles + [loaded.trouble], loaded.hasGivenUp)
  }

  @Test func aServerThatAnswersIsNoLostNetwork() throws {
    var left = 3
    let played = try Self.played { row in
      guard row.path == "0/4", left > 0 else { return nil }
      left -= 1
      return .status(503, retryAfter: 1)
    }
    #expect(played.troubles == [nil, Self.error, nil, nil] && !played.hasGivenUp)
  }

  @Test func aConnectionThatBreaksIsTheNetworks() throws {
    var left = 2
    let played = try Self.played { row in
      guard row.path == "0/4", left > 0 else { return nil }
      left -= 1
      return .lost(after: 10)
    }
    #expect(Set(played.troubles.map { $0?.kind }) == [nil, .network])
    #expect(played.troubles.last == .some(nil))
  }

  /// Where the stream is given up nothing has come back.
  @Test func whatIsGivenUpStaysTrouble() throws {
    let played = try Self.played { $0.path == "0/4" ? .status(404, retryAfter: nil) : nil }
    #expect(played.hasGivenUp)
    #expect(played.troubles.last == NetworkTrouble(.server, "the server answered 404 Not Found"), "\(played.troubles)")
  }
}
