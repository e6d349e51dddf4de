import Frames

/// A clip's path or URL for display: without a URL's secrets, printable characters only.
package struct ShownClip {
  /// The whole path, for a list of clips.
  package let text: String

  package init(_ path: String) { text = printable(redactingSecrets(ofArgument: path)) }

  /// The last component, for a title.
  package var name: String { text.split(separator: "/").last.map(String.init) ?? text }
}
