package import CFFmpeg
import Frames

/// FFmpeg's words for an error code, or the last thing it logged on this thread, which says more.
package func ffmpegReason(_ code: Int32) -> String {
  if code == bench_averror_invaliddata() || code == bench_averror_einval(), let logged = loggedError() { return logged }
  var text = [CChar](repeating: 0, count: 128)
  av_strerror(code, &text, text.count)
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercasedFirst
}

/// Forgets what FFmpeg logged on this thread: an error that is asked for afterwards is one of the calls that follow.
///
/// Each Swift module has a log buffer of its own, and FFmpeg one callback: the modules above this one go through here.
package func captureLog() { bench_capture_log() }

/// The last error FFmpeg logged on this thread since `captureLog`.
package func loggedError() -> String? {
  let logged = String(cString: bench_captured_error())
  return logged.isEmpty ? nil : logged
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

/// The last two errors FFmpeg logged on this thread since `captureLog`, the first first: of playlists the first says more.
package func loggedErrors() -> String? {
  guard let last = loggedError() else { return nil }
  let before = String(cString: bench_captured_error_before())
  return before.isEmpty || before == last ? last : "\(before); \(last)"
}

/// A C string that may be absent.
package func string(_ pointer: UnsafePointer<CChar>?) -> String? {
  pointer.map { String(cString: $0) }
}

extension Ratio {
  package init(_ rational: AVRational) { self.init(rational.num, rational.den) }
}
