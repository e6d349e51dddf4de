import Frames
import Glibc

/// The temporary and the final path of a file. Links are followed, so that their target is replaced.
struct OutputTarget {
  /// The path as the user gave it, for messages.
  let path: String
  /// The path that is written.
  let place: String
  /// The temporary file beside it, until the file is complete.
  let part: String
  /// A pipe or a device is written into instead.
  let isSpecial: Bool

  /// Throws `Failure(.output)` for a folder.
  init(_ path: String) throws(Failure) {
    let kind = OutputPlace(at: path)
    guard kind != .folder else {
      throw Failure(.output, "cannot write '\(path)'", cause: "it is a folder", remedy: "name a file")
    }
    self.path = path
    place = OutputPlace.followingLinks(path)
    part = "\(place).part-\(getpid())"
    isSpecial = kind == .special
  }

  /// Makes the missing folders above the file. Throws `Failure(.output)`; folders made by then stay.
  func makeFolders() throws(Failure) {
    guard let end = part.lastIndex(of: "/"), end > part.startIndex, access(String(part[..<end]), F_OK) != 0 else {
      return
    }
    for end in part.indices.dropFirst() where part[end] == "/" {
      let folder = String(part[..<end])
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
        throw Failure(
          .output, "cannot write '\(path)'",
          cause: "cannot make the folder '\(folder)': \(String(cString: strerror(errno)))",
          remedy: "name another folder")
      }
    }
  }

  /// Throws `Failure(.output)` where the target is not a regular file and so cannot be replaced.
  func requireFile() throws(Failure) {
    guard isSpecial else { return }
    throw Failure(.output, "cannot write '\(path)'", cause: "it is not a regular file", remedy: "name a file")
  }

  /// Renames the temporary file, or removes it and throws `Failure(.output)`.
  func moveIntoPlace() throws(Failure) {
    guard rename(part, place) != 0 else { return }
    let failure = failure("check that nothing else has that name")
    unlink(part)
    throw failure
  }

  /// Writes the temporary file, in folders that are made where they are missing, or the pipe or device itself. After a
  /// failure removes the temporary file and throws `Failure(.output)`.
  func write(_ bytes: [UInt8]) throws(Failure) {
    if !isSpecial { try makeFolders() }
    let descriptor =
      isSpecial
      ? open(place, O_WRONLY | O_CLOEXEC) : open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure("check that the folder exists and is writable") }
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        let failure = failure()
        close(descriptor)
        removePart()
        throw failure
      }
      written += count
    }
    guard close(descriptor) == 0 else {
      let failure = failure()
      removePart()
      throw failure
    }
  }

  private func removePart() {
    if !isSpecial { unlink(part) }
  }

  private func failure(_ remedy: String? = nil) -> Failure {
    let code = errno
    return Failure(
      .output, "cannot write '\(path)'", cause: String(cString: strerror(code)), remedy: fullDiskRemedy(code) ?? remedy)
  }
}

/// Writes beside `path` and renames. Throws `Failure(.output)` when that fails; an existing file is unchanged then. Any
/// thread.
func replaceFile(at path: String, with bytes: [UInt8]) throws {
  let target = try OutputTarget(path)
  try target.write(bytes)
  if !target.isSpecial { try target.moveIntoPlace() }
}
