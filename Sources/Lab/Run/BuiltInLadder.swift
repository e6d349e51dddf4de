import Encode
import FoundationEssentials
import Frames
import Verdict

/// The ladder that is served when the user names nothing: made once, kept in the user's cache folder.
public enum BuiltInLadder {
  /// Three rungs of a sphere, 20 s.
  public static let specification: LadderSpecification = {
    var ladder = LadderSpecification(projection: .equirectangular)
    ladder.rungs = [
      LadderSpecification.Rung(size: PictureSize(width: 480, height: 240), bitRate: 300_000),
      LadderSpecification.Rung(size: PictureSize(width: 640, height: 320), bitRate: 600_000),
      LadderSpecification.Rung(size: PictureSize(width: 1280, height: 640), bitRate: 1_800_000),
    ]
    ladder.clip.frames = 600
    return ladder
  }()

  /// The ladder's folder, present or not; a change of the recipe changes the name.
  public static func path(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
    let size = specification.rungs.last.map { "\($0.size)" } ?? ""
    return
      "\(BuiltInCache.folder(environment))/ladder-2-\(specification.rungs.count)-\(size)-\(specification.clip.seed)"
  }

  /// Makes the ladder unless it exists, and returns its folder. Two processes that start together wait for each other.
  ///
  /// - Parameter progress: the share that is done; false cancels.
  public static func ensure(progress: (Double) -> Bool) throws -> String {
    let path = path()
    try BuiltInCache.ensure(path, called: "the built-in ladder", insteadName: "a folder") {
      try generateLadder(specification, to: path, json: { [UInt8](try RecordCoding.encode($0)) }) {
        progress($0.fraction)
      }
    }
    return path
  }

  /// What a player opens, relative to a ladder's folder. Throws `.input` where its `ladder.json` cannot be read.
  public static func presentations(in folder: String) throws -> [String] {
    guard let data = FileManager.default.contents(atPath: folder + "/ladder.json"),
      let index = try? RecordCoding.decode(LadderIndex.self, from: data, name: "ladder.json")
    else {
      throw Failure(
        .input, "cannot serve the built-in ladder", cause: "'\(folder)/ladder.json' cannot be read",
        remedy: "remove that folder, and it is made anew")
    }
    return index.presentations.map(\.file)
  }
}
