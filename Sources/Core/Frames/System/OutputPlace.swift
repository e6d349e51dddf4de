import Glibc

/// The remedy where nothing more can be written, by the system's error number; nil for other errors.
package func fullDiskRemedy(_ code: Int32) -> String? {
  [ENOSPC, EDQUOT].contains(code) ? "make room, or name a file on another disk" : nil
}

/// The state of a path that a file is to be written to.
public enum OutputPlace: Sendable, Hashable {
  case nothing
  case file
  case folder
  /// A pipe, a terminal, a device: written into, never replaced.
  case special

  /// Follows links; a dangling link counts as no file. Any thread.
  public init(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .nothing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    default: self = .special
    }
  }

  /// The path to write for `path`: the final target of a chain of links, which need not exist.
  ///
  /// All outputs of the program use it, so that a link is kept and its target is replaced as a whole.
  public static func followingLinks(_ path: String) -> String {
    var place = path
    // Linux' own limit.
    for _ in 0..<40 {
      guard let target = readlink(place) else { return place }
      place = target.hasPrefix("/") ? target : folder(of: place) + target
    }
    return path
  }

  /// With a trailing slash; empty for the current folder.
  private static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
  }

  /// Nil where `path` is not a link.
  private static func readlink(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { letters in
        letters.baseAddress.map { Glibc.readlink(path, $0, letters.count) } ?? -1
      }
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }
}
