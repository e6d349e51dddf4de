import Adaptation
import Frames
import Origin
import Support
import Testing

import Streaming

/// Breaks of live streams on a virtual clock: they follow the window.
@Suite(.tier(.test)) struct LiveBreakTests {
  /// A message with each round of the ladder, 4.5 s: its first second is a break.
  private static func transport(_ form: VirtualStream.Form) throws -> VirtualTransport {
    try VirtualLive.transport(over: .fast(), form, window: 20) { live in
      live.edit = { text, _ in
        if form == .dash {
          let stream = """
            <EventStream schemeIdUri="urn:scte:scte35:2013:xml" timescale="10"><Event presentationTime="0" duration="10">\
            <SpliceInfoSection><SpliceInsert spliceEventId="5" outOfNetworkIndicator="1"/></SpliceInfoSection></Event>\
            </EventStream>
            """
          return text.replacing(/<Period[^>]*>/) { String($0.output) + stream }
        }
        return text.replacing("#EXT-X-DISCONTINUITY\n", with: "#EXT-X-DISCONTINUITY\n#EXT-X-CUE-OUT:1\n")
      }
    }
  }

  @Test(arguments: [VirtualStream.Form.hls, .dash])
  func theyFollowTheWindow(form: VirtualStream.Form) throws {
    let transport = try Self.transport(form)
    let run = try LiveRun.of(transport, until: 100)
    #expect(run.failure == nil, "\(run.failure as Any)")
    let edge = try #require(run.edge)
    let listed = run.breaks.filter { $0.start <= edge.end }
    #expect((3...7).contains(listed.count), "\(run.breaks)")
    for one in listed {
      #expect((one.end ?? .zero) > edge.start && one.end == one.start + .milliseconds(1000), "\(one)")
      // Each round of the ladder begins with one.
      #expect(abs((one.start.seconds / 4.5).rounded() * 4.5 - one.start.seconds) < 0.1, "\(one)")
    }
  }
}
