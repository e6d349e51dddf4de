import Frames
import GPU
import Glibc

/// Where compiled shaders are kept between processes: a file per device in the cache folder. What another version of the
/// driver kept there is passed over by the driver.
///
/// It is a convenience: whatever goes wrong with it costs time and nothing else.
struct PipelineFile {
  private let folder: String?
  private let name: String

  /// More than any driver keeps; a larger file is not ours.
  private static let largest = 64 << 20

  init(_ device: GPUDeviceInfo) {
    folder = cacheFolder { name in getenv(name).map { String(cString: $0) } }
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

  /// All or nothing, whoever else writes it at the same time.
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
