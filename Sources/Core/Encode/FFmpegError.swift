internal import CFFmpeg
import Frames
import Media

/// Throws when FFmpeg returned an error code.
@discardableResult
func check(_ code: Int32, _ kind: Failure.Kind, _ attempt: @autoclosure () -> String) throws -> Int32 {
  guard code >= 0 else { throw Failure(kind, attempt(), cause: ffmpegText(code), remedy: fullDiskRemedy(-code)) }
  return code
}

/// Unwraps an FFmpeg allocation: null means out of memory.
func allocated<T>(_ pointer: T?) throws -> T {
  guard let pointer else { throw Failure(.failed, "cannot encode", cause: "out of memory") }
  return pointer
}
