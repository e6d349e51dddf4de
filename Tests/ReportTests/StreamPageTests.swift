import Foundation
import RecordSamples
import Support
import Testing
import Verdict

/// A stream on its time axis.
@Suite struct StreamPageTests {
  private static func figure(_ sessions: [StreamSession]) throws -> String {
    let html = Pages.stream(sessions).html
    return String(try #require(html.firstMatch(of: /<figure id="g0-stream[^"]*">.*?<\/figure>/.dotMatchesNewlines())).0)
  }

  @Test func theWorstTrialIsDrawn() throws {
    let good = Sample.stream(seconds: 20)
    #expect(try Self.figure([good, Sample.stream(), good]).contains(", trial 2 of 3<"))
    #expect(try Self.figure([good, good]).contains(", trial 1 of 2<"))
    var failed = good
    failed.states.append(.init(time: 19, state: .failed))
    #expect(try Self.figure([Sample.stream(), failed]).contains(", trial 2 of 2<"))
    #expect(!(try Self.figure([good])).contains("trial 1"))
  }

  @Test func wordsTellWhatIsDrawn() throws {
    let figure = try Self.figure([Sample.stream()])
    for words in [
      "first picture after 0.550 s, 2 stalls of 4.55 s in all, 5 rungs from 0.35 to 12 Mbit/s",
      "4 changes of the rung on screen, 39 requests (1 failed, 1 abandoned)",
      "rebuffering, by network, for 2.90 s", "rung 3 (5.2 Mbit/s) on screen",
      "segment 6 failed: the server answered 503 Service Unavailable", "segment 16 abandoned for rung 0 (0.35 Mbit/s)",
      "✕ failed, 1", "◇ abandoned, 1", "shaded: stalled, 2", "segments, 35",
    ] {
      #expect(figure.contains(words), "\(words)")
    }
    #expect(
      figure.contains("swatch fill-render") && figure.contains("swatch fill-upload") && !figure.contains("fill-read"))
    #expect(!Pages.stream([]).html.contains("The stream over time"))
  }

