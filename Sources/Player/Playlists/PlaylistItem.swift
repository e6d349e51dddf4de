import Frames
import Render

/// A clip that is to be played, and what a playlist says of it.
public struct PlaylistItem: Sendable, Hashable {
  /// A path or URL.
  public var source: String
  /// The same clip elsewhere, or in other formats: tried in order where `source` cannot be played.
  public var alternatives: [String] = []
  /// Nil: the source's name stands for it.
  public var title: String?
  /// Paths or URLs.
  public var subtitles: [String] = []
  /// The path or URL of a picture.
  public var poster: String?
  /// Nil: what the clip says.
  public var projection: Projection?
  public var stereo: StereoLayout?
  /// Where playing begins; nil: at the start, or where it was left.
  public var start: MediaTime?
  /// As the playlist tells; nil where it does not.
  public var duration: MediaTime?

  public init(_ source: String, title: String? = nil) { (self.source, self.title) = (source, title) }
}

/// A list of clips with a name.
public struct PlaylistFile: Sendable, Hashable {
  /// Nil where it has none.
  public var title: String?
  public var items: [PlaylistItem]

  public init(title: String? = nil, items: [PlaylistItem]) { (self.title, self.items) = (title, items) }
}

/// Limits of playlists: files are hostile.
enum PlaylistLimits {
  /// Of the file.
  static let byteCount = 4 << 20
  static let itemCount = 20_000
  /// Playlists inside a playlist, and inside those.
  static let depth = 8
  /// Playlists and folders that are read for one playlist.
  static let fileCount = 1000
  /// Characters of a text that people read.
  static let textLength = 500
}

/// Where the places that a playlist names lie.
struct PlaylistBase {
  /// The folder of the playlist, with `/` at its end; empty: the present one.
  private let folder: String

  /// - Parameter path: of this machine.
  init(file path: String) {
    folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// A path or URL as the playlist writes it, seen from the present folder. Nil for an empty one.
  func resolving(_ reference: String) -> String? {
    let place = reference.trimmed
    guard !place.isEmpty, !place.utf8.contains(0) else { return nil }
    if place.hasPrefix("/") { return place }
    if let colon = place.firstRange(of: "://"), place[..<colon.lowerBound].allSatisfy({ $0.isASCII && $0.isLetter }) {
      return place
    }
    return folder + place
  }
}

extension StringProtocol {
  /// For people, or nil where nothing is left.
  var shownText: String? {
    let text = printable(String(trimmed.prefix(PlaylistLimits.textLength)))
    return text.isEmpty ? nil : text
  }
}
