import Media

/// Which subtitles the user wants.
public enum SubtitleWish: Sendable, Hashable {
  /// By the locale and by what the file says.
  case auto
  case off
  case language(Language)
  /// A file or URL.
  case file(String)

  /// Parses a command-line argument. A text with a subtitle file's ending, or with a slash, is a file; nil for a text
  /// that is neither a file nor a language.
  public init?(_ text: String) {
    let extensions = SideSubtitles.extensions.map { ".\($0)" }
    switch text.lowercased() {
    case "auto": self = .auto
    case "off", "none": self = .off
    case let lower where text.contains("/") || extensions.contains { lower.hasSuffix($0) }: self = .file(text)
    default:
      guard let language = Language(text) else { return nil }
      self = .language(language)
    }
  }

  /// The track to be shown; nil: none. Tracks that cannot be drawn are never taken.
  ///
  /// `auto` takes the track of the locale's language, else one that is marked default, else one that is marked forced.
  /// Of several in one language the one of the right region comes first, then one that is not forced, then the default, then
  /// the earlier.
  ///
  /// - Parameter locale: the user's language; nil where it is unknown.
  public func choose(_ tracks: [SubtitleTrack], locale: Language?) -> Int? {
    let places = tracks.indices.filter { tracks[$0].refusal == nil }
    switch self {
    case .off: return nil
    case .file(let file): return places.first { tracks[$0].file == file }
    case .language(let language): return Self.best(tracks, places, language)
    case .auto:
      if let locale, let place = Self.best(tracks, places, locale) { return place }
      return places.first { tracks[$0].isDefault } ?? places.first { tracks[$0].isForced }
    }
  }

  private static func best(_ tracks: [SubtitleTrack], _ places: [Int], _ wanted: Language) -> Int? {
    func merit(_ place: Int) -> Int {
      let track = tracks[place]
      let fit = track.language?.fit(wanted) ?? 0
      return fit == 0 ? 0 : fit * 4 + (track.isForced ? 0 : 2) + (track.isDefault ? 1 : 0)
    }
    // The first of equals.
    let best = places.reversed().max { merit($0) < merit($1) || merit($0) == merit($1) && $0 > $1 }
    return best.flatMap { merit($0) > 0 ? $0 : nil }
  }
}
