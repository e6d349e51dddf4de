internal import CFFmpeg

/// The errors that FFmpeg logs on the calling thread from an instant on: they say more than its error codes.
///
/// FFmpeg has one log callback for the whole process, which `FFmpegCallback` installs. An instant is a
/// number that each logged error raises; making one forgets nothing, so that calls of one caller do not take the errors of
/// another's away. The last two of each thread are kept. Any thread may ask, and is told of its own errors.
package struct FFmpegErrors: Sendable {
  private let start: UInt

  /// From now on.
  package init() {
    FFmpegCallback.install()
    start = bench_errors_logged()
  }

  /// The last error; nil where none was logged.
  package var last: String? { error(0) }

  /// The last two, the first first: of playlists the first says more.
  package var lastTwo: String? {
    guard let last else { return nil }
    guard let before = error(1), before != last else { return last }
    return "\(before); \(last)"
  }

  /// Why a call failed: the last error where the code alone says little, else FFmpeg's words for the code.
  package func reason(_ code: Int32) -> String {
    if code == bench_averror_invaliddata() || code == bench_averror_einval(), let last { return last }
    let text = ffmpegText(code)
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// - Parameter back: 0 is the last one, 1 the one before it.
  private func error(_ back: Int32) -> String? {
    guard let text = bench_thread_error(start, back) else { return nil }
    let error = String(cString: text)
    return error.isEmpty ? nil : error
  }
}

/// FFmpeg's words for one of its error codes.
package func ffmpegText(_ code: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    guard let base = buffer.baseAddress else { return "error \(code)" }
    base.initialize(repeating: 0, count: buffer.count)
    av_strerror(code, base, buffer.count)
    return String(cString: base)
  }
}
