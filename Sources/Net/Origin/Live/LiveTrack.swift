import Frames

/// One rendition of a ladder that is repeated for ever: which segment and which part of it is live when. Times in nanoseconds since
/// the first picture of the first round. A value.
struct LiveTrack: Sendable {
  /// A part of a segment.
  struct Part: Sendable, Hashable {
    var samples: Int
    var duration: Int64
    var isIndependent: Bool
  }

  /// Below the ladder's folder, without an extension: `hls-fmp4/video-0`.
  let name: String
  /// `m4s`, `ts`, `vtt`
  let suffix: String
  /// The folder of its playlist, with a slash: `hls-fmp4/`.
  let base: String
  /// Below the ladder's folder; nil: it has none.
  let initialization: String?
  let isVideo: Bool
  /// Of each segment of a round, below the ladder's folder.
  let files: [String]
  let starts: [Int64]
  let durations: [Int64]
  /// How long a round is.
  let round: Int64
  /// Of each segment; empty where it has none.
  var parts: [[Part]]
  /// Of I-frames: how many of each segment's first bytes are its sync sample, with what it needs. Empty: it is no such track.
  private(set) var syncBytes: [Int] = []

  init?(
    _ rendition: LadderIndex.Rendition, round: Int64, isVideo: Bool
  ) {
    guard let playlist = rendition.playlist, let slash = playlist.lastIndex(of: "/") else { return nil }
    (base, name) = (String(playlist[...slash]), String(playlist.dropLast(".m3u8".count)))
    suffix = rendition.packaging == .ts ? "ts" : "m4s"
    initialization = rendition.initialization?.file
    // Sound may end a little before or after the pictures: the round is as long as they are.
    let segments = rendition.segments.filter { Int64($0.start * 1e9) < round - 1_000_000 }
    guard !segments.isEmpty else { return nil }
    files = segments.map(\.file)
    let begins = segments.map { Int64(($0.start * 1e9).rounded()) }
    starts = begins
    durations = begins.indices.map { ($0 + 1 < begins.count ? begins[$0 + 1] : round) - begins[$0] }
    (self.round, self.isVideo) = (round, isVideo)
    parts = begins.map { _ in [] }
  }

  /// Subtitles, segment by segment beside a rendition of the video.
  ///
  /// - Parameter playlist: `hls-fmp4/subtitles-en.m3u8`; its segments lie in a folder of its name.
  init?(subtitles playlist: String, beside video: LiveTrack) {
    guard playlist.hasPrefix(video.base), playlist.hasSuffix(".m3u8") else { return nil }
    let name = String(playlist.dropLast(".m3u8".count))
    let files = video.starts.indices.map { name + "/" + LiveDate.padded($0, 5) + ".vtt" }
    self.init(name, beside: video, suffix: "vtt", initialization: nil, files: files)
  }

  /// The sync samples of a rendition of the video.
  init?(iFramesOf rendition: LadderIndex.Rendition, beside video: LiveTrack) {
    guard let playlist = rendition.iFramePlaylist, playlist.hasPrefix(video.base), playlist.hasSuffix(".m3u8"),
      rendition.segments.count >= video.files.count
    else { return nil }
    self.init(
      String(playlist.dropLast(".m3u8".count)), beside: video, suffix: video.suffix,
      initialization: video.initialization, files: video.files)
    syncBytes = rendition.segments.prefix(files.count).map { $0.syncBytes ?? 0 }
    guard syncBytes.allSatisfy({ $0 > 0 }) else { return nil }
  }

  /// One that has the video's segments.
  private init(
    _ name: String, beside video: LiveTrack, suffix: String, initialization: String?, files: [String]
  ) {
    (base, self.name, self.suffix, self.initialization, isVideo) = (video.base, name, suffix, initialization, false)
    (self.files, starts, durations, round) = (files, video.starts, video.durations, video.round)
    parts = files.map { _ in [] }
  }

  var playlist: String { name + ".m3u8" }
  var count: Int64 { Int64(files.count) }
  /// In seconds.
  var target: Int { max(1, Int((Double(durations.max() ?? 0) / 1e9).rounded())) }
  var longestPart: Int64 { parts.joined().map(\.duration).max() ?? 0 }

  /// In its round.
  func index(_ number: Int64) -> Int { Int(number % count) }
  func start(_ number: Int64) -> Int64 { number / count * round + starts[index(number)] }
  func end(_ number: Int64) -> Int64 { start(number) + durations[index(number)] }

  /// The first segment that ends behind `time`: the one that is being made.
  func number(at time: Int64) -> Int64 {
    let rounds = max(0, time) / round
    let place = max(0, time) - rounds * round
    let index = starts.indices.first { starts[$0] + durations[$0] > place } ?? 0
    return rounds * count + Int64(index)
  }

  /// How many parts of a segment are complete at `time`.
  func partCount(_ number: Int64, at time: Int64) -> Int {
    var end = start(number)
    return parts[index(number)].prefix { part in
      end += part.duration
      return end <= time
    }.count
  }

  /// When so many parts of a segment are complete.
  func end(_ number: Int64, parts count: Int) -> Int64 {
    start(number) + parts[index(number)].prefix(count).reduce(0) { $0 + $1.duration }
  }

  /// Whether a segment begins a new round: its time stamps begin anew.
  func isSeam(_ number: Int64) -> Bool { number > 0 && number % count == 0 }
  /// How many seams lie before a segment.
  func seams(before number: Int64) -> Int64 { number > 0 ? (number - 1) / count : 0 }

  func file(_ number: Int64, part: Int? = nil) -> String {
    let digits = LiveDate.padded(Int(number), 5)
    return name + "/" + digits + (part.map { ".\($0)" } ?? "") + "." + suffix
  }

  /// The segment, and part, that a file's name means; nil for another name.
  func place(of file: Substring) -> (number: Int64, part: Int?)? {
    guard file.hasPrefix(name + "/"), file.hasSuffix("." + suffix) else { return nil }
    let words = file.dropFirst(name.count + 1).dropLast(suffix.count + 1).split(
      separator: ".", omittingEmptySubsequences: false)
    guard words.count <= 2, let number = words.first.flatMap({ Self.number($0) }) else { return nil }
    guard words.count == 2 else { return (number, nil) }
    guard let part = Self.number(words[1]) else { return nil }
    return (number, Int(part))
  }

  private static func number(_ text: Substring) -> Int64? {
    guard (1...15).contains(text.utf8.count),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(text)
  }
}
