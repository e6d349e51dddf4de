import Bench360Player
import Frames
import Glibc
import Playlists

/// The clips to show, in order, and the recent ones.
struct ViewerFiles {
  var queue: PlayQueue
  /// The list at the window's side.
  var panel = PlaylistPanel()
  /// Made while the panel is shown.
  var thumbnails: BrowserThumbnails?
  /// Of the playlist; nil: it has none.
  private(set) var title: String?
  /// Before the current clip.
  var gap: ClipGap?
  private(set) var recent: RecentFiles
  private var positions: ClipPositions
  private var geometries: RememberedGeometries
  private let options: Viewer.Files
  /// The caller named the entries of the queue.
  private(set) var areGiven: Bool
  /// Whether a frame was on screen: of any file; of the current one.
  private(set) var hasShownAny = false
  private(set) var isShown = false

  init(_ items: [PlaylistItem], _ options: Viewer.Files, _ settings: ViewerSettings) {
    queue = PlayQueue(items, seed: options.playlist.seed)
    queue.repeats = settings.repeats
    queue.shuffle(settings.isShuffled)
    areGiven = !items.isEmpty
    title = options.playlist.title
    (recent, positions, geometries) = (options.recent, options.positions, options.geometries)
    self.options = options
  }

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

  /// A clip cannot be shown, or no longer; one that was shown stays among the recent ones. The queue stays where it is.
  ///
  /// Returns whether the clip lies in another place, which is tried next.
  @discardableResult mutating func refuse(_ entry: PlayQueue.Entry) -> Bool {
    if entry.id != queue.current?.id || !isShown {
      recent.remove(absolute(entry.item.source))
      options.remember(recent)
      if queue.takeAlternative(of: entry.id) { return true }
    }
    queue.refuse(entry.id)
    return false
  }

  /// Other clips take the place of all in the queue; none change nothing.
  mutating func replace(with items: [PlaylistItem]) {
    guard !items.isEmpty else { return }
    queue.replace(with: items)
    (areGiven, title) = (false, nil)
  }

  /// Where to go from the current clip.
  enum Aim: Hashable {
    /// 1: to the next clip, -1: to the previous one.
    case way(Int)
    /// To an entry of the queue.
    case entry(Int)
  }

  /// What `move` would go to; nil: there is none.
  func entry(_ aim: Aim) -> PlayQueue.Entry? {
    switch aim {
    case .way(let way): queue.canSkip(way) ? queue.entry(after: way) : nil
    case .entry(let id): queue.entry(id).flatMap { $0.isRefused ? nil : $0 }
    }
  }

  /// Returns false, and does not move, where there is none.
  mutating func move(_ aim: Aim) -> Bool {
    guard entry(aim) != nil else { return false }
    switch aim {
    case .way(let way): return queue.skip(way) != nil
    case .entry(let id): return queue.go(to: id)
    }
  }

  /// Nothing is shown any more.
  mutating func clear() {
    queue.replace(with: [])
    areGiven = false
  }
}

/// A name of the file that holds in any folder; URLs and missing files keep theirs.
func absolute(_ path: String) -> String {
  guard let resolved = realpath(path, nil) else { return path }
  defer { free(resolved) }
  return String(cString: resolved)
}
