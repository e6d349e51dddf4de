import FoundationEssentials
import Frames
import Host

/// Where the records of an `ab` go.
struct RunFolder {
  private let path: String
  private let isKept: Bool

  /// Nil: a folder of its own among the temporary ones.
  init(keep: String?) throws(Failure) {
    isKept = keep != nil
    // Absolute, for a command may begin with 'cd'.
    let folder = keep.map { URL(filePath: $0).absoluteURL }
    path =
      (folder ?? FileManager.default.temporaryDirectory.appending(path: "bench360-ab-\(MeasuringSession.make())")).path
    let manager = FileManager.default
    do {
      for side in ["base", "head"] {
        let names = try? manager.contentsOfDirectory(atPath: path + "/\(side)")
        guard (names ?? []).isEmpty else {
          throw Failure(
            .output, "cannot keep records in '\(path)'", cause: "its folder '\(side)' is not empty",
            remedy: "name a new folder with --keep")
        }
      }
      for side in ["base", "head"] {
        try manager.createDirectory(atPath: path + "/\(side)", withIntermediateDirectories: true)
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(
        .output, "cannot keep records in '\(path)'", cause: "the folder cannot be made",
        remedy: "name a folder that can be written with --keep")
    }
  }

  /// The file for one run's record; with several inputs it is a folder.
  func file(side: String, number: Int) -> String {
    path + "/\(side)/\(formatted("%03d", number)).json"
  }

  func remove(_ file: String) {
    try? FileManager.default.removeItem(atPath: file)
  }

  /// At the end.
  func remove() {
    if !isKept { remove(path) }
  }
}
