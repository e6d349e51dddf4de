import Frames
import Glibc
import Media

/// This machine's file system.
package struct LocalDisk: Disk {
  package init() {}

  package func read(_ path: String) throws(Failure) -> [UInt8]? {
    guard let file = fopen(path, "rbe") else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw Self.failure(.input, "read", path)
    }
    defer { fclose(file) }
    var (bytes, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { break }
      guard bytes.count + count <= Self.largestText else {
        throw Failure(.input, "cannot read '\(path)'", cause: "it is longer than \(Self.largestText >> 20) MiB")
      }
      bytes += buffer[..<count]
    }
    guard ferror(file) == 0 else { throw Self.failure(.input, "read", path) }
    return bytes
  }

  /// Records and journals alone are read whole.
  private static let largestText = 256 << 20

  package func hash(of path: String) -> String? { sha256(ofFile: path) }

  package func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  package func size(of path: String) -> Int64? {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
  }

  package func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package func mayEnter(_ folder: String) -> Bool { access(folder, X_OK) == 0 || errno != EACCES }

  package func makeFolder(_ path: String) throws(Failure) {
    var place = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      place += name + "/"
      guard mkdir(place, 0o777) == 0 || errno == EEXIST else { throw Self.failure(.output, "make", path) }
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw Failure(.output, "cannot make '\(path)'", cause: "a file is in its place", remedy: "name another folder")
    }
  }

  package func open(_ path: String, from offset: Int64, isSecret: Bool) throws(Failure) -> any DiskFile {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, isSecret ? 0o600 : 0o666)
    guard descriptor >= 0 else { throw Self.failure(.output, "write", path) }
    let file = LocalFile(descriptor, path)
    guard ftruncate(descriptor, off_t(offset)) == 0, lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
      throw Self.failure(.output, "write", path)
    }
    return file
  }

  package func rename(_ old: String, to new: String) throws(Failure) {
    guard Glibc.rename(old, new) == 0 else { throw Self.failure(.output, "write", new) }
    syncFolder(of: new)
  }

  package func remove(_ path: String) throws(Failure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in names(in: path) { try remove(path + "/" + name) }
      guard rmdir(path) == 0 || errno == ENOENT else { throw Self.failure(.output, "remove", path) }
    } else {
      guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure(.output, "remove", path) }
    }
  }

  /// A name is on the device once its folder is.
  private func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let descriptor = Glibc.open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  fileprivate static func failure(_ kind: Failure.Kind, _ verb: String, _ path: String) -> Failure {
    let code = errno
    let remedies = [
      ENOSPC: "make room and start it again: it goes on where it ended", EDQUOT: "make room and start it again",
      EACCES: "choose a folder that you may write to", EROFS: "choose a folder on a disk that can be written",
    ]
    return Failure(
      kind, "cannot \(verb) '\(path)'", cause: String(cString: strerror(code)).lowercased(), remedy: remedies[code])
  }
}

private final class LocalFile: DiskFile {
  private let descriptor: Int32
  private let path: String

  init(_ descriptor: Int32, _ path: String) { (self.descriptor, self.path) = (descriptor, path) }

  deinit { close(descriptor) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw LocalDisk.failure(.output, "write", path) }
      rest = rest.dropFirst(count)
    }
  }

  func sync() throws(Failure) {
    guard fdatasync(descriptor) == 0 else { throw LocalDisk.failure(.output, "write", path) }
  }
}

/// A folder that one process at a time may write to; it is given back with the process, however that ends.
final class FolderLock {
  private let descriptor: Int32

  /// Nil where another process has it.
  init?(_ folder: String) throws(Failure) {
    descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LocalDisk.failure(.output, "open", folder) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }
}
