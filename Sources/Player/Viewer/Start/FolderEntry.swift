import Bench360Player
import Frames
import Glibc

/// A file or folder, as a folder lists it.
package struct FolderEntry: Sendable, Hashable {
  package var name: String
  package var isFolder: Bool
  package var bytes: Int64
  /// Seconds since 1970.
  package var modified: Double

  package init(name: String, isFolder: Bool = false, bytes: Int64 = 0, modified: Double = 0) {
    (self.name, self.isFolder, self.bytes, self.modified) = (name, isFolder, bytes, modified)
  }

  /// Whether a file browser for clips lists it: folders and files with an extension of clips, hidden ones excepted.
  package var isListed: Bool { !name.hasPrefix(".") && (isFolder || ClipNames.isClip(name) || isPlaylist) }

  /// It names other inputs.
  var isPlaylist: Bool { ClipNames.isPlaylist(name) }

  /// Empty for a folder.
  package func sizeText(_ words: Words = .english) -> String { isFolder ? "" : words.bytes(bytes) }

  /// `2026-11-23 05:58` of this machine's time zone.
  package func dateText(_ words: Words = .english) -> String {
    guard modified > 0, modified < 1e11 else { return "" }
    var (time, parts) = (time_t(modified), tm())
    guard localtime_r(&time, &parts) != nil else { return "" }
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let day = words.date(year: "\(parts.tm_year + 1900)", month: two(parts.tm_mon + 1), day: two(parts.tm_mday))
    return day + " \(two(parts.tm_hour)):\(two(parts.tm_min))"
  }
}
