internal import CFFmpeg
import Frames

/// FFmpeg's words for one of its error codes.
func describe(_ code: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let base = buffer.baseAddress else { return "error \(code)" }
    base.initialize(repeating: 0, count: buffer.count)
    av_strerror(code, base, buffer.count)
    return String(cString: base)
  }
}

/// Throws when FFmpeg says no.
@discardableResult
func check(_ code: Int32, _ kind: Failure.Kind, _ attempt: @autoclosure () -> String) throws -> Int32 {
  guard code >= 0 else { throw Failure(kind, attempt(), cause: describe(code)) }
  return code
}

/// Unwraps what FFmpeg allocates: null means that memory ran out.
func allocated<T>(_ pointer: T?) throws -> T {
  guard let pointer else { throw Failure(.failed, "cannot encode", cause: "out of memory") }
  return pointer
}
