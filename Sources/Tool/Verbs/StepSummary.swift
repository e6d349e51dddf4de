import FoundationEssentials
import Frames

/// GitHub shows on the job's page the text appended to the file that `$GITHUB_STEP_SUMMARY` names.
enum StepSummary {
  /// Does nothing outside such a job. A failed write is reported, but is no failure: the answer stands.
  static func append(_ markdown: String) {
    guard let path = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
    if !FileManager.default.fileExists(atPath: path) { _ = FileManager.default.createFile(atPath: path, contents: nil) }
    do {
      try OpenFile(writing: path, appends: true).write(markdown.utf8)
    } catch {
      Console.error("cannot append to $GITHUB_STEP_SUMMARY '\(path)': it cannot be written")
    }
  }
}
