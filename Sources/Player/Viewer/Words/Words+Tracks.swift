import Bench360Player
import Frames

// Names of tracks and languages.
extension Words {
  /// As `AudioTrack.name`.
  package func name(of track: AudioTrack) -> String {
    let parts = [
      name(of: track.language), track.isDescriptive ? self[.descriptive] : nil, track.isForced ? self[.forced] : nil,
      channels(of: track), track.title.map { "\"\($0)\"" },
    ]
    return parts.compactMap { $0 }.joined(separator: ", ") + " (\(self[.stream(track.streamIndex)]))"
  }

  private func channels(of track: AudioTrack) -> String? {
    switch track.layout {
    case .mono: self[.monoSound]
    case .stereo: self[.stereoSound]
    case .ambisonic: self[.ambisonic]
    case .ambisonicAndStereo: self[.ambisonicAndStereo]
    case .some(let layout): layout.rawValue
    case nil: track.channels > 0 ? self[.channels(track.channels)] : nil
    }
  }

  /// As `SubtitleTrack.name`.
  package func name(of track: SubtitleTrack) -> String {
    let place =
      track.file.map { String($0.split(separator: "/").last ?? "") } ?? track.streamIndex.map { self[.stream($0)] }
    let parts = [
      name(of: track.language), track.isForced ? self[.forced] : nil, track.title.map { "\"\($0)\"" },
    ]
    return parts.compactMap { $0 }.joined(separator: ", ") + (place.map { " (\($0))" } ?? "")
  }

  package func text(_ notice: Subtitles.Notice) -> String {
    switch notice {
    case .shown(let track): named(.subtitles, track.map { name(of: $0) } ?? self[.menuOff])
    case .noTracks: self[.noSubtitles]
    case .noneDrawable(let cause): self[.noSubtitlesToShow(cause: cause)]
    case .cannotShow(let track, let cause): self[.cannotShowSubtitles(name(of: track), cause: cause)]
    case .lacks(let language, let path): self[.noSubtitles(in: name(of: language), path: path)]
    case .text(let text): text
    }
  }

  package func name(of language: Language?) -> String {
    guard let language else { return self[.unknownLanguage] }
    guard let name = names[language.code] else { return language.name }
    return name + (language.region.isEmpty ? "" : " (\(language.region))")
  }

  /// By their codes.
  package var names: [String: String] {
    let rows = table.languages.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    return Dictionary(rows.map { ($0.first ?? "", $0.dropFirst().joined(separator: " ")) }) { first, _ in first }
  }

  /// `German`.
  var englishName: String { Language(rawValue)?.name ?? rawValue }
}
