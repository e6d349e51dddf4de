/// A failed operation as one sentence: the attempt, its object, the cause, the remedy.
///
/// The sentence is one printable line (`printable`) without the secrets of URLs (`redactingSecrets`), for any text that
/// file names, servers and libraries contribute.
public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The class of a failure, for callers that react to it without parsing the sentence.
  public enum Kind: String, Sendable, Codable {
    /// The input is missing, unreadable, or not a file.
    case input
    /// The input is not media, damaged, or without video.
    case media
    /// Digital rights management stands in the way.
    case encrypted
    /// A codec, format or size that this build or device cannot handle.
    case unsupported
    /// No Vulkan device, or it failed.
    case device
    /// The device, or the window surface it draws to, was lost while in use; reopening it may succeed.
    case deviceLost
    /// Out of memory, on the device or in the machine; a smaller request may succeed.
    case memory
    /// The output cannot be written.
    case output
    /// The baseline of a comparison holds no record.
    case noBaseline
    /// Two measurements differ in more than the thing tested.
    case incomparable
    /// A measured result is incorrect: a wrong frame, or a seek that landed outside its tolerance.
    case incorrect
    /// The operation exceeded its time limit and was ended.
    case timeout
    /// The user stopped it.
    case cancelled
    /// The arguments make no sense together.
    case usage
    /// Anything else.
    case failed
  }

  public let kind: Kind
  /// `cannot open 'x.mp4'`
  public let attempt: String
  /// `moov atom not found`
  public let cause: String
  /// `the file is truncated or not an MP4`
  public let remedy: String?

  public init(_ kind: Kind, _ attempt: String, cause: String, remedy: String? = nil) {
    self.kind = kind
    func clean(_ text: String) -> String { redactingSecrets(printable(text)) }
    self.attempt = clean(attempt)
    self.cause = clean(cause)
    self.remedy = remedy.map(clean)
  }

  public var description: String {
    remedy.map { "\(attempt): \(cause) — \($0)" } ?? "\(attempt): \(cause)"
  }
}
