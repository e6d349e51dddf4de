import ArgumentParser
import Frames

/// Shared by all verbs that write files.
struct WritingOptions: ParsableArguments {
  @Flag(help: "Replace an existing file of another kind.")
  var force = false

  /// Throws `.output` if an existing file is of another kind than the output, unless it is to be replaced.
  ///
  /// - Parameter path: nil and `-` pass.
  func check(_ path: String?, _ kind: OutputKind) throws(Failure) {
    guard let path, path != "-" else { return }
    try kind.checkReplaceable(path, force: force)
  }
}
