import Decode
import Frames
import Glibc
import Media

/// The file that a run measures, held open: its identity when the run began, and whether its name still refers to it.
///
/// One thread at a time.
package final class MeasuredFile {
  private let path: String
  private let descriptor: Int32
  private let identity: Identity

  /// The attributes that change if a file is written or replaced.
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

  /// Nil if the path is no file that can be opened, such as a URL.
  package init?(_ path: String) {
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

  /// SHA-256 of the open file; nil where it cannot be read.
  package func sha256() -> String? { Media.sha256(ofFile: "/proc/self/fd/\(descriptor)") }

  /// Throws if the name refers to another file or to none, or if the file was written.
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
