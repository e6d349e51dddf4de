import Adaptation
import FoundationEssentials
import Frames
import Glibc
import Origin
import Streaming
import Verdict

/// The parent's setup for one trial's process.
public struct TrialPreparation: Sendable {
  /// Environment variables that differ from the parent's.
  public var environment: [String: String] = [:]
  /// For the record's settings.
  public var reasons: [ReasonKey: String] = [:]
  /// What the trial reads in place of the run's input.
  public var input: String?
  /// Where that input is a stream of the folder of this machine.
  var served: ServedFolder?
  /// Of the segments of a stream that the trial plays; nil: unknown.
  var quality: SegmentQualityTable?
  /// Serves that input; held until the process has ended.
  var origin: Origin?
  private var folder: String?

  public init() {}

  /// An empty folder that exists until `undo`.
  public mutating func makeFolder() throws(Failure) -> String {
    var template = Array((temporaryFolder + "bench360-trial-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(
        .output, "cannot prepare a trial", cause: "no folder can be made in '\(temporaryFolder)'",
        remedy: "set TMPDIR to a folder that can be written")
    }
    let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    folder = path
    return path
  }

  /// Removes everything that was made for it.
  public func undo() {
    if let folder { try? FileManager.default.removeItem(atPath: folder) }
  }
}
