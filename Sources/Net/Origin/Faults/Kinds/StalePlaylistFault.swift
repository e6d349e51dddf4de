/// Serves the first version of a file that any request under such a rule has seen, as a cache that is never renewed.
public struct StalePlaylistFault: Fault {
  public static let kind = "stale_playlist"
  public static let keys: [String] = []

  public init() {}

  public init(_ fields: FaultFields) throws(FaultFields.Refused) {}

  public var servesFirstVersion: Bool { true }

  public func apply(to plan: inout ResponsePlan) -> Bool { plan.status < 400 }
}
