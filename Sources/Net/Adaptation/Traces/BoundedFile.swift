import FoundationEssentials
import Frames
import Glibc

/// Small files of the user, read whole and never beyond a limit.
enum BoundedFile {
  /// Throws `.input` for a path that is no regular file, a file that cannot be read, and one of more than `limit` bytes.
  static func read(_ path: String, called name: String, limit: Int) throws(Failure) -> Data {
    func failure(_ cause: String) -> Failure {
      Failure(
        .input, "cannot read \(name) '\(oneLine(path, limit: 200))'", cause: cause,
        remedy: "give a file that can be read")
    }
    switch OutputPlace(at: path) {
    case .nothing: throw failure("no such file or folder")
    case .folder: throw failure("it is a folder")
    case .special: throw failure("it is not a regular file")
    case .file: break
    }
    let data: Data
    do throws(SystemError) {
      data = Data(try OpenFile(reading: path).read(upTo: limit + 1))
    } catch {
      throw failure(error.code == EACCES ? "permission denied" : "it cannot be read")
    }
    guard data.count <= limit else { throw failure("it has more than \(limit >> 20) MiB") }
    return data
  }
}
