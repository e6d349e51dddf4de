internal import CFFmpeg
import Frames
import Logging

/// FFmpeg's log callback: errors are kept for their thread, and lines go to the logger `FFmpeg` at FFmpeg's own levels.
///
/// FFmpeg prints nothing itself from the first call on.
package enum FFmpegCallback {
  private static let logger = engineLogger("FFmpeg")

  /// Once a process; lines logged before are lost.
  package static func install() { installed }

  private static let installed: Void = {
    let (least, _) = levels.first { $0.level >= logger.logLevel } ?? (AV_LOG_PANIC, .critical)
    bench_install_log(least) { level, component, text in
      guard let text else { return }
      let component = component.map { String(cString: $0) } ?? "libav"
      // Lines of demuxers name URLs.
      let message = redactingSecrets(String(cString: text))
      FFmpegCallback.logger.log(
        level: FFmpegCallback.level(of: level), "\(message)", metadata: ["component": "\(component)"])
    }
  }()

  /// From FFmpeg's most talkative to the least, and what swift-log calls them.
  private static let levels: [(ffmpeg: Int32, level: Logger.Level)] = [
    (AV_LOG_TRACE, .trace), (AV_LOG_DEBUG, .trace), (AV_LOG_VERBOSE, .debug), (AV_LOG_INFO, .info),
    (AV_LOG_WARNING, .warning), (AV_LOG_ERROR, .error), (AV_LOG_FATAL, .critical), (AV_LOG_PANIC, .critical),
  ]

  static func level(of ffmpeg: Int32) -> Logger.Level {
    levels.last { $0.ffmpeg >= ffmpeg }?.level ?? .trace
  }
}
