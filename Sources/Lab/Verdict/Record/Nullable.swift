/// A value that may be unknown: written as null, not left out, so that readers can distinguish the two.
///
/// A number that is not finite counts as unknown, since JSON cannot hold it. A missing key reads as nil: an earlier
/// build of the same schema may not have had the field.
@propertyWrapper
public struct Nullable<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  public var wrappedValue: Value?

  public init() {
    wrappedValue = nil
  }

  public init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    let isStorable = (wrappedValue as? Double)?.isFinite ?? true
    if let wrappedValue, isStorable {
      try container.encode(wrappedValue)
    } else {
      try container.encodeNil()
    }
  }
}

extension KeyedDecodingContainer {
  // Synthesised conformances find this overload, which forgives a missing key.
  func decode<Value>(_ type: Nullable<Value>.Type, forKey key: Key) throws -> Nullable<Value> {
    try decodeIfPresent(type, forKey: key) ?? Nullable()
  }
}