  @Test func requestsUntilTheFirstPictureHaveTheirParts() throws {
    let html = Pages.stream([Sample.stream()]).html
    let match = try #require(
      html.firstMatch(of: /<figure id="g0-stream-start-stream">.*?<\/figure>/.dotMatchesNewlines()))
    let text = PageTests.text(String(match.0))
    // Look-up 12, connection 18, TLS 20, first byte 30 ms; then no transfer, for the sample's manifest is small.
    #expect(text.contains("manifest\n0\n12.00\n18.00\n20.00\n30.00\n–\n1400\n"), "\(text)")
    #expect(text.contains("segment 0, rung 1\n250.0\n–\n–\n–\n40.00\n260.0\n"), "\(text)")
    #expect(!text.contains("segment 1"), "it was asked for after the first picture")
    var unanswered = Sample.stream(seconds: 0.3)
    unanswered.requests[0].times = .init(queued: 0, ended: 0.2)
    unanswered.requests[0].outcome = .failed
    #expect(Pages.stream([unanswered]).html.contains("manifest, failed"))
  }

  @Test func aSessionThatShowedNothingIsDrawnToo() throws {
    let empty = StreamSession(format: .dash, controller: "lowest", rungs: [], end: 0, position: 0)
    #expect(try Self.figure([empty]).contains("no picture was shown"))
    var broken = Sample.stream(seconds: 1)
    (broken.rungs, broken.end) = ([.init(id: "x", bitrate: 0)], -5)
    broken.stalls = [.init(start: 9e8, seconds: -1e9, cause: .render)]
    _ = try Self.figure([broken])
  }

  /// Hours of a stream, every list longer than the chart is wide.
  @Test func aLongSessionMakesASmallFigure() throws {
    var session = Sample.stream()
    let hour = session
    for repeated in 1..<200 {
      let shift = Double(repeated) * hour.end
      session.requests += hour.requests.map { request in
        var request = request
        request.times.queued += shift
        request.times.firstByte = request.times.firstByte.map { $0 + shift }
        request.times.ended += shift
        return request
      }
      session.states += hour.states.map { .init(time: $0.time + shift, state: $0.state) }
      session.shown += hour.shown.map { .init(time: $0.time + shift, rung: $0.rung, position: $0.position) }
      session.buffer += hour.buffer.map { .init(time: $0.time + shift, seconds: $0.seconds) }
      session.stalls += hour.stalls.map { .init(start: $0.start + shift, seconds: $0.seconds, cause: $0.cause) }
    }
    session.end = hour.end * 200
    #expect(session.requests.count > 7000)
    let figure = try Self.figure([session])
    #expect(figure.utf8.count < 200 << 10, "\(figure.utf8.count) bytes")
    #expect(figure.matches(of: /<(path|line|text|rect|circle)/).count < 500)
    #expect(figure.contains("Of more than 480 requests") && figure.contains("more</td>"))
  }

  // MARK: Columns

  /// No interval is lost, and nothing is drawn further than a column from one.
  @Test func columnsTouchWhatIntervalsTouch() {
    var random = SeededGenerator(for: "columnsTouchWhatIntervalsTouch")
    for _ in 0..<200 {
      let count = Int.random(in: 1...60, using: &random)
      let intervals = (0..<Int.random(in: 0...200, using: &random)).map { _ in
        let start = Double.random(in: -1...11, using: &random)
        return (start: start, end: start + Double.random(in: 0...0.5, using: &random))
      }
      let columns = TimeColumns(end: 10, count: count)
      let spans = columns.spans(intervals)
      #expect(spans.count <= max(count, intervals.count > count ? 0 : intervals.count))
      for interval in intervals {
        let (start, end) = (columns.place(interval.start), columns.place(interval.end))
        #expect(spans.contains { $0.start <= start + 1e-9 && $0.end >= end - 1e-9 }, "seed \(random.seed)")
      }
      let width = 1 / Double(count) + 1e-9
      for span in spans {
        for place in [span.start, span.end] {
          #expect(
            intervals.contains { columns.place($0.start) - width <= place && place <= columns.place($0.end) + width },
            "seed \(random.seed)")
        }
      }
      for (one, other) in zip(spans, spans.dropFirst()) where intervals.count > count { #expect(one.end < other.start) }
    }
  }

  @Test func columnsKeepExtremes() {
    var random = SeededGenerator(for: "columnsKeepExtremes")
    for _ in 0..<200 {
      let count = Int.random(in: 1...60, using: &random)
      let points = (0..<Int.random(in: 0...300, using: &random)).map { _ in
        (time: Double.random(in: 0...10, using: &random), value: Double.random(in: -5...5, using: &random))
      }
      let levels = TimeColumns(end: 10, count: count).levels(points)
      #expect(levels.count <= count && levels.map(\.place) == levels.map(\.place).sorted())
      #expect(
        levels.map(\.low).min() == points.map(\.value).min() && levels.map(\.high).max() == points.map(\.value).max())
      for point in points {
        let near = levels.filter { abs($0.place - point.time / 10) <= 1 / Double(count) }
        #expect(near.contains { $0.low <= point.value && point.value <= $0.high }, "seed \(random.seed)")
      }
    }
  }

  /// States that may follow each other and have one shape, as every eye sees them.
  @Test func statesDifferForEveryEye() {
    let neighbours = [
      ("wait", "render"), ("render", "upload"), ("upload", "wait"), ("decode", "wait"), ("read", "wait"),
      ("render", "read"), ("wait", "ink"), ("render", "ink"), ("upload", "ink"),
    ]
    for palette in [Palette.light, .dark] {
      let colors = Dictionary(uniqueKeysWithValues: palette.all.map { ($0.name, $0.hex) })
      for (one, other) in neighbours {
        for eye in Eye.all {
          #expect(eye.difference(colors[one] ?? "", colors[other] ?? "") >= 15, "\(one) and \(other), \(eye.name)")
        }
      }
    }
  }
}
