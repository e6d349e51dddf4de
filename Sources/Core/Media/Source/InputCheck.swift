import Frames
import Glibc

/// Throws unless the input is a readable, non-empty file, before FFmpeg sees it and in plainer words than FFmpeg's.
///
/// URLs pass unchecked.
public func checkInput(_ path: String) throws(Failure) {
  let location = MediaLocation(path)
  if location.isRemote { return }
  let path = location.path
  let attempt = "cannot open '\(path)'"
  var status = stat()
  guard stat(path, &status) == 0 else {
    let reason = String(cString: strerror(errno)).lowercased()
    throw Failure(.input, attempt, cause: reason, remedy: "check the name")
  }
  switch status.st_mode & S_IFMT {
  case S_IFDIR:
    throw Failure(.input, attempt, cause: "it is a folder", remedy: "name a video file in it")
  case S_IFREG:
    guard status.st_size > 0 else {
      throw Failure(.media, attempt, cause: "the file is empty", remedy: "copy or download it again")
    }
  default:
    throw Failure(
      .input, attempt, cause: "it is not a regular file", remedy: "use '-' to read a clip from standard input")
  }
  guard access(path, R_OK) == 0 else {
    throw Failure(.input, attempt, cause: "permission denied", remedy: "make the file readable for this user")
  }
}
