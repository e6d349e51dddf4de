import Frames

/// A clip's path or URL as it is shown: without what a URL keeps secret, and nothing that is not printable.
struct ShownClip {
  /// The whole, for a list of clips.
  let text: String

  init(_ path: String) { text = printable(redactingSecrets(ofArgument: path)) }

  /// The last part, for a title.
  var name: String { text.split(separator: "/").last.map(String.init) ?? text }
}
