/// Sends the head in pieces over some seconds.
public struct SlowHeadersFault: Fault {
  public static let kind = "slow_headers"
  public static let keys = ["seconds"]

  public var seconds: Double

  public init(seconds: Double) {
    self.seconds = seconds
  }

  public init(_ fields: FaultFields) throws(FaultFields.Refused) {
    seconds = try fields.number("seconds", in: 0...86_400)
  }

  public func apply(to plan: inout ResponsePlan) -> Bool {
    plan.headSeconds = seconds
    return true
  }
}
