import Frames
import Glibc
import Media

/// Files of subtitles beside a clip: `clip.srt`, `clip.en.vtt`, `clip.de.forced.ass` for `clip.mp4`.
public enum SideSubtitles {
  /// What their names end in, and FFmpeg's names of the formats.
  static let formats: [(ending: String, codec: String)] = [
    ("srt", "subrip"), ("vtt", "webvtt"), ("ass", "ass"), ("ssa", "ass"),
  ]
  static let extensions = formats.map(\.ending)
  /// The most entries of a folder that are searched.
  private static let entryLimit = 20_000

  /// A clip's subtitle files, by name; none for a URL. A WebVTT track of thumbnails is not one.
  public static func tracks(beside clip: String) -> [SubtitleTrack] {
    guard !MediaLocation(clip).isRemote else { return [] }
    let parts = clip.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last.map(String.init), !name.isEmpty else { return [] }
    let folder = parts.dropLast().joined(separator: "/")
    let place = parts.count == 1 ? "." : folder.isEmpty ? "/" : folder
    return names(in: place).sorted().compactMap { file in
      guard var track = track(file, clip: name) else { return nil }
      let path = parts.count == 1 ? file : "\(folder)/\(file)"
      guard track.codec != "webvtt" || !holdsThumbnails(path) else { return nil }
      track.file = path
      return track
    }
  }

  /// A file that the user names: what its own name says of it.
  public static func track(named path: String) -> SubtitleTrack {
    let name = String((path.split(separator: "/").last ?? "").prefix { $0 != "?" && $0 != "#" })
    var words = name.split(separator: ".").map(String.init)
    let ending = words.popLast()?.lowercased()
    var track = SubtitleTrack(file: path, codec: formats.first { $0.ending == ending }?.codec ?? "unknown")
    for word in words.dropFirst() { _ = note(word, &track) }
    return track
  }

  /// What a file's name says; nil where it is none of the clip's: each word of it must be known, for `clip.2.srt` belongs
  /// to `clip.2.mp4`.
  static func track(_ file: String, clip: String) -> SubtitleTrack? {
    let stem = clip.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
    let begins = stem.isEmpty ? [clip] : [clip, stem]
    guard let begin = begins.first(where: { file.hasPrefix($0 + ".") }) else { return nil }
    var words = file.dropFirst(begin.count + 1).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let ending = words.popLast()?.lowercased(), let format = formats.first(where: { $0.ending == ending }) else {
      return nil
    }
    var track = SubtitleTrack(file: file, codec: format.codec, isDefault: words.isEmpty)
    for word in words { guard note(word, &track) else { return nil } }
    return track
  }

  private static func note(_ word: String, _ track: inout SubtitleTrack) -> Bool {
    switch word.lowercased() {
    case "forced": track.isForced = true
    case "default": track.isDefault = true
    case "sdh", "cc": track.title = word.uppercased()
    default:
      guard track.language == nil, let language = Language.known(word) else { return false }
      track.language = language
    }
    return true
  }

  private static func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    for _ in 0..<entryLimit {
      guard let entry = readdir(handle) else { break }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let name, extensions.contains(where: { name.lowercased().hasSuffix(".\($0)") }) { names.append(name) }
    }
    return names
  }

  /// The first cue names a part of an image.
  private static func holdsThumbnails(_ path: String) -> Bool {
    guard let file = fopen(path, "rb") else { return false }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    var isThumbnails = false
    WebVTT.eachBlock(WebVTT.lines(Array(bytes[..<count]))) { block in
      guard block.line != nil, let line = block.payload.first else { return true }
      isThumbnails = String(decoding: line, as: UTF8.self).contains("#xywh=")
      return false
    }
    return isThumbnails
  }
}
