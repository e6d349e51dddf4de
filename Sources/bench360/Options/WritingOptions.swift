import ArgumentParser
import Frames

/// What all verbs that write files share.
struct WritingOptions: ParsableArguments {
  @Flag(help: "Replace a file of another kind where an output is to be written.")
  var force = false

  /// Throws `.output` where a file is in the place of an output that is of another kind, unless it is to be replaced.
  ///
  /// - Parameter path: nil and `-` pass.
  func check(_ path: String?, _ kind: OutputKind) throws(Failure) {
    guard let path, path != "-" else { return }
    try kind.checkReplaceable(path, force: force)
  }
}
