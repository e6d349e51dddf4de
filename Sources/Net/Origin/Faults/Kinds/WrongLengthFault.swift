/// Announces a `Content-Length` that is not the body's. The connection stays open, as a careless server's would.
public struct WrongLengthFault: Fault {
  public static let kind = "wrong_length"
  public static let keys = ["by"]

  /// Added to the length; the sum is at least 0.
  public var by: Int64

  public init(by: Int64) {
    self.by = by
  }

  public init(_ fields: FaultFields) throws(FaultFields.Refused) {
    guard let by = try fields.optionalWhole("by", in: -(1 << 50)...(1 << 50)), by != 0 else {
      throw FaultFields.Refused(text: "a fault of kind 'wrong_length' does not say by how many bytes")
    }
    self.by = by
  }

  public func apply(to plan: inout ResponsePlan) -> Bool {
    if case .none = plan.body { return false }
    plan.announcedBytes = max(0, plan.bodyBytes + by)
    return plan.announcedBytes != plan.bodyBytes
  }
}
