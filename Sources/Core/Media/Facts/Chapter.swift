internal import CFFmpeg
import Frames

/// A named part of a clip, as the container lists it.
public struct Chapter: Sendable, Codable, Hashable {
  /// On the clock of the video's frames.
  public var startSeconds: Double
  public var title: String?

  public init(startSeconds: Double, title: String? = nil) { (self.startSeconds, self.title) = (startSeconds, title) }

  public var start: MediaTime { MediaTime(seconds: startSeconds) }

  /// Limit of chapters that are read.
  static let limit = 1000
}

/// The file's chapters in order of time.
///
/// - Parameter video: the stream whose first frame has time zero.
func describeChapters(_ file: Demuxer, _ video: UnsafeMutablePointer<AVStream>) -> [Chapter] {
  let context = file.context.pointee
  let count = min(Int(context.nb_chapters), Chapter.limit)
  let first = optionalStamp(video.pointee.start_time).map {
    MediaTime(ticks: $0, timeBase: Ratio(video.pointee.time_base)).seconds
  }
  let chapters = (0..<count).compactMap { index -> Chapter? in
    guard let chapter = context.chapters?[index]?.pointee, chapter.time_base.num > 0, chapter.time_base.den > 0,
      let start = optionalStamp(chapter.start)
    else { return nil }
    let seconds = MediaTime(ticks: start, timeBase: Ratio(chapter.time_base)).seconds - (first ?? 0)
    return Chapter(startSeconds: max(seconds, 0), title: metadata(chapter.metadata, "title"))
  }
  return chapters.sorted { $0.startSeconds < $1.startSeconds }
}
