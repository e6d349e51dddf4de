import Media

extension Subtitles {
  /// What a user is told of subtitles; `description` is English.
  package enum Notice: Sendable, Hashable, CustomStringConvertible {
    /// Nil: none are shown.
    case shown(SubtitleTrack?)
    case noTracks
    case noneDrawable(cause: String)
    case cannotShow(SubtitleTrack, cause: String)
    /// The clip of `path` has none in a language.
    case lacks(Language, path: String)
    /// What reading them met.
    case text(String)

    package var description: String {
      switch self {
      case .shown(let track): "Subtitles: \(track?.name ?? "Off")"
      case .noTracks: "No subtitles"
      case .noneDrawable(let cause): "No subtitles that can be shown: \(cause)"
      case .cannotShow(let track, let cause): "cannot show subtitles \(track.name): \(cause)"
      case .lacks(let language, let path): "'\(path)' has no subtitles in \(language.name)"
      case .text(let text): text
      }
    }
  }
}
