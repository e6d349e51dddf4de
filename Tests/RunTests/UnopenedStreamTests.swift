import Frames
import HTTP
import Run
import Streaming
import Testing

/// The sentence for a stream of which no segment came in time.
@Suite struct UnopenedStreamTests {
  private static func history(_ kinds: [StreamRequest.Kind]) -> StreamHistory {
    var history = StreamHistory()
    history.requests = kinds.map { kind in
      StreamRequest(
        kind: kind, url: "http://host/x", rung: nil, times: TransferTimes(queued: 0, ended: 1), outcome: .finished,
        bufferBefore: 0, bufferAfter: 0)
    }
    return history
  }

  @Test func anExpiredManifestIsNoFaultOfTheNetwork() {
    let failure = OpeningProcess.unopened("a.mpd", Self.history([.manifest, .clock, .manifest]), nil)
    #expect(failure.description.contains("listed no segment") && failure.description.contains("has ended"))
    #expect(failure.kind == .timeout && !failure.description.contains("network"), "\(failure)")
  }

  @Test func aServerThatDoesNotAnswerIs() {
    for (kinds, trouble) in [
      ([.manifest], nil), ([.manifest, .manifest, .segment], nil),
      ([.manifest, .manifest], NetworkTrouble(.network, "connection refused")),
    ] as [([StreamRequest.Kind], NetworkTrouble?)] {
      let failure = OpeningProcess.unopened("a.mpd", Self.history(kinds), trouble)
      #expect(failure.description.contains("check the network"), "\(failure)")
      #expect(trouble == nil || failure.cause.contains("connection refused"), "\(failure)")
    }
  }
}
