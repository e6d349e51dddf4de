import FoundationEssentials
import Frames

/// What to read from each run of another program.
public struct CustomReading: Hashable, Sendable {
  public let metrics: [CustomMetric]
  /// Whether the run also leaves JSON with numbers.
  public let readsJSON: Bool

  /// `arguments` as `--metric` takes them. Throws `.usage` for one that cannot be used, for a name that is there twice,
  /// and where nothing can be judged.
  public init(_ arguments: [String]) throws(Failure) {
    var metrics: [CustomMetric] = []
    for argument in arguments where argument != "json" {
      let metric = try CustomMetric(argument)
      guard !metrics.contains(where: { $0.name == metric.name }) else {
        throw Failure(
          .usage, "cannot use metric '\(argument)'", cause: "'\(metric.name)' is there twice",
          remedy: "choose another name")
      }
      metrics.append(metric)
    }
    self.metrics = metrics
    readsJSON = arguments.contains("json")
    guard readsJSON || metrics.contains(where: { $0.better != .neutral }) else {
      throw Failure(
        .usage, "cannot judge \(metrics.map { "'\($0.name)'" }.joined(separator: ", "))",
        cause: "it is not said which way is better",
        remedy: "write NAME:high=REGEX or NAME:low=REGEX, or add --metric wall")
    }
  }

  /// What a run left behind.
  public struct Output {
    /// Standard output, then standard error.
    public var text: String
    /// What it wrote as JSON; nil if `readsJSON` is false.
    public var json: Data?
    public var wallMilliseconds: Double
    public var userMilliseconds: Double
    /// Nil where it is smaller than what the kernel can tell.
    public var peakMiB: Double?

    public init(text: String, json: Data?, wallMilliseconds: Double, userMilliseconds: Double, peakMiB: Double?) {
      self.text = text
      self.json = json
      self.wallMilliseconds = wallMilliseconds
      self.userMilliseconds = userMilliseconds
      self.peakMiB = peakMiB
    }
  }

  /// The numbers of a run; `place` begins the sentence of the failure that is thrown where one is missing.
  public func run(_ output: Output, place: String) throws(Failure) -> CustomRun {
    var run = CustomRun()
    if let json = output.json { run = try CustomFormat.run(json, place: place) }
    for metric in metrics {
      guard !run.metrics.contains(where: { $0.scenario == nil && $0.name == metric.name }) else {
        throw Failure(
          .usage, "\(place) failed", cause: "'\(metric.name)' is in its JSON too", remedy: "choose another name")
      }
      run.metrics.append(
        .init(
          name: metric.name, unit: metric.unit, better: metric.better,
          values: [try value(of: metric, in: output, place: place)]))
    }
    return run
  }

  private func value(
    of metric: CustomMetric, in output: Output, place: String
  ) throws(Failure) -> Double {
    func failure(_ cause: String, _ remedy: String) -> Failure {
      Failure(.failed, "\(place) failed", cause: cause, remedy: remedy)
    }
    switch metric.source {
    case .wall: return output.wallMilliseconds
    case .user: return output.userMilliseconds
    case .rss:
      guard let peak = output.peakMiB else {
        throw failure(
          "its processes need less memory than bench360 itself, and the kernel tells no smaller value",
          "leave --metric rss out")
      }
      return peak
    case .pattern(let pattern):
      guard let text = NumberPattern(pattern)?.lastMatch(in: output.text) else {
        throw failure(
          "'\(pattern)' of metric '\(metric.name)' matches nothing in its output", "try the command by hand")
      }
      guard let value = Double(text), value.isFinite else {
        throw failure(
          "'\(pattern)' of metric '\(metric.name)' finds '\(oneLine(text, limit: 40))', which is not a number",
          "put the parentheses around the number only")
      }
      return value
    }
  }
}
