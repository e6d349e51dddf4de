/// Content types by a file's extension, as IANA registers them.
package enum MediaType {
  /// `application/octet-stream` for an extension without a row.
  package static func of(path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return unknown }
    return byExtension[name[name.index(after: dot)...].lowercased()] ?? unknown
  }

  static let unknown = "application/octet-stream"

  private static let byExtension = [
    "m3u8": "application/vnd.apple.mpegurl", "m3u": "application/vnd.apple.mpegurl",
    "mpd": "application/dash+xml", "xml": "application/xml", "json": "application/json",
    "ts": "video/mp2t", "m2ts": "video/mp2t", "mts": "video/mp2t",
    "mp4": "video/mp4", "m4v": "video/mp4", "m4s": "video/iso.segment", "cmfv": "video/mp4", "mov": "video/quicktime",
    "m4a": "audio/mp4", "cmfa": "audio/mp4", "aac": "audio/aac", "mp3": "audio/mpeg", "ac3": "audio/ac3",
    "ec3": "audio/eac3", "opus": "audio/ogg", "ogg": "audio/ogg", "flac": "audio/flac", "wav": "audio/wav",
    "webm": "video/webm", "mkv": "video/x-matroska", "mka": "audio/x-matroska", "avi": "video/x-msvideo",
    "vtt": "text/vtt", "srt": "application/x-subrip", "ttml": "application/ttml+xml", "ass": "text/x-ssa",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp", "avif": "image/avif",
    "html": "text/html; charset=utf-8", "txt": "text/plain; charset=utf-8", "css": "text/css",
    "js": "text/javascript",
  ]
}
