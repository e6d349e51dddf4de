import FoundationEssentials
import Frames

/// The numbers of one run of another program; as JSON it is what `ab --keep` keeps of the run, and the documented form
/// that a program may write itself.
public struct CustomRun: Hashable, Sendable {
  public static let schema = "bench360-numbers/1"

  /// The clip, scene or other input that was measured, and the device, where the program says so.
  public var input: String?
  public var device: String?
  public var metrics: [Number]

  public init(input: String? = nil, device: String? = nil, metrics: [Number] = []) {
    self.input = input
    self.device = device
    self.metrics = metrics
  }

  /// One metric of the run.
  public struct Number: Hashable, Sendable {
    /// The part of the program that was measured; nil: the whole command.
    public var scenario: String?
    public var variant: String?
    public var name: String
    public var unit: String
    public var better: Metric.Polarity
    /// Finite, at least one: a run counts as their median.
    public var values: [Double]
    /// Whether it is judged where no gate is named.
    public var isMain = true
  }

  /// Whether both count the same thing.
  struct Key: Hashable {
    var scenario: String?
    var variant: String?
    var name: String
  }
}

extension CustomRun.Number {
  var key: CustomRun.Key { .init(scenario: scenario, variant: variant, name: name) }

  var quantity: Quantity {
    // The system's own readings are no finer than a scheduler's slice and a page of the program's libraries.
    let isMeasuredHere = CustomMetric.builtIn.contains { $0.name == name } && scenario == nil
    return Quantity(name: name, unit: unit, polarity: better, absoluteFloor: isMeasuredHere ? 1 : 0, isTime: true)
  }
}

extension CustomRun.Number: Codable {
  private enum CodingKeys: CodingKey { case scenario, variant, name, unit, better, values }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    scenario = try container.decodeIfPresent(String.self, forKey: .scenario)
    variant = try container.decodeIfPresent(String.self, forKey: .variant)
    name = try container.decode(String.self, forKey: .name)
    unit = try container.decodeIfPresent(String.self, forKey: .unit) ?? ""
    better = try container.decodeIfPresent(Metric.Polarity.self, forKey: .better) ?? .neutral
    values = try container.decode([Double].self, forKey: .values)
  }
}

extension CustomRun: Codable {
  private enum CodingKeys: CodingKey { case schema, input, device, metrics }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    input = try container.decodeIfPresent(String.self, forKey: .input)
    device = try container.decodeIfPresent(String.self, forKey: .device)
    metrics = try container.decode([Number].self, forKey: .metrics)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.schema, forKey: .schema)
    try container.encodeIfPresent(input, forKey: .input)
    try container.encodeIfPresent(device, forKey: .device)
    try container.encode(metrics, forKey: .metrics)
  }
}
