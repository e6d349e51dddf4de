import Glibc

/// Where temporary files are made, with a trailing slash: `$TMPDIR`, else `/tmp/`.
package var temporaryFolder: String {
  let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
  let folder = named.isEmpty ? "/tmp" : named
  return folder.hasSuffix("/") ? folder : folder + "/"
}

// The parts of a path. Slashes at its end do not count.
extension String {
  /// The name of the file or folder itself; `/` of the root.
  package var lastPathComponent: String {
    let path = withoutEndingSlashes
    return path == "/" ? path : String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
  }

  /// The path of the folder it lies in; empty where only a name is given.
  package var deletingLastPathComponent: String {
    let path = withoutEndingSlashes
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash]).withoutEndingSlashes
  }

  /// Behind the last dot of the name, without it; empty where there is none, and of a name that begins with its only dot.
  package var pathExtension: String {
    let name = lastPathComponent
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }

  package var deletingPathExtension: String {
    let (path, suffix) = (withoutEndingSlashes, pathExtension)
    return suffix.isEmpty ? path : String(path.dropLast(suffix.count + 1))
  }

  package func appendingPathComponent(_ name: String) -> String {
    isEmpty || hasSuffix("/") ? self + name : self + "/" + name
  }

  private var withoutEndingSlashes: String {
    var path = self[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}
