import Frames
import GPU
import Glibc

/// The pipeline cache between processes: a file per device in the cache folder. A driver ignores data of its other
/// versions.
///
/// Failures are ignored: they cost compile time only.
struct PipelineFile {
  private let folder: String?
  private let name: String

  /// Larger than any driver's cache; a larger file is not read.
  private static let largest = 64 << 20

  init(_ device: GPUDeviceInfo) {
    folder = UserFolders().cache
    name = "pipelines-\(device.uuid)"
  }

  func read() -> [UInt8] {
    guard let folder else { return [] }
    let file = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (1...Self.largest).contains(Int(status.st_size))
    else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        Glibc.read(file, $0.baseAddress.map { $0 + filled }, $0.count - filled)
      }
      guard count > 0 else { return [] }
      filled += count
    }
    return bytes
  }

  /// Replaces the file as a whole, also while other processes write it.
  func write(_ bytes: [UInt8]) {
    guard let folder, makeFolders(folder) else { return }
    let path = "\(folder)/\(name)"
    let draft = "\(path).\(getpid())"
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    guard close(file) == 0, count == bytes.count, rename(draft, path) == 0 else {
      unlink(draft)
      return
    }
  }

  private func makeFolders(_ path: String) -> Bool {
    for end in path.indices.dropFirst() where path[end] == "/" { mkdir(String(path[..<end]), 0o700) }
    return mkdir(path, 0o700) == 0 || errno == EEXIST
  }
}
