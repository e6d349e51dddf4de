import Media

/// Which sound the user wants.
public enum AudioWish: Sendable, Hashable {
  /// By the locale and by what the file says.
  case auto
  case off
  case language(Language)
  /// The place among the clip's tracks of sound, from 1.
  case number(Int)

  /// Parses a command-line argument: `auto`, `off`, a language or a number; nil for any other text.
  public init?(_ text: String) {
    switch text.lowercased() {
    case "auto": self = .auto
    case "off", "none": self = .off
    case let lower:
      if let number = Int(lower) {
        guard number >= 1, lower.allSatisfy(\.isASCII), lower.first != "+" else { return nil }
        self = .number(number)
      } else {
        guard let language = Language(text) else { return nil }
        self = .language(language)
      }
    }
  }

  /// The track to be played; nil: none. Tracks that cannot be played are never taken.
  ///
  /// `auto` takes the track of the locale's language, else the default one, else the first. Descriptive tracks are passed over
  /// unless they are marked as default, or there is no other, or they are asked for by number. Of several in one language the one
  /// of the right region comes first, then the default, then the original, then the earlier.
  ///
  /// - Parameter locale: the user's language; nil where it is unknown.
  public func choose(_ tracks: [AudioTrack], locale: Language?) -> Int? {
    let playable = tracks.indices.filter { tracks[$0].refusal == nil }
    let plain = playable.filter { !tracks[$0].isDescriptive || tracks[$0].isDefault }
    switch self {
    case .off: return nil
    case .number(let number): return playable.first { $0 == number - 1 }
    case .language(let language):
      return Self.best(tracks, plain, language) ?? Self.best(tracks, playable, language)
    case .auto:
      if let locale, let place = Self.best(tracks, plain, locale) { return place }
      return plain.first { tracks[$0].isDefault } ?? plain.first ?? playable.first
    }
  }

  private static func best(_ tracks: [AudioTrack], _ places: [Int], _ wanted: Language) -> Int? {
    func merit(_ place: Int) -> Int {
      let track = tracks[place]
      let fit = track.language?.fit(wanted) ?? 0
      return fit == 0 ? 0 : fit * 4 + (track.isDefault ? 2 : 0) + (track.isOriginal ? 1 : 0)
    }
    // The first of equals.
    let best = places.reversed().max { merit($0) < merit($1) || merit($0) == merit($1) && $0 > $1 }
    return best.flatMap { merit($0) > 0 ? $0 : nil }
  }
}
