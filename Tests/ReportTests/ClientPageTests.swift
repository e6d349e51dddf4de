import RecordSamples
import Testing
import Verdict

/// Several clients of one stream, and a live stream, on the page.
@Suite struct ClientPageTests {
  private static func record(_ clients: [[StreamClient]]) -> Record {
    var record = Sample.record(of: [])
    let trials = clients.map { clients in
      var trial = Sample.trial([:])
      trial.clients = clients
      for (metric, samples) in ClientMeasures.comparing(clients.map(\.session)) {
        trial.metrics[metric.name] = MetricResult(of: metric, samples: samples)
      }
      trial.metrics[Metric.linkUtilisation.name] = MetricResult(of: .linkUtilisation, samples: [0.75])
      return trial
    }
    record.scenarios = [Record.Scenario(name: "stream", presentSource: .simulated, trials: trials)]
    return record
  }

  private static func html(_ clients: [[StreamClient]]) -> String {
    Report(groups: RecordGroup.groups([record(clients)])).html
  }

  @Test func eachClientHasARow() {
    let (good, stalled) = (Sample.stream(seconds: 20, controller: "lowest"), Sample.stream())
    let clients = [
      StreamClient(number: 1, opened: 0, session: good),
      StreamClient(number: 2, opened: 0.125, session: stalled, problem: "the server answered 503"),
    ]
    let html = Self.html([clients])
    let text = PageTests.text(html)
    let rates = [good, stalled].map { StreamMeasures($0).samples[.meanBitrate]?.first ?? 0 }
    let jain = Fairness.jain(rates)
    for words in [
      "2 clients over one link\n", "Jain&#39;s index of the mean bit rates \(ReportText.number(jain)) ",
      "capacity 75.00 % used", "1\nlowest\n0\n", "2\nthroughput\n0.125\n", "the server answered 503\n",
      ", client 2 of 2",
    ] {
      #expect(text.contains(words), "\(words)\n\(text.components(separatedBy: "over one link").last ?? "")")
    }
    // A page without several clients has no such table, and of trials the least fair one is told.
    #expect(!Pages.stream().html.contains("over one link"))
    let even = [1, 2].map { StreamClient(number: $0, opened: 0, session: good) }
    #expect(Self.html([even, clients, even]).contains("2 clients over one link, trial 2 of 3, the least fair"))
  }

  @Test func aLiveStreamHasItsLatencyOverTime() {
    var session = Sample.stream(seconds: 20)
    #expect(!Pages.stream([session]).html.contains("stream-live"))
    var levels: [StreamSession.LiveLevel] = []
    for index in 0..<100 {
      let (time, latency): (Double, Double) = (Double(index) / 5, 3 + Double(index) / 100)
      levels.append(
        .init(
          time: time, latency: latency, dateLatency: 3.5, edgeDistance: 1.25, rate: index < 50 ? 1.05 : 1,
          target: index < 2 ? nil : 3))
    }
    session.live = levels
    let text = PageTests.text(Pages.stream([session]).html)
    for words in [
      "Live latency — stream",
      "100 readings of a live stream: median latency 3.50 s; target 3.00 s; 1.25 s to the live edge.",
      "live_latency_ms\n100\n3495\n3000\n3990\n", "live_date_latency_ms\n100\n3500\n",
      "catch_up_rate\n100\n1.02\n1.00\n1.05\n",
      "dashed: target", "target, s\n98\n3.00\n",
    ] {
      #expect(text.contains(words), "\(words)\n\(text.components(separatedBy: "Live latency").last ?? "")")
    }
    // A stream that tells no time of day has the other two charts.
    session.live = [.init(time: 0, latency: nil, dateLatency: nil, edgeDistance: .nan, rate: 1)]
    #expect(Pages.stream([session]).html.contains("the stream tells no time of day"))
  }
}
