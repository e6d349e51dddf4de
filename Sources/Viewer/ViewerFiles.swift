import Glibc

/// The files that are to be shown, one after the other, and those that were.
struct ViewerFiles {
  var playlist: Playlist
  private(set) var recent: RecentFiles
  private let remember: (RecentFiles) -> Void
  /// A frame of any file was on screen; of the one that is shown.
  private(set) var hasShownAny = false
  private(set) var isShown = false

  init(_ files: [String], _ options: Viewer.Files) {
    playlist = Playlist(files)
    (recent, remember) = (options.recent, options.remember)
  }

  /// Another file is to be shown, or the same one again.
  mutating func begin() { isShown = false }

  /// A frame of the file is on screen: it comes first among the recent ones.
  mutating func noteShown(_ path: String) {
    (isShown, hasShownAny) = (true, true)
    recent.add(absolute(path))
    remember(recent)
  }

  /// The file cannot be shown, or no longer: what could be shown stays among the recent ones. Moves to another one; false
  /// where there is none.
  mutating func refuse(_ path: String) -> Bool {
    if !isShown {
      recent.remove(absolute(path))
      remember(recent)
    }
    playlist.refuseCurrent()
    return playlist.move(1) || playlist.move(-1)
  }
}

/// The same file from wherever it is named; URLs and what is not there stay as they are.
private func absolute(_ path: String) -> String {
  guard let resolved = realpath(path, nil) else { return path }
  defer { free(resolved) }
  return String(cString: resolved)
}
