import Frames
import Glibc
import Render

/// The files to show, in order, and the recent ones.
struct ViewerFiles {
  var playlist: Playlist
  private(set) var recent: RecentFiles
  private var positions: ClipPositions
  private var geometries: RememberedGeometries
  private let options: Viewer.Files
  private let given: [String]
  /// Whether a frame was on screen: of any file; of the current one.
  private(set) var hasShownAny = false
  private(set) var isShown = false

  init(_ files: [String], _ options: Viewer.Files) {
    (playlist, given) = (Playlist(files), files)
    (recent, positions, geometries) = (options.recent, options.positions, options.geometries)
    self.options = options
  }

  /// The files that the caller named are shown, not others that the user chose since.
  var areGiven: Bool { !given.isEmpty && playlist.files == given }

  /// Another file is about to be shown, or the same one again.
  mutating func begin() { isShown = false }

  /// A frame of the file is on screen: the file moves to the front of the recent ones.
  mutating func noteShown(_ path: String) {
    (isShown, hasShownAny) = (true, true)
    recent.add(absolute(path))
    options.remember(recent)
  }

  /// Where the user left the file before; nil: at its start.
  func position(in path: String) -> MediaTime? { positions.position(in: absolute(path)) }

  /// A file that was shown is closed.
  mutating func noteLeft(_ path: String, at place: MediaTime, of duration: MediaTime?) {
    guard isShown else { return }
    positions.leave(absolute(path), at: place, of: duration)
    options.rememberPositions(positions)
  }

  /// How the user wanted a file drawn; nil: the user never chose.
  func geometry(of path: String) -> RememberedGeometries.Entry? { geometries[absolute(path)] }

  /// The user wants a file drawn so.
  mutating func choose(_ geometry: PictureGeometry, for path: String) {
    geometries.remember(.init(path: absolute(path), projection: geometry.projection, stereo: geometry.stereo))
    options.rememberGeometries(geometries)
  }

  /// The file cannot be shown, or no longer; a file that was shown stays among the recent ones. The playlist stays where it is.
  mutating func refuse(_ path: String) {
    if path != playlist.current || !isShown {
      recent.remove(absolute(path))
      options.remember(recent)
    }
    playlist.refuse(path)
  }
}

/// A name of the file that holds in any folder; URLs and missing files keep theirs.
func absolute(_ path: String) -> String {
  guard let resolved = realpath(path, nil) else { return path }
  defer { free(resolved) }
  return String(cString: resolved)
}
