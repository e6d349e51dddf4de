import Frames

/// How an origin serves.
public struct OriginOptions: Sendable {
  /// The address that it listens on, of this machine: no other can connect to the default.
  public var address = "127.0.0.1"
  /// 0: a free port.
  public var port = 0
  /// The link to its clients; nil: as fast as the machine is.
  public var shape: LinkShape?
  /// The first faults of a response come first.
  public var faults: [FaultRule] = []
  /// A file that gets a line of JSON for each request; nil: none.
  public var logFile: String?
  /// Whether `Origin.log` keeps rows. An origin that runs for days keeps none.
  public var keepsLog = true
  /// Serves a ladder live, over and over; nil: the files as they are.
  public var live: LiveOptions?
  /// Chooses which packets are lost.
  public var seed: UInt64 = 0

  public init() {}
}
