/// Answers with another `Content-Type`.
public struct WrongTypeFault: Fault {
  public static let kind = "wrong_type"
  public static let keys = ["type"]

  public var type: String

  public init(_ type: String) {
    self.type = type
  }

  public init(_ fields: FaultFields) throws(FaultFields.Refused) {
    type = try fields.text("type")
    guard type.utf8.allSatisfy({ $0 < 0x7F }) else {
      throw FaultFields.Refused(text: "the type of a fault of kind 'wrong_type' is not ASCII")
    }
  }

  public func apply(to plan: inout ResponsePlan) -> Bool {
    guard plan.fields.contains(name: "Content-Type") else { return false }
    plan.fields.replaceOrAdd(name: "Content-Type", value: type)
    return true
  }
}
