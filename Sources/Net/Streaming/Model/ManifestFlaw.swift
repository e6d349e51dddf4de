import Frames

/// The cause of a refusal, without the manifest's name.
package struct ManifestFlaw: Error {
  package var kind = Failure.Kind.media
  /// Counted from 1.
  package var line: Int?
  package var cause: String
  package var remedy: String? = "it is damaged, or made for another player"

  package init(_ cause: String, line: Int? = nil) {
    self.cause = cause
    self.line = line
  }

  /// A recognised feature that is not supported.
  package static func unsupported(_ cause: String, line: Int? = nil, remedy: String? = nil) -> ManifestFlaw {
    var flaw = ManifestFlaw(cause, line: line)
    flaw.kind = .unsupported
    flaw.remedy = remedy
    return flaw
  }

  /// Digital rights management.
  package static func encrypted(_ cause: String, line: Int? = nil) -> ManifestFlaw {
    var flaw = ManifestFlaw(cause, line: line)
    flaw.kind = .encrypted
    flaw.remedy = "ask the publisher for a stream without DRM"
    return flaw
  }

  package func failure(_ noun: String, _ address: StreamAddress) -> Failure { failure(noun, address.description) }

  /// - Parameter name: of the text, without secrets.
  package func failure(_ noun: String, _ name: String) -> Failure {
    let place = line.map { "line \($0): " } ?? ""
    return Failure(
      kind, "cannot read the \(noun) '\(name)'", cause: place + oneLine(cause), remedy: remedy)
  }
}

/// Counts URLs and timeline entries, and refuses a manifest beyond the limits.
struct ManifestBudget {
  private var addressBytes = 0
  private var timelineEntries = 0

  mutating func spend(_ address: StreamAddress) throws(ManifestFlaw) {
    addressBytes += address.text.utf8.count
    guard addressBytes <= ManifestLimits.addressTotal else {
      throw ManifestFlaw("its URLs are longer than \(ManifestLimits.addressTotal >> 20) MiB together")
    }
  }

  mutating func spend(timelineEntries count: Int) throws(ManifestFlaw) {
    timelineEntries += count
    guard timelineEntries <= ManifestLimits.timelineEntryCount else {
      throw ManifestFlaw("its timelines have more than \(ManifestLimits.timelineEntryCount) entries")
    }
  }
}
