import Adaptation
import HTTP

/// How a stream is loaded.
public struct StreamOptions: Sendable {
  public var controller: ControllerChoice
  public var estimator = EstimatorRow.all[0]
  public var load = LoadPolicy()
  public var retries = RetryPolicy()
  /// Playing begins here, in seconds from the stream's start.
  public var startTime = 0.0
  /// Of the waits between retries.
  public var seed: UInt64 = 1
  /// What servers are told; nil: nothing.
  public var cmcd: CMCDOptions?
  /// As `NetworkOptions` has it.
  public var verifiesCertificates = true

  public init(controller: ControllerChoice) { self.controller = controller }

  /// Most bytes of one segment, and of one initialisation section or index.
  static let segmentBytes: Int64 = 256 << 20
  static let headerBytes: Int64 = 16 << 20
}
