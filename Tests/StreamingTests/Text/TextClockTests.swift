import Frames
import Testing

import Streaming

/// Where the cues of WebVTT segments lie on a stream's axis.
@Suite struct TextClockTests {
  private func shift(_ text: String, start: Double = 20, end: Double = 26, offset: Double = 0) -> Double {
    TextClock(Array(text.utf8)).shift(
      start: MediaTime(seconds: start), end: MediaTime(seconds: end), offset: MediaTime(seconds: offset)
    ).seconds
  }

  private func close(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-6 }

  private static let cue = "\n\n00:00:21.000 --> 00:00:22.000\nHello\n"

  /// RFC 8216 §3.5: `LOCAL` and `MPEGTS` are the same instant; the media's time stamps are ahead of the axis.
  @Test func theMapLeadsToTheMediasTime() {
    #expect(close(shift("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000" + Self.cue, offset: 10), 0))
    #expect(close(shift("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:20.000,MPEGTS:2700000" + Self.cue, offset: 10), 0))
    #expect(close(shift("WEBVTT\r\nX-TIMESTAMP-MAP=MPEGTS:1170000, LOCAL:00:20.000\r\n" + Self.cue, offset: 10), -17))
    #expect(close(shift("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n", offset: 4), 6), "no cue")
  }

  /// 33 bits at 90 kHz go round after 26.5 hours.
  @Test func theMapsClockGoesRound() {
    let round = Double(1 << 33) / 90_000
    let text = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000" + Self.cue
    for rounds in [1.0, 3, -2] {
      #expect(close(shift(text, offset: 10 + rounds * round), 0), "\(rounds)")
    }
    #expect(close(shift(text, start: 20 + round, end: 26 + round, offset: 10), round))
  }

  /// Cues without a map tell the media's time, as they should; the presentation's, or the segment's own, as some do.
  @Test func withoutAMapTheCuesAreLookedAt() {
    #expect(close(shift("WEBVTT\n\n00:31.000 --> 00:32.000\nx", start: 20, end: 26, offset: 10), -10))
    #expect(close(shift("WEBVTT" + Self.cue, start: 20, end: 26, offset: 1000), 0))
    #expect(close(shift("WEBVTT\n\n00:01.000 --> 00:02.000\nx", start: 200, end: 206, offset: 1000), 200))
    #expect(close(shift("WEBVTT\n\nNOTE nothing", offset: 7), -7))
  }

  @Test(arguments: [
    "", "WEBVTT\nX-TIMESTAMP-MAP=", "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:-5,LOCAL:00:00.000",
    "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:99999999999999999999,LOCAL:00:00.000",
    "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:9,LOCAL:99:99:99", "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:9",
    "X-TIMESTAMP-MAP=LOCAL:1e9:00:nan,MPEGTS:1",
  ])
  func damagedMapsAreNone(text: String) {
    #expect(close(shift(text, offset: 3), -3), "\(text)")
  }
}
