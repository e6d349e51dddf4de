import Glibc

/// What lies where a file is to be written.
public enum OutputPlace: Sendable, Hashable {
  case nothing
  case file
  case folder
  /// A pipe, a terminal, a device: written into, never replaced.
  case special

  /// A link is followed; one that leads nowhere counts as nothing. Any thread.
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

  /// The path that is written for `path`: the target of a link, and of the links that it leads to, whether it exists or not.
  ///
  /// Every output of the program takes this way, so that a link stays and its target is replaced as a whole.
  public static func followingLinks(_ path: String) -> String {
    var place = path
    // As many as Linux follows.
    for _ in 0..<40 {
      guard let target = readlink(place) else { return place }
      place = target.hasPrefix("/") ? target : folder(of: place) + target
    }
    return path
  }

  /// With the slash at its end; empty for the current folder.
  private static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
  }

  /// Nil for what is no link.
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
