import Frames

/// Where clips were left, the newest first. Pure.
package struct ClipPositions: Sendable, Hashable {
  private struct Entry: Sendable, Hashable {
    /// Or URL.
    var path: String
    var seconds: Double
  }

  private var entries: [Entry] = []

  /// The limit of entries, and seconds at both ends of a clip that are not remembered.
  static let (limit, margin) = (200, 5.0)

  package init() {}

  /// One `SECONDS PATH` a line; other lines are ignored.
  package init(text: String) {
    for line in text.split(whereSeparator: \.isNewline).prefix(Self.limit) {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let seconds = Double(parts[0]), seconds.isFinite, seconds > 0 else { continue }
      entries.append(Entry(path: String(parts[1]), seconds: seconds))
    }
  }

  package var text: String {
    entries.map { "\(($0.seconds * 1000).rounded() / 1000) \($0.path)\n" }.joined()
  }

  /// Nil: from the start.
  package func position(in path: String) -> MediaTime? {
    entries.first { $0.path == path }.map { MediaTime(seconds: $0.seconds) }
  }

  /// A clip was left. Places near its start and end are forgotten.
  ///
  /// - Parameter duration: nil: unknown, as of live streams, which are not remembered.
  package mutating func leave(_ path: String, at place: MediaTime, of duration: MediaTime?) {
    entries.removeAll { $0.path == path }
    guard let duration, place.seconds >= Self.margin, place.seconds <= duration.seconds - Self.margin,
      RecentFiles.mayStore(path)
    else { return }
    entries = Array(([Entry(path: path, seconds: place.seconds)] + entries).prefix(Self.limit))
  }
}
