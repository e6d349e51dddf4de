internal import CFFmpeg
import Frames
import Logging
import Synchronization

/// FFmpeg's log callback: errors are kept for their thread, and lines go to the logger `FFmpeg` at FFmpeg's own levels.
///
/// A damaged clip makes FFmpeg complain tens of thousands of times a second: see `LineFlood`. At `debug` and `trace` all is told.
/// FFmpeg prints nothing itself from the first call on.
package enum FFmpegCallback {
  private static let logger = engineLogger("FFmpeg")

  /// Once a process; lines logged before are lost.
  package static func install() { installed }

  private static let installed: Void = {
    let (least, _) = levels.first { $0.level >= logger.logLevel } ?? (AV_LOG_PANIC, .critical)
    bench_install_log(least) { level, component, text, kind in
      guard let text else { return }
      let fate = FFmpegCallback.fate(of: UInt(bitPattern: kind))
      guard fate != .leftOut else { return }
      let component = component.map { String(cString: $0) } ?? "libav"
      // Lines of demuxers name URLs.
      let message = redactingSecrets(String(cString: text))
      FFmpegCallback.logger.log(
        level: FFmpegCallback.isExpected(message) ? .debug : FFmpegCallback.level(of: level), "\(message)",
        metadata: fate == .told ? ["component": "\(component)"] : ["component": "\(component)", "more": LineFlood.more])
    }
  }()

  /// Where a header names the video, probing leaves its parameters to the decoder (`Demuxer`): FFmpeg warns of that in each process.
  private static func isExpected(_ message: String) -> Bool { message.hasPrefix("Could not find codec parameters") }

  private static let flood = Mutex(LineFlood())

  private static func fate(of kind: UInt) -> LineFlood.Fate {
    guard logger.logLevel > .debug else { return .told }
    let now = MonotonicTime.now
    return flood.withLock { $0.fate(of: kind, at: now) }
  }

  /// From FFmpeg's most talkative to the least, and what swift-log calls them.
  private static let levels: [(ffmpeg: Int32, level: Logger.Level)] = [
    (AV_LOG_TRACE, .trace), (AV_LOG_DEBUG, .trace), (AV_LOG_VERBOSE, .debug), (AV_LOG_INFO, .info),
    (AV_LOG_WARNING, .warning), (AV_LOG_ERROR, .error), (AV_LOG_FATAL, .critical), (AV_LOG_PANIC, .critical),
  ]

  static func level(of ffmpeg: Int32) -> Logger.Level {
    levels.last { $0.ffmpeg >= ffmpeg }?.level ?? .trace
  }
}
