import Encode
import Foundation
import Frames

/// Ladders that many tests read: made once for a run of the tests, removed at its end.
public enum SharedLadders {
  /// A ladder's folder and its index.
  public struct Ladder: Sendable {
    public var folder: String
    public var index: LadderIndex
    public func path(_ name: String) -> String { folder + "/" + name }
    public func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

    /// All of a rendition in one file, in the clips' folder: initialization segment and segments one after the other.
    public func joined(_ rendition: LadderIndex.Rendition) throws -> String {
      let suffix = rendition.packaging == .ts ? "ts" : "mp4"
      let name = rendition.segments.first?.file.replacing("/", with: "-") ?? ""
      let owner = URL(filePath: folder).lastPathComponent
      return try SharedClips.file("\(owner)-\(name).whole.\(suffix)") { path in
        let files = [rendition.initialization?.file].compactMap { $0 } + rendition.segments.map(\.file)
        try files.map(bytes).reduce(Data(), +).write(to: URL(filePath: path))
      }
    }
  }

  /// Two flat rungs of 4.5 s, of which the lower one is the smallest that is offered; segments of one second, the last of
  /// half a second.
  public static func flat() throws -> Ladder {
    try ladder("ladder-flat") { _ in }
  }

  /// The smallest sphere whose code can be read, and the lowest default rung.
  public static func sphere() throws -> Ladder {
    try ladder("ladder-sphere") {
      $0 = LadderSpecification(projection: .equirectangular)
      $0.rungs = [
        LadderSpecification.Rung(size: PictureSize(width: 480, height: 240), bitRate: 400_000),
        LadderSpecification.Rung(size: PictureSize(width: 640, height: 320), bitRate: 500_000),
      ]
    }
  }

  /// The flat ladder but for `change`, made anew for each name.
  public static func ladder(_ name: String, _ change: (inout LadderSpecification) -> Void) throws -> Ladder {
    try ladder(name, small(change))
  }

  /// Made anew for each name.
  public static func ladder(_ name: String, _ specification: LadderSpecification) throws -> Ladder {
    let folder = try SharedClips.file(name) { path in try generateLadder(specification, to: path, json: json) }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let data = try Data(contentsOf: URL(filePath: folder + "/ladder.json"))
    return Ladder(folder: folder, index: try decoder.decode(LadderIndex.self, from: data))
  }

  public static func small(_ change: (inout LadderSpecification) -> Void = { _ in }) -> LadderSpecification {
    var ladder = LadderSpecification(projection: .flat)
    ladder.rungs = Array(LadderSpecification.flatRungs.prefix(2))
    change(&ladder)
    ladder.clip.frames = 135
    ladder.segmentSeconds = 1
    return ladder
  }

  /// As the program writes the index.
  public static func json(_ index: LadderIndex) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(index))
  }
}
