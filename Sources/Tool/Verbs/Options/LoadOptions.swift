import Adaptation
import ArgumentParser
import Verdict

/// When a player loads and plays, and which rungs it may take.
struct LoadOptions: ParsableArguments {
  @Option(.buffer)
  var buffer = BufferArgument(minimum: 25, maximum: 25)

  @Option(.resumeBuffer)
  var resumeBuffer = 0.0

  @Option(.estimator)
  var estimator = EstimatorArgument()

  @Option(.peakBitrate)
  var peakBitrate: BitrateArgument?

  @Option(.startBitrate)
  var startBitrate: BitrateArgument?

  mutating func validate() throws { try Setting.resumeBuffer.check(resumeBuffer) }

  var policy: LoadPolicy {
    var policy = LoadPolicy(minimum: buffer.minimum, maximum: buffer.maximum, resume: resumeBuffer)
    policy.peakBitrate = peakBitrate?.bitsPerSecond
    policy.startBitrate = startBitrate?.bitsPerSecond
    return policy
  }
}

/// `MIN,MAX` in seconds, or one number for both.
struct BufferArgument: ExpressibleByArgument {
  let minimum: Double
  let maximum: Double

  init(minimum: Double, maximum: Double) {
    (self.minimum, self.maximum) = (minimum, maximum)
  }

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard (1...2).contains(parts.count), let minimum = parts[0], let maximum = parts[parts.count - 1],
      LoadPolicy.limits.contains(minimum), LoadPolicy.limits.contains(maximum), minimum <= maximum
    else { return nil }
    self.init(minimum: minimum, maximum: maximum)
  }

  var defaultValueDescription: String { "\(Int(minimum)),\(Int(maximum))" }
}

/// `5M`, `800k`, or bit/s.
struct BitrateArgument: ExpressibleByArgument {
  let bitsPerSecond: Double

  init?(argument: String) {
    let factors: [Character: Double] = ["k": 1e3, "M": 1e6, "G": 1e9]
    let factor = argument.last.flatMap { factors[$0] }
    guard let number = Double(factor == nil ? argument : String(argument.dropLast())) else { return nil }
    let rate = number * (factor ?? 1)
    guard RungTable.Limits.bitrate.contains(rate) else { return nil }
    bitsPerSecond = rate
  }
}

/// One of the throughput estimators, by name.
struct EstimatorArgument: ExpressibleByArgument {
  var row = EstimatorRow.all[0]

  init() {}

  init?(argument: String) {
    guard let row = EstimatorRow.named(argument) else { return nil }
    self.row = row
  }

  static var allValueStrings: [String] { EstimatorRow.all.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  var defaultValueDescription: String { row.name }
}
