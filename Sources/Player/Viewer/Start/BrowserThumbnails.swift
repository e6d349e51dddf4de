import Bench360Player
import Frames
import Window

/// Thumbnails of the files that a browser shows, made one after the other. Main thread only; the reading happens on
/// another one.
final class BrowserThumbnails {
  private let check: ClipCheck?
  private let network: NetworkOptions
  /// A file that has no thumbnail has nil.
  private var pictures: [String: SmallPicture?] = [:]
  private var durations: [String: MediaTime] = [:]
  private var work: (path: String, work: BackgroundWork<(SmallPicture?, duration: Double?)>)?
  private let interruption = Interruption()

  /// The limit of files whose thumbnails are kept.
  private static let limit = 500
  /// The share of a clip's duration that its thumbnail shows.
  private static let place = 0.1

  init(check: ClipCheck?, network: NetworkOptions) {
    (self.check, self.network) = (check, network)
  }

  deinit { interruption.request() }

  func picture(for path: String) -> SmallPicture? { pictures[path] ?? nil }

  /// Nil before its thumbnail was made, and where it is not known.
  func duration(of path: String) -> MediaTime? { durations[path] }

  /// Takes a finished thumbnail, and begins the next one of `files`; returns whether there is a new picture.
  func advance(_ files: [String]) -> Bool {
    var isNew = false
    if let (path, work) = work, let result = work.take() {
      if pictures.count >= Self.limit { (pictures, durations) = ([:], [:]) }
      let made = try? result.get()
      pictures.updateValue(made?.0, forKey: path)
      durations[path] = made?.duration.map { MediaTime(seconds: $0) }
      (self.work, isNew) = (nil, true)
    }
    if work == nil, let path = files.first(where: { pictures.index(forKey: $0) == nil }) { begin(path) }
    return isNew
  }

  /// Stops reading, and waits for a moment until the thread has ended.
  func stop() {
    interruption.request()
    _ = work?.work.wait(seconds: 0.5)
  }

  private func begin(_ path: String) {
    let made = BackgroundWork<(SmallPicture?, duration: Double?)>(onDone: { WindowSystem.wake() }) {
      [interruption, check, network] () throws(Failure) in
      try check?(path, network) { interruption.isRequested }
      let clip = try ProbedClip(path: path, network: network, interruption: interruption)
      let reader = try KeyFrameReader(of: clip, interruption: interruption)
      let place = MediaTime(seconds: (clip.info.durationSeconds ?? 0) * Self.place)
      return (try reader.picture(at: place), clip.info.durationSeconds)
    }
    work = (path, made)
  }
}
