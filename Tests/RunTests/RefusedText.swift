import Testing

/// A file's text that must be refused, told by its name where tests are listed: some texts are megabytes long.
struct RefusedText: Sendable, CustomTestStringConvertible {
  var name: String
  var text: String
  /// What the refusal says.
  var words: String

  var testDescription: String { name }
}
