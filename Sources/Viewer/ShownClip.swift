import Frames

/// A clip's path or URL for display: without a URL's secrets, printable characters only.
struct ShownClip {
  /// The whole path, for a list of clips.
  let text: String

  init(_ path: String) { text = printable(redactingSecrets(ofArgument: path)) }

  /// The last component, for a title.
  var name: String { text.split(separator: "/").last.map(String.init) ?? text }
}
