import Bench360Player
import Frames

/// How the user last wanted each clip drawn, newest first. Pure.
package struct RememberedGeometries: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    /// A path or URL.
    package var path: String
    package var projection: Projection
    package var stereo: StereoLayout

    package init(path: String, projection: Projection, stereo: StereoLayout) {
      (self.path, self.projection, self.stereo) = (path, projection, stereo)
    }
  }

  package private(set) var entries: [Entry] = []
  /// The limit of entries.
  static let limit = 200

  package init() {}

  package subscript(path: String) -> Entry? { entries.first { $0.path == path } }

  /// Replaces the clip's entry. Names with a line break, and URLs with a password, are not stored.
  package mutating func remember(_ entry: Entry) {
    guard RecentFiles.mayStore(entry.path) else { return }
    entries = Array(([entry] + entries.filter { $0.path != entry.path }).prefix(Self.limit))
  }

  /// One entry a line: `flat mono /clips/a.mp4`. Other lines are ignored.
  package init(text: String) {
    entries = text.split(whereSeparator: \.isNewline).prefix(Self.limit).compactMap { line in
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count == 3, let projection = Projection(rawValue: words[0]),
        let stereo = StereoLayout(rawValue: words[1])
      else { return nil }
      return Entry(path: words[2], projection: projection, stereo: stereo)
    }
  }

  package var text: String {
    entries.map { "\($0.projection.rawValue) \($0.stereo.rawValue) \($0.path)\n" }.joined()
  }
}
