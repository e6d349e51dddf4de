/// What the name of a file says of its content.
package enum ClipNames {
  /// A name with an extension of clips, sound alone among them.
  package static func isClip(_ name: String) -> Bool {
    let ending = fileExtension(name)
    return clips.contains(ending) || sounds.contains(ending)
  }

  /// It names other inputs.
  package static func isPlaylist(_ name: String) -> Bool { ["m3u8", "mpd"].contains(fileExtension(name)) }

  private static func fileExtension(_ name: String) -> String {
    name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }

  private static let clips: Set<String> = [
    "3gp", "360", "264", "265", "asf", "avi", "av1", "flv", "gif", "h264", "h265", "hevc", "insv", "ivf", "lrv", "m2ts",
    "m4v", "mkv", "mov", "mp4", "mpeg", "mpg", "mts", "mxf", "obu", "ogv", "ts", "vob", "webm", "wmv", "y4m",
  ]

  private static let sounds: Set<String> = ["aac", "ac3", "flac", "m4a", "mka", "mp3", "oga", "ogg", "opus", "wav"]
}
