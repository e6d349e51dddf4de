/// One of several players that loaded a stream at the same time in one trial.
public struct StreamClient: Hashable, Sendable, Codable {
  /// From 1, in the order in which they started.
  public var number: Int
  /// When its stream was opened, in seconds since the first client of the trial opened its own; its session counts from there.
  public var opened: Double
  public var session: StreamSession
  /// Why it ended early, as a sentence without secrets. Absent, not null, where it did not.
  public var problem: String?

  public init(number: Int, opened: Double, session: StreamSession, problem: String? = nil) {
    (self.number, self.opened, self.session) = (number, roundedToMicroseconds(opened), session)
    self.problem = problem
  }
}

extension StreamClient {
  /// Of one trial.
  package static let limit = 1 << 10

  /// Why clients that were read cannot be a trial's, as a sentence; nil for plausible ones.
  static func flaw(of clients: [StreamClient]) -> String? {
    if clients.count > limit { return "there are more than \(limit) clients" }
    if let opened = clients.map(\.opened).first(where: { !(abs($0) <= StreamSession.timeLimit) }) {
      return "\(opened) s is not an instant of a trial"
    }
    return clients.lazy.compactMap { client in client.session.flaw.map { "client \(client.number): \($0)" } }.first
  }
}

extension Record.Trial {
  /// Of the one player, or of each client.
  package var sessions: [StreamSession] { stream.map { [$0] } ?? clients?.map(\.session) ?? [] }
}
