/// Something that could not be done, told in one sentence: what was tried, on what, why it failed, what to do.
///
/// Whatever file names, servers and libraries put into it, the sentence is one line that a terminal can be given
/// (`printable`), without the secrets of URLs (`redactingSecrets`).
public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What callers may want to tell apart without reading the sentence.
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
    /// The device, or the window that it draws in, was lost while it worked: opened anew it may go on.
    case deviceLost
    /// No memory is left for it, on the device or in the machine: something smaller may fit.
    case memory
    /// The output cannot be written.
    case output
    /// There is nothing to compare with.
    case noBaseline
    /// Two measurements differ in more than the thing tested.
    case incomparable
    /// What was measured is wrong: wrong frame, landing outside tolerance.
    case incorrect
    /// It hung and was ended.
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
