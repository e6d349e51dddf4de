import Frames
import Offline
import Playlists

extension Downloads {
  /// What playing a folder plays: its download, or all whole ones of a library, by name; nil for a folder of other things.
  ///
  /// Throws `.input` where none of them is whole.
  static func clips(in folder: String) throws(Failure) -> [PlaylistItem]? {
    let downloads = try inside(folder)
    guard let first = downloads.first else { return nil }
    let items = downloads.compactMap { download in
      download.path.map { path in
        var item = PlaylistItem(path, title: download.name)
        item.duration = download.record.seconds.map { MediaTime(seconds: $0) }
        return item
      }
    }
    guard items.isEmpty else { return items }
    throw Failure(
      .input, "cannot play '\(folder)'",
      cause: downloads.count == 1 ? "the download '\(first.name)' is not whole" : "none of its downloads is whole",
      remedy: "load it again: 'bench360 download' goes on where it ended")
  }
}
