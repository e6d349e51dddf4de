import Decode
import Frames
import Glibc

/// The file that a run measures, held open: what it was when the run began, and whether its name still stands for it.
///
/// One thread at a time.
final class MeasuredFile {
  private let path: String
  private let descriptor: Int32
  private let identity: Identity

  /// What changes when a file is written to or another one takes its name.
  private struct Identity: Equatable {
    let device: dev_t
    let inode: ino_t
    let size: off_t
    let seconds: Int
    let nanoseconds: Int

    init(_ status: stat) {
      (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  /// Nil for what is not a file that can be opened: of a URL there is nothing to hold.
  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      close(descriptor)
      return nil
    }
    (self.path, self.descriptor, identity) = (path, descriptor, Identity(status))
  }

  deinit { close(descriptor) }

  /// SHA-256 of what is held; nil where it cannot be read.
  func sha256() -> String? { Decode.sha256(ofFile: "/proc/self/fd/\(descriptor)") }

  /// Throws where the name stands for another file by now, or for none, or where the file was written to.
  func checkUnchanged() throws(Failure) {
    var (named, held) = (stat(), stat())
    let isThere = stat(path, &named) == 0
    let isUntouched = fstat(descriptor, &held) == 0 && Identity(held) == identity
    guard !isThere || !isUntouched || Identity(named) != identity else { return }
    let what = !isThere ? "the file was removed" : isUntouched ? "the file was replaced" : "the file was written to"
    throw Failure(
      .input, "cannot go on measuring '\(path)'", cause: "\(what) while it was measured",
      remedy: "measure a copy that does not change; the trials before the change are kept")
  }
}
