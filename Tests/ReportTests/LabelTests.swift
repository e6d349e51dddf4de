import RecordSamples
import Testing
import Verdict

/// Readers who do not know a metric's key find its label beside it.
@Suite struct LabelTests {
  /// One scenario with a value of every metric.
  private static var everything: Record {
    var trial = Sample.trial([:])
    for metric in Metric.allCases {
      switch metric.kind {
      case .distribution, .value: trial.metrics[metric.name] = MetricResult(of: metric, samples: [1, 2, 3])
      case .counter: trial.counters[metric.name] = 5
      case .phases: trial.phases["spawn"] = 2
      case .histogram: trial.histograms[metric.name] = ["1": 2]
      }
    }
    return Sample.record(scenarios: [Record.Scenario(name: "decode", trials: [trial])])
  }

  /// `time to first frame <code>ttff_ms</code>`, as text of a page.
  private static func labelled(_ metric: Metric) -> String {
    "\(metric.label) <code>\(metric.name)</code>".replacing("'", with: "&#39;")
  }

  @Test func everyMetricHasItsLabelBesideItsKey() {
    let html = Report(groups: RecordGroup.groups([Self.everything])).html
    for metric in Metric.allCases { #expect(html.contains(">\(Self.labelled(metric))"), "\(metric.name)") }
  }

  @Test func metricsOfOtherBuildsHaveTheirKeyAlone() {
    var record = Sample.record()
    record.scenarios[0].summary.metrics["new_ms"] = record.scenarios[0].summary.metrics.values.first
    #expect(Report(groups: RecordGroup.groups([record])).html.contains("<th scope=\"row\">new_ms</th>"))
  }

  /// No cell, title or term of any page is a bare key. A key of one word may be a word, too.
  @Test func noKeyStandsAlone() throws {
    let keys = Set(Metric.allCases.map(\.name).filter { $0.contains("_") })
    for page in try Pages.all() {
      for match in page.html.matches(of: /<([a-z0-9]+)[^>]*>([a-z0-9_]+)</) where match.1 != "code" {
        #expect(!keys.contains(String(match.2)), "\(match.0)")
      }
    }
  }

  @Test func titlesOfChartsHaveTheKey() throws {
    let html = Report(groups: RecordGroup.groups([Sample.record()])).html + (try Pages.full().html)
    for title in [
      "From each frame to the next, ms — play <code>frame_interval_ms</code>",
      "Time from packet to frame — decode <code>decode_latency_ms</code>",
      "From the start of the program to its first picture <code>ttff_ms</code>",
      "Frames waiting at each refresh <code>queue_depth</code>", "Seek latency <code>seek_latency_ms</code>",
    ] {
      #expect(html.contains("<p class=\"title\">\(title)</p>"), "\(title)")
    }
    let history = Pages.past(30).html
    #expect(
      history.contains("Rate of decoding and drawing, 1/s — pipeline · direct <code>pipeline_fps</code>"))
  }
}
