import Frames
import Media

/// Which of a stream's tracks are taken along.
public struct OfflineWish: Sendable, Hashable, Codable {
  /// Which coding of the video.
  public enum Rung: Sendable, Hashable, Codable {
    case highest, lowest
    /// Counted from the lowest, 0.
    case number(Int)
    /// The highest of at most so many lines; the lowest where all have more.
    case lines(Int)
  }

  /// Which tracks of sound, or of subtitles.
  public enum Tracks: Sendable, Hashable, Codable {
    /// Of sound the one that players choose by themselves, of subtitles all.
    case usual
    case all, none
    case languages([Language])
  }

  public var rung = Rung.highest
  public var audio = Tracks.usual
  public var subtitles = Tracks.usual

  public init() {}
}

extension OfflineWish {
  /// The place of the rung in the ladder, lowest first. Throws `.usage` for a number that it does not have.
  func rung(of ladder: [Rendition], _ attempt: String) throws(Failure) -> Int {
    switch rung {
    case .highest: return ladder.count - 1
    case .lowest: return 0
    case .lines(let most): return ladder.lastIndex { $0.video.height.map { $0 <= most } ?? false } ?? 0
    case .number(let number):
      guard ladder.indices.contains(number) else {
        throw Failure(
          .usage, attempt, cause: "it has no rung \(number)", remedy: "its rungs are 0 to \(ladder.count - 1)")
      }
      return number
    }
  }
}

extension OfflineWish.Tracks {
  /// Which of some tracks are wanted. Throws `.usage` for a language that none of them has.
  ///
  /// - Parameters:
  ///   - usual: the places of the tracks that are taken where the user says nothing.
  ///   - noun: `sound`, `subtitles`.
  func places(
    _ languages: [Language?], usual: [Int], _ noun: String, _ attempt: String
  ) throws(Failure) -> [Int] {
    switch self {
    case .none: return []
    case .all: return Array(languages.indices)
    case .usual: return usual
    case .languages(let wanted):
      for language in wanted where !languages.contains(where: { $0.map { $0.fit(language) > 0 } ?? false }) {
        let known = languages.compactMap { $0?.code }.joined(separator: ", ")
        throw Failure(
          .usage, attempt, cause: "it has no \(noun) in '\(language.code)'",
          remedy: known.isEmpty ? "its tracks tell no language: take 'all'" : "it has: \(known)")
      }
      return languages.indices.filter { place in
        languages[place].map { language in wanted.contains { language.fit($0) > 0 } } ?? false
      }
    }
  }
}
