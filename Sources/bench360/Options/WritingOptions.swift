import ArgumentParser
import Frames

/// Shared by all verbs that write files.
struct WritingOptions: ParsableArguments {
  @Flag(help: "Replace a file of another kind where an output is to be written.")
  var force = false

  /// Throws `.output` if an existing file is of another kind than the output, unless it is to be replaced.
  ///
  /// - Parameter path: nil and `-` pass.
  func check(_ path: String?, _ kind: OutputKind) throws(Failure) {
    guard let path, path != "-" else { return }
    try kind.checkReplaceable(path, force: force)
  }
}
