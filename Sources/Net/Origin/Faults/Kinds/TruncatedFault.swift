/// Closes the connection in good order after so many bytes of the body, short of its `Content-Length`.
public struct TruncatedFault: Fault {
  public static let kind = "truncated"
  public static let keys = ["after"]

  /// Bytes of the body that are sent, fewer than it has.
  public var after: Int64

  public init(after: Int64) {
    self.after = after
  }

  public init(_ fields: FaultFields) throws(FaultFields.Refused) {
    guard let after = try fields.optionalWhole("after", in: 0...(1 << 50)) else {
      throw FaultFields.Refused(text: "a fault of kind 'truncated' does not say after how many bytes")
    }
    self.after = after
  }

  public func apply(to plan: inout ResponsePlan) -> Bool {
    after < plan.bodyBytes && plan.plant(.close, after: after)
  }
}
