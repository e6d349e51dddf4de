import Frames

// M3U: a line for each clip, and lines that begin with '#' about the next one.
extension PlaylistFile {
  /// Whether a text is a playlist of clips, and no playlist of HLS, whose lines are parts of one clip.
  public static func isM3U(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(64 << 10), as: UTF8.self)
    return !text.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("#EXT-X-") }
  }

  /// - Parameter path: of the file: its clips may lie beside it.
  ///
  /// Throws `.input` for a file beyond the limits, one that names no clip, and `.m3u8` that is not UTF-8.
  public init(m3u bytes: [UInt8], path: String) throws(Failure) {
    guard bytes.count <= PlaylistLimits.byteCount else { throw Self.tooLong(path) }
    let text = try Self.text(bytes, path)
    let base = PlaylistBase(file: path)
    self.init(items: [])
    var coming = PlaylistItem("")
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.drop { $0 == "\u{FEFF}" }
      if line.hasPrefix("#") {
        read(line, &coming, base)
      } else if let source = base.resolving(String(line)) {
        coming.source = source
        guard items.count < PlaylistLimits.itemCount else { throw Self.tooMany(path) }
        items.append(coming)
        coming = PlaylistItem("")
      }
    }
    guard !items.isEmpty else { throw Self.empty(path) }
  }

  /// `.m3u8` is UTF-8 by its name; in `.m3u` old players wrote Latin-1.
  private static func text(_ bytes: [UInt8], _ path: String) throws(Failure) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    guard !path.lowercased().hasSuffix(".m3u8") else {
      throw Failure(
        .input, "cannot read the playlist '\(path)'", cause: "it is not UTF-8, as .m3u8 says",
        remedy: "name it .m3u, which may be Latin-1, or write it anew as UTF-8")
    }
    return String(decoding: bytes.map { UInt16($0) }, as: UTF16.self)
  }

  private mutating func read(_ line: Substring, _ coming: inout PlaylistItem, _ base: PlaylistBase) {
    func value(_ tag: String) -> Substring? { line.hasPrefix(tag) ? line.dropFirst(tag.count) : nil }
    if let text = value("#EXTINF:") {
      let (seconds, title) = Self.information(text)
      coming.duration = seconds.flatMap { $0 > 0 && $0 < 1e7 ? MediaTime(seconds: $0) : nil }
      coming.title = title
    } else if let text = value("#PLAYLIST:") {
      title = text.shownText
    } else if let text = value("#EXTIMG:") {
      coming.poster = base.resolving(String(text))
    } else if let text = value("#EXTVLCOPT:start-time=") {
      coming.start = Double(text.trimmed).flatMap { $0 >= 0 && $0 < 1e7 ? MediaTime(seconds: $0) : nil }
    } else if let text = value("#EXTVLCOPT:sub-file=") {
      if let place = base.resolving(String(text)) { coming.subtitles.append(place) }
    }
  }

  /// `123 key="a, b",Title`: seconds, maybe attributes, and what people read behind the first comma outside quotation marks.
  private static func information(_ text: Substring) -> (seconds: Double?, title: String?) {
    var isQuoted = false
    let comma = text.indices.first { index in
      if text[index] == "\"" { isQuoted.toggle() }
      return text[index] == "," && !isQuoted
    }
    let facts = comma.map { text[..<$0] } ?? text
    let seconds = facts.split(whereSeparator: \.isWhitespace).first.flatMap { Double($0) }
    return (seconds, comma.flatMap { text[text.index(after: $0)...].shownText })
  }

  static func tooLong(_ path: String) -> Failure {
    Failure(
      .input, "cannot read the playlist '\(path)'", cause: "it is longer than \(PlaylistLimits.byteCount >> 20) MiB",
      remedy: "name the clips themselves")
  }

  static func tooMany(_ path: String) -> Failure {
    Failure(
      .input, "cannot read the playlist '\(path)'", cause: "it names more than \(PlaylistLimits.itemCount) clips",
      remedy: "split it")
  }

  static func empty(_ path: String) -> Failure {
    Failure(
      .input, "cannot read the playlist '\(path)'", cause: "it names no clip",
      remedy: "write the path or URL of a clip on each line")
  }
}
