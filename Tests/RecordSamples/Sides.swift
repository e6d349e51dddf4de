import Foundation
import Frames
import Verdict

/// Records to compare. Nothing in them is random or depends on the machine.
package enum Sides {
  /// Different values, evenly spread over ± `percent` around `center`, to the four decimals that records keep.
  package static func spread(_ center: Double, count: Int = 10, percent: Double = 0.5) -> [Double] {
    (0..<count).map { index in
      let place = count == 1 ? 0 : 2 * Double(index) / Double(count - 1) - 1
      return (center * (1 + percent / 100 * place) * 1e4).rounded() / 1e4
    }
  }

  /// A scenario whose i-th trial has one sample of each metric, the i-th value. The first trial has the counters.
  package static func scenario(
    _ name: String, variant: String? = nil, _ values: [String: [Double]], counters: [String: Int?] = [:]
  ) -> Record.Scenario {
    let count = values.values.map(\.count).max() ?? 0
    let trials = (0..<count).map { index in
      Sample.trial(
        values.filter { index < $0.value.count }.mapValues { [$0[index]] }, counters: index == 0 ? counters : [:])
    }
    return Record.Scenario(name: name, variant: variant, presentSource: .simulated, trials: trials)
  }

  package static func record(
    _ scenarios: [Record.Scenario], clip: String = "tour", session: String? = "one"
  ) -> Record {
    var record = Sample.record(scenarios: scenarios)
    record.warnings = []
    record.label = nil
    record.input.name = "\(clip).mp4"
    record.input.sha256 = clip
    record.session = session
    return record
  }

  /// A record of `decode` with one `decode_fps` per trial.
  package static func fps(_ values: [Double], clip: String = "tour", session: String? = "one") -> Record {
    record([scenario("decode", ["decode_fps": values])], clip: clip, session: session)
  }

  package static func compare(
    _ base: [Record], _ head: [Record], _ change: (inout ComparisonOptions) throws -> Void = { _ in }
  ) throws -> Comparison {
    var options = ComparisonOptions()
    try change(&options)
    var comparison = try Comparison(
      base: RecordSet(path: "results/base", records: base), head: RecordSet(path: "results/head", records: head),
      options: options)
    comparison.created = "2025-11-21T09:30:14Z"
    return comparison
  }

  package static func interleaved(
    _ blocks: [(base: [Record], head: [Record])], _ change: (inout ComparisonOptions) throws -> Void = { _ in }
  ) throws -> Comparison {
    var options = ComparisonOptions()
    options.varied = nil
    try change(&options)
    var comparison = try Comparison(blocks: blocks, names: ("old/run", "new/run"), options: options)
    comparison.created = "2025-11-21T09:30:14Z"
    return comparison
  }

  /// A comparison that has one of everything: each verdict, both ways to be inconclusive for lack of knowledge, metrics
  /// that are not gated, two clips, a clip on one side, a wrong picture, warnings, and differences that are the thing
  /// tested.
  package static func full(tour: String = "balloon, \"the\" tour", indoor: String = "in | <door>") throws -> Comparison
  {
    func side(_ factor: Double, _ driver: String, _ label: String, session: String, wrong: Int) -> [Record] {
      let outdoors = record(
        [
          scenario(
            "decode",
            ["decode_fps": spread(81.2 * factor, count: 12), "decode_latency_ms": spread(24 / factor, count: 12)]),
          scenario(
            "pipeline", variant: "direct",
            [
              "pipeline_fps": spread(69 / factor, count: 12), "render_gpu_ms": spread(9.004 * factor, count: 12),
              "upload_cpu_ms": Array(repeating: 0, count: 12), "peak_rss_mib": spread(212.5, count: 12),
            ], counters: ["wrong_frame": wrong]),
          scenario("render", ["render_gpu_ms": spread(8.98 * (factor + 15) / 16, count: 12)]),
          scenario("play", ["roughness_ms": spread(2.4 / factor, count: 12, percent: 40)]),
          scenario("startup", variant: "cold", ["ttff_ms": spread(412.5 / factor, count: 3)]),
        ], clip: tour)
      let indoors = record(
        [
          scenario("decode", ["decode_fps": spread(240 * factor)]),
          scenario("render", ["ws_psnr_db": spread(51.25), "max_error": spread(3)]),
        ], clip: indoor, session: session)
      return [outdoors, indoors].map { record in
        var record = record
        record.environment.device?.driver = driver
        record.label = label
        record.build.commit = String(repeating: factor == 1 ? "0123456789" : "89abcdef01", count: 4)
        return record
      }
    }
    var base = side(1, "Mesa 22.3.6", "mesa-22.3", session: "one", wrong: 0)
    base[0].warnings = Sample.record().warnings
    let head = side(0.948, "Mesa 24.0.1", "mesa-24.0", session: "two", wrong: 3)
    var old = fps([30], clip: "old")
    old.build.commit = base[0].build.commit
    base.append(old)
    let damaged = Failure(.input, "cannot read record 'results/head/7.json'", cause: "it is not JSON")
    var options = ComparisonOptions()
    options.varied = ["driver"]
    var comparison = try Comparison(
      base: RecordSet(path: "results/base", records: base),
      head: RecordSet(path: "results/head", records: head, leftOut: [damaged]), options: options)
    comparison.created = "2025-11-21T09:30:14Z"
    return comparison
  }

  /// `full`, with names as hostile as file names can be.
  package static func hostile() throws -> Comparison {
    var comparison = try full(tour: hostileName, indoor: "&\u{301}|\u{301}`<\u{301}b>\"\u{301}x]]>")
    comparison.base.name = hostileName
    comparison.head.labels = [hostileName]
    comparison.warnings.append(.init(code: "load", text: hostileName, remedy: hostileName))
    comparison.varied.append(.init(comparison.varied[0], base: hostileName))
    return comparison
  }

  package static let hostileName = "a\u{1B}[2Jb\u{9B}c\r\n\u{0}\u{7F}|<script>&amp;'\"\u{FFFE}\u{FFFF}*`[x](y)\\"
}

extension Comparison.Difference {
  package init(_ difference: Self, base: String) {
    self = difference
    self.base = base
  }
}
