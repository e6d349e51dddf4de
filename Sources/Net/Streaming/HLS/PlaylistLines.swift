/// The lines of a playlist that are not blank, with their numbers. Lines end with LF or CR LF; a byte order mark and
/// white space around a line are dropped.
struct PlaylistLines: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var position: Int
  private var number = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  mutating func next() -> (number: Int, text: ArraySlice<UInt8>)? {
    while position < bytes.count {
      var end = position
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      var (first, last) = (position, end)
      position = end + 1
      number += 1
      while first < last, Self.isBlank(bytes[first]) { first += 1 }
      while first < last, Self.isBlank(bytes[last - 1]) { last -= 1 }
      if first < last { return (number, bytes[Range(from: first, to: last)]) }
    }
    return nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}

/// The tags of RFC 8216 and its second edition draft, and those of breaks that servers write beside them.
package enum PlaylistTag: String, CaseIterable {
  case segmentDuration = "EXTINF"
  case version = "EXT-X-VERSION"
  case independentSegments = "EXT-X-INDEPENDENT-SEGMENTS"
  case start = "EXT-X-START"
  case define = "EXT-X-DEFINE"
  case targetDuration = "EXT-X-TARGETDURATION"
  case mediaSequence = "EXT-X-MEDIA-SEQUENCE"
  case discontinuitySequence = "EXT-X-DISCONTINUITY-SEQUENCE"
  case endList = "EXT-X-ENDLIST"
  case playlistType = "EXT-X-PLAYLIST-TYPE"
  case iFramesOnly = "EXT-X-I-FRAMES-ONLY"
  case partInformation = "EXT-X-PART-INF"
  case serverControl = "EXT-X-SERVER-CONTROL"
  case byteRange = "EXT-X-BYTERANGE"
  case discontinuity = "EXT-X-DISCONTINUITY"
  case key = "EXT-X-KEY"
  case map = "EXT-X-MAP"
  case programDateTime = "EXT-X-PROGRAM-DATE-TIME"
  case gap = "EXT-X-GAP"
  case bitrate = "EXT-X-BITRATE"
  case part = "EXT-X-PART"
  case dateRange = "EXT-X-DATERANGE"
  case cueOut = "EXT-X-CUE-OUT"
  case cueOutContinued = "EXT-X-CUE-OUT-CONT"
  case cueIn = "EXT-X-CUE-IN"
  case skip = "EXT-X-SKIP"
  case preloadHint = "EXT-X-PRELOAD-HINT"
  case renditionReport = "EXT-X-RENDITION-REPORT"
  case media = "EXT-X-MEDIA"
  case streamInformation = "EXT-X-STREAM-INF"
  case iFrameStreamInformation = "EXT-X-I-FRAME-STREAM-INF"
  case sessionData = "EXT-X-SESSION-DATA"
  case sessionKey = "EXT-X-SESSION-KEY"
  case contentSteering = "EXT-X-CONTENT-STEERING"

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// Whether only media playlists may have it; nil for tags of both kinds.
  var isOfMedia: Bool? {
    switch self {
    case .version, .independentSegments, .start, .define: nil
    case .media, .streamInformation, .iFrameStreamInformation, .sessionData, .sessionKey, .contentSteering: false
    default: true
    }
  }

  /// A line's tag and the text behind its colon. Nil for a URI, a comment, and a tag that is not known.
  static func read(_ line: ArraySlice<UInt8>) -> (tag: PlaylistTag, value: ArraySlice<UInt8>)? {
    guard line.starts(with: "#EXT".utf8) else { return nil }
    let name = line.dropFirst().prefix { $0 != UInt8(ascii: ":") }
    guard let tag = byName[String(decoding: name, as: UTF8.self)] else { return nil }
    return (tag, line[Swift.min(name.endIndex + 1, line.endIndex)...])
  }
}
