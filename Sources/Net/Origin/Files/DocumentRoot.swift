import Frames
import Glibc

/// The files that an origin serves: all below a folder, or one file. A value, from any thread.
///
/// What a path leads to is checked on the opened file, so that no link and no race leads out of the folder.
struct DocumentRoot: Sendable {
  /// Why no file is served.
  enum Refusal: Error, Hashable {
    case missing
    /// A folder, a device, a file that cannot be read, or one outside the folder.
    case forbidden(String)
    /// The process has no descriptors left.
    case busy
  }

  /// Without links.
  let root: String
  /// The one file's name; nil for a folder.
  let file: String?

  /// Throws `.input` where there is neither a folder nor a regular file.
  init(_ path: String) throws(Failure) {
    let attempt = "cannot serve '\(path)'"
    guard let real = Self.realPath(path) else {
      throw Failure(
        .input, attempt, cause: String(cString: strerror(errno)).lowercased(), remedy: "name a folder or a file")
    }
    var status = stat()
    guard stat(real, &status) == 0, [S_IFDIR, S_IFREG].contains(status.st_mode & S_IFMT) else {
      throw Failure(
        .input, attempt, cause: "it is neither a folder nor a regular file", remedy: "name a folder or a file")
    }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    guard access(real, isFolder ? R_OK | X_OK : R_OK) == 0 else {
      throw Failure(.input, attempt, cause: "permission denied", remedy: "make it readable for this user")
    }
    let name = path.split(separator: "/").last.map(String.init)
    (root, file) = (real, isFolder ? nil : name ?? "")
  }

  /// The path of the one file; `/` for a folder.
  var entryPath: String { "/" + (file ?? "") }

  /// The file that a request asks for. Blocks: never on an event loop.
  func open(_ target: RequestTarget) throws(Refusal) -> ServedFile {
    if let file {
      guard target.segments == [file] else {
        throw target.segments.isEmpty ? .forbidden("folders are not listed") : .missing
      }
      return try open(root)
    }
    return try open(([root == "/" ? "" : root] + target.segments).joined(separator: "/"))
  }

  private func open(_ path: String) throws(Refusal) -> ServedFile {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw [EACCES, ELOOP].contains(errno) ? .forbidden("it cannot be read") : .missing
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .forbidden("folders are not listed")
    default: throw .forbidden("it is not a regular file")
    }
    // Another kind of file may have taken its place by now: opening a pipe would block.
    let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard number >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw .missing
      case EMFILE, ENFILE: throw .busy
      default: throw .forbidden("it cannot be read")
      }
    }
    let descriptor = FileDescriptor(owning: number)
    guard isInside(descriptor) else { throw .forbidden("it is outside the folder") }
    guard let file = ServedFile(owning: descriptor) else { throw .forbidden("it is not a regular file") }
    return file
  }

  /// Whether the open file lies below the folder, by the kernel's own name of it.
  private func isInside(_ descriptor: FileDescriptor) -> Bool {
    guard file == nil, root != "/" else { return true }
    return Self.realPath("/proc/self/fd/\(descriptor.rawValue)")?.hasPrefix(root + "/") ?? false
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
