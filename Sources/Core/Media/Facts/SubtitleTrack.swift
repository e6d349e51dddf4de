/// One track of subtitles: a stream of the clip's file, or a file beside it. A value; nothing here is open.
public struct SubtitleTrack: Sendable, Hashable, Codable {
  /// Nil: it is a file of its own.
  public var streamIndex: Int?
  /// Path or URL of a file of its own; nil: it is a stream of the clip's.
  public var file: String?
  /// FFmpeg's name of the format: `subrip`, `ass`, `webvtt`, `mov_text`.
  public var codec: String
  public var language: Language?
  /// The author's title.
  public var title: String?
  /// Shown unless the user asks for another track. So is a file that has the clip's name.
  public var isDefault: Bool
  /// Meant to be shown even to viewers who understand the speech: it holds signs, and words of other languages.
  public var isForced: Bool
  /// Why it cannot be drawn; nil: it can.
  public var refusal: String?

  public init(
    streamIndex: Int? = nil, file: String? = nil, codec: String, language: Language? = nil, title: String? = nil,
    isDefault: Bool = false, isForced: Bool = false, refusal: String? = nil
  ) {
    (self.streamIndex, self.file, self.codec) = (streamIndex, file, codec)
    (self.language, self.title) = (language, title)
    (self.isDefault, self.isForced, self.refusal) = (isDefault, isForced, refusal)
  }

  /// For people: `English (clip.en.srt)`, `German, forced, "Signs" (stream 3)`.
  public var name: String {
    let place = file.map { String($0.split(separator: "/").last ?? "") } ?? streamIndex.map { "stream \($0)" }
    let words = [
      language?.name ?? "unknown language", isForced ? "forced" : nil, title.map { "\"\($0)\"" },
    ]
    return words.compactMap { $0 }.joined(separator: ", ") + (place.map { " (\($0))" } ?? "")
  }
}
