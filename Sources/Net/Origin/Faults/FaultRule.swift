/// When a fault happens: paths, counts and a window of time, all of which must agree.
public struct FaultRule: Sendable {
  public var pattern: PathPattern
  /// The nth requests of the same path, counted from 1; nil: each.
  public var nthOfPath: Set<Int64>?
  /// The nth requests of all that the pattern matches, counted from 1; nil: each.
  public var nthInAll: Set<Int64>?
  /// Seconds since the origin's first request, the end not included.
  public var window: Range<Double>
  public var fault: any Fault

  public init(
    path: String = "**", nthOfPath: Set<Int64>? = nil, nthInAll: Set<Int64>? = nil,
    window: Range<Double> = 0..<(.infinity), _ fault: any Fault
  ) {
    pattern = PathPattern(path)
    self.nthOfPath = nthOfPath
    self.nthInAll = nthInAll
    self.window = window
    self.fault = fault
  }

  /// The fields of a rule besides those of its kind.
  private static let keys = ["kind", "path", "nth_of_path", "nth_in_all", "from", "until"]
  private static let secondsLimit = 1e9

  init(_ fields: FaultFields) throws(FaultFields.Refused) {
    let kind = try fields.text("kind")
    guard let type = FaultTable.named(kind) else {
      throw FaultFields.Refused(
        text:
          "there is no kind '\(kind.prefix(40))'; there are: \(FaultTable.all.map { $0.kind }.joined(separator: ", "))")
    }
    try fields.requireOnly(Self.keys + type.keys)
    pattern = PathPattern(try fields.optionalText("path") ?? "**")
    nthOfPath = try fields.optionalWholes("nth_of_path", in: 1...1_000_000_000).map { Set($0) }
    nthInAll = try fields.optionalWholes("nth_in_all", in: 1...1_000_000_000).map { Set($0) }
    let start = try fields.optionalNumber("from", in: 0...Self.secondsLimit) ?? 0
    let end = try fields.optionalNumber("until", in: 0...Self.secondsLimit) ?? .infinity
    guard start < end else { throw FaultFields.Refused(text: "'from' is not before 'until' in a rule of '\(kind)'") }
    window = Range(from: start, to: end)
    fault = try type.init(fields)
  }
}
