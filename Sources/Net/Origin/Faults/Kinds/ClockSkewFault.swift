/// Answers with a `Date` that is wrong by some seconds.
public struct ClockSkewFault: Fault {
  public static let kind = "clock_skew"
  public static let keys = ["seconds"]

  /// Added to the clock; negative: the origin's clock is slow.
  public var seconds: Int64

  public init(seconds: Int64) {
    self.seconds = seconds
  }

  public init(_ fields: FaultFields) throws(FaultFields.Refused) {
    guard let seconds = try fields.optionalWhole("seconds", in: -(1 << 40)...(1 << 40)) else {
      throw FaultFields.Refused(text: "a fault of kind 'clock_skew' does not say by how many seconds")
    }
    self.seconds = seconds
  }

  public func apply(to plan: inout ResponsePlan) -> Bool {
    plan.dateOffsetSeconds = seconds
    return true
  }
}
