import Frames
import Glibc

/// A folder that is being written: under a temporary name first, renamed by `finish`. One that is released before
/// `finish` removes its temporary folder. One thread at a time.
struct OutputFolder: ~Copyable {
  /// As the user gave it, for messages.
  let path: String
  private let place: String
  private let part: String
  private let entries: Set<String>

  /// Creates the temporary folder beside `path`.
  ///
  /// Throws `Failure(.output)` when that fails, or when `path` names something that `finish` must not replace: a file,
  /// or a folder with other entries than `entries`, which an earlier ladder has.
  init(path: String, entries: Set<String>) throws(Failure) {
    var place = OutputPlace.followingLinks(path)
    while place.count > 1 && place.hasSuffix("/") { place.removeLast() }
    (self.path, self.place, self.entries) = (path, place, entries)
    part = "\(place).part-\(getpid())"
    try Self.requireReplaceable(place, path, entries)
    removeTree(part)
    guard mkdir(part, 0o777) == 0 else {
      throw Failure(
        .output, "cannot write '\(path)'", cause: String(cString: strerror(errno)),
        remedy: "check that the folder above it exists and is writable")
    }
  }

  deinit {
    // Once finished, there is no folder of this name.
    removeTree(part)
  }

  /// Writes a file below the folder, and makes the folders on the way to it. Throws `Failure(.output)`.
  func write(_ bytes: [UInt8], to name: String) throws(Failure) {
    for (offset, _) in name.utf8.enumerated().filter({ $1 == UInt8(ascii: "/") }) {
      let folder = "\(part)/\(String(decoding: name.utf8.prefix(offset), as: UTF8.self))"
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw failure(name) }
    }
    let descriptor = open("\(part)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(name) }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        let failure = failure(name)
        close(descriptor)
        throw failure
      }
      written += count
    }
    guard close(descriptor) == 0 else { throw failure(name) }
  }

  /// Gives the folder its name. An earlier ladder there is removed after that; it stays when `Failure(.output)` is
  /// thrown.
  consuming func finish() throws(Failure) {
    try Self.requireReplaceable(place, path, entries)
    let old = "\(place).old-\(getpid())"
    let isReplacing = OutputPlace(at: place) == .folder
    guard !isReplacing || rename(place, old) == 0 else { throw failure(nil) }
    guard rename(part, place) == 0 else {
      let failure = failure(nil)
      if isReplacing { rename(old, place) }
      throw failure
    }
    if isReplacing { removeTree(old) }
  }

  private static func requireReplaceable(
    _ place: String, _ path: String, _ entries: Set<String>
  ) throws(Failure) {
    let attempt = "cannot write the ladder to '\(path)'"
    let remedy = "name another folder"
    switch OutputPlace(at: place) {
    case .nothing: return
    case .file, .special: throw Failure(.output, attempt, cause: "it is not a folder", remedy: remedy)
    case .folder:
      guard let present = names(in: place) else {
        throw Failure(.output, attempt, cause: String(cString: strerror(errno)), remedy: remedy)
      }
      guard let foreign = present.sorted().first(where: { !entries.contains($0) }) else { return }
      throw Failure(.output, attempt, cause: "the folder holds '\(foreign)', which is not of a ladder", remedy: remedy)
    }
  }

  private func failure(_ name: String?) -> Failure {
    Failure(
      .output, "cannot write '\(name.map { "\(path)/\($0)" } ?? path)'", cause: String(cString: strerror(errno)),
      remedy: "check the space and the permissions there")
  }
}

/// Nil with `errno` where `path` cannot be read as a folder.
private func names(in path: String) -> [String]? {
  guard let folder = opendir(path) else { return nil }
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}

/// Removes a file, or a folder with all that is in it; links are removed, not followed. What cannot be removed stays.
private func removeTree(_ path: String) {
  var status = stat()
  guard lstat(path, &status) == 0 else { return }
  guard status.st_mode & S_IFMT == S_IFDIR else {
    unlink(path)
    return
  }
  for name in names(in: path) ?? [] { removeTree("\(path)/\(name)") }
  rmdir(path)
}
