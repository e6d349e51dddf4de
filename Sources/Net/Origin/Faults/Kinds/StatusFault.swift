/// Answers with an error: 404, 500, 503 and others from 400 to 599.
public struct StatusFault: Fault {
  public static let kind = "status"
  public static let keys = ["status", "retry_after"]

  public var status: Int
  /// Seconds in a `Retry-After` field; nil: no such field.
  public var retryAfter: Int?

  public init(_ status: Int, retryAfter: Int? = nil) {
    self.status = status
    self.retryAfter = retryAfter
  }

  public init(_ fields: FaultFields) throws(FaultFields.Refused) {
    guard let status = try fields.optionalWhole("status", in: 400...599) else {
      throw FaultFields.Refused(text: "a fault of kind 'status' has no status")
    }
    self.init(Int(status), retryAfter: try fields.optionalWhole("retry_after", in: 0...1_000_000).map { Int($0) })
  }

  public func apply(to plan: inout ResponsePlan) -> Bool {
    var refusal = ResponsePlan(status: status, reason: "planted by a rule", retryAfter: retryAfter)
    refusal.dateOffsetSeconds = plan.dateOffsetSeconds
    refusal.headSeconds = plan.headSeconds
    plan = refusal
    return true
  }
}
