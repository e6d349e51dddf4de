import FoundationEssentials
import Frames

/// A ladder that `generate --ladder` made, served live over and over again: what lies at a path at one moment. A value, from any
/// thread.
package struct LiveLadder: Sendable {
  let options: LiveOptions
  let index: LadderIndex
  let tracks: [LiveTrack]
  /// Of each language, as fragmented MP4.
  let audio: [LiveTrack?]
  /// The `SyntheticTag` of what is served, as text.
  let synthetic: String
  /// The wall clock of the first picture, in nanoseconds since 1970: each picture is live so long after it as its number says, and a
  /// round later again.
  package let zero: Int64
  /// When the stream ends, since the first picture.
  let end: Int64?
  /// How long before its end a segment is begun to be sent.
  let lead: Int64

  static let timePath = "time"
  static let manifest = "manifest.mpd"

  /// What lies at a path.
  enum Answer {
    case text(String)
    /// A file below the ladder's folder.
    case file(String)
    /// The same, and `LiveLadder.multivariant` changes its text.
    case multivariant(String)
    /// A segment in parts, or one of them.
    case parts(LivePieces)
    /// To be asked again then, in time since the first picture.
    case later(Int64)
    case missing
    case badRequest(String)
  }

  /// - Parameter folder: the ladder's.
  ///
  /// Throws `.input` for a folder without a readable `ladder.json`, `.unsupported` for an encrypted ladder.
  package init(folder: String, _ options: LiveOptions) throws(Failure) {
    let attempt = "cannot serve '\(folder)' live"
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let data = FileManager.default.contents(atPath: folder + "/ladder.json"), data.count <= 64 << 20,
      let index = try? decoder.decode(LadderIndex.self, from: data), let rate = index.rate.value, index.frames > 0
    else {
      throw Failure(
        .input, attempt, cause: "it has no ladder.json that can be read",
        remedy: "name a folder that 'generate --ladder' made")
    }
    guard index.encryption == nil else {
      throw Failure(
        .unsupported, attempt, cause: "its ladder is encrypted", remedy: "name a ladder without --encrypt")
    }
    let round = Int64((Double(index.frames) / rate * 1e9).rounded())
    func renditions(_ all: [LadderIndex.Rendition], isVideo: Bool) -> [LiveTrack] {
      all.compactMap { LiveTrack($0, round: round, isVideo: isVideo) }
    }
    var tracks =
      index.rungs.flatMap { renditions($0.renditions, isVideo: true) }
      + index.audio.flatMap { renditions($0.renditions, isVideo: false) }
    tracks += index.subtitles.flatMap(\.playlists).compactMap { playlist in
      tracks.first { $0.isVideo && playlist.hasPrefix($0.base) }.flatMap { LiveTrack(subtitles: playlist, beside: $0) }
    }
    if let seconds = options.partSeconds {
      for place in tracks.indices where tracks[place].suffix == "m4s" {
        try tracks[place].cut(seconds, in: folder)
      }
    }
    // Behind the cutting: they lie in files as the ladder has them.
    tracks += index.rungs.flatMap(\.renditions).compactMap { rendition in
      tracks.first { $0.isVideo && $0.playlist == rendition.playlist }.flatMap {
        LiveTrack(iFramesOf: rendition, beside: $0)
      }
    }
    guard tracks.contains(where: \.isVideo), tracks.allSatisfy({ Self.isPlain($0) }) else {
      throw Failure(.input, attempt, cause: "its ladder.json names no HLS", remedy: "make the ladder anew")
    }
    let window = Int64(options.windowSeconds * 1e9)
    let start = options.start ?? (options.clock.now - window) / 1_000_000 * 1_000_000
    (self.options, self.index, self.tracks, zero) = (options, index, tracks, start)
    end = options.endsAfter.map { options.clock.now - start + Int64($0 * 1e9) }
    audio = index.audio.map { sound in
      let playlist = sound.renditions.first { $0.packaging == .fmp4 }?.playlist
      return tracks.first { $0.playlist == playlist }
    }
    synthetic = index.synthetic + " repetitions=1000000"
    lead =
      options.partSeconds == nil
      ? 0
      : tracks.filter { $0.isVideo && $0.suffix == "m4s" }.flatMap { track in
        track.parts.indices.map { track.durations[$0] - (track.parts[$0].first?.duration ?? 0) }
      }.min() ?? 0
  }

  /// The file is not trusted: its paths are resolved below the folder, and its segments last some time.
  private static func isPlain(_ track: LiveTrack) -> Bool {
    track.durations.allSatisfy { $0 >= 10_000_000 } && track.starts.first == 0 && track.files.count <= 100_000
  }

  private var tag: SyntheticTag? { SyntheticTag(comment: index.synthetic) }
  var isSphere: Bool { tag?.projection == .equirectangular }
  /// As ISO/IEC 23091-2 numbers it.
  var packing: Int? {
    switch tag?.stereo {
    case .sideBySide: 3
    case .topBottom: 4
    case .mono, nil: nil
    }
  }

  func hasParts(_ track: LiveTrack) -> Bool { track.parts.contains { !$0.isEmpty } }

  /// Since the first picture.
  var now: Int64 { options.clock.now - zero }
  func hasEnded(at now: Int64) -> Bool { end.map { now >= $0 } ?? false }

  /// The first segment that is listed.
  func firstNumber(_ track: LiveTrack, at now: Int64) -> Int64 {
    guard !options.keepsAll else { return 0 }
    return track.number(at: min(now, end ?? now) - Int64(options.windowSeconds * 1e9))
  }

  // MARK: - Answers

  /// - Parameters:
  ///   - path: below the ladder's folder.
  ///   - query: of the request; nil: none.
  ///   - time: since the first picture.
  func answer(_ path: String, query: Substring?, at time: Int64) -> Answer {
    let now = min(time, end ?? time)
    switch path {
    case Self.timePath: return .text(LiveDate.text(zero + time))
    case Self.manifest: return .text(ServedManifest(site: self, now: now).text)
    default: break
    }
    if let track = tracks.first(where: { $0.playlist == path }) { return playlist(track, query, at: now) }
    for track in tracks {
      if let place = track.place(of: path[...]) { return segment(track, place.number, place.part, at: now) }
    }
    if let image = image(path, at: now) { return image }
    return path.hasSuffix("/main.m3u8") ? .multivariant(path) : .file(path)
  }

  /// The text of a playlist or manifest at a moment, and that moment: a blocking reload comes later than it is asked for. Nil for
  /// another path, and for a request that is refused.
  ///
  /// - Parameters:
  ///   - path: below the ladder's folder.
  ///   - query: of the request; nil: none.
  ///   - time: nanoseconds since the first picture.
  package func text(_ path: String, query: String? = nil, at time: Int64) -> (text: String, time: Int64)? {
    switch answer(path, query: query.map { $0[...] }, at: time) {
    case .text(let text): (text, time)
    case .later(let later) where later > time: text(path, query: query, at: later)
    default: nil
    }
  }

  private func playlist(_ track: LiveTrack, _ query: Substring?, at now: Int64) -> Answer {
    let fields = (query ?? "").split(separator: "&")
    func number(_ name: String) -> Int64?? {
      guard let field = fields.first(where: { $0.hasPrefix(name + "=") }) else { return nil }
      return .some(Int64(field.dropFirst(name.count + 1)))
    }
    let (sequence, part) = (number("_HLS_msn"), number("_HLS_part"))
    if part != nil, sequence == nil { return .badRequest("_HLS_part needs _HLS_msn") }
    if let sequence, !hasEnded(at: now) {
      guard let sequence, sequence >= 0, part.map({ $0 != nil }) ?? true else {
        return .badRequest("_HLS_msn or _HLS_part is no number")
      }
      let next = track.number(at: now)
      guard sequence <= next + 2 else { return .badRequest("_HLS_msn lies too far ahead") }
      let count = track.parts[track.index(sequence)].count
      let wanted: Int64
      if let part = part ?? nil, hasParts(track) {
        let place = Int(clamping: max(0, part))
        wanted = place < count ? track.end(sequence, parts: place + 1) : track.end(sequence + 1, parts: 1)
      } else {
        wanted = track.end(sequence)
      }
      if wanted > now, !hasEnded(at: now) { return .later(min(wanted, end ?? wanted)) }
    }
    let skip = fields.first { $0.hasPrefix("_HLS_skip=") }?.dropFirst("_HLS_skip=".count)
    return .text(LivePlaylist(track: track, site: self, now: now, skips: skip == "YES" || skip == "v2").text)
  }

  /// An image of thumbnails of any round; nil for another path.
  private func image(_ path: String, at now: Int64) -> Answer? {
    guard let thumbnails = index.thumbnails, let video = tracks.first(where: \.isVideo),
      let match = path.wholeMatch(of: /thumbnails\/(\d{5,12})\.jpg/), let number = Int64(match.output.1)
    else { return nil }
    let count = Int64(thumbnails.images.count)
    guard count > 0 else { return nil }
    let length = thumbnails.imageSeconds * 1e9
    let place = min(length * Double(number % count + 1), Double(video.round))
    guard Double(number / count) * Double(video.round) + place <= Double(now) else { return .missing }
    return .file(thumbnails.images[Int(number % count)])
  }

  private func segment(_ track: LiveTrack, _ number: Int64, _ part: Int?, at now: Int64) -> Answer {
    // A client names any number: times of far ones have no room.
    guard number <= track.number(at: now) + 2 else { return .missing }
    let place = track.index(number)
    let (start, finish, count) = (track.start(number), track.end(number), track.parts[place].count)
    let window = Int64(options.windowSeconds * 1e9)
    // A segment that is not listed any more stays for as long as the playlist is (RFC 8216 §6.2.2).
    guard options.keepsAll || now <= finish + 2 * window + track.durations[place] else { return .missing }
    if let end, start >= end { return .missing }
    guard let part else {
      guard count > 0 else { return finish <= now ? .file(track.files[place]) : .missing }
      guard finish - lead <= now else { return .missing }
      let ready = Range(from: 1, to: count + 1).map { track.end(number, parts: $0) }
      return .parts(LivePieces(track, number, 0..<count, ready: ready))
    }
    guard part < count else { return .missing }
    let there = track.end(number, parts: part + 1)
    guard there <= now else {
      // A hint came before it: the answer waits.
      return there - now <= 2 * track.longestPart ? .later(there) : .missing
    }
    return .parts(LivePieces(track, number, Range(from: part, to: part + 1), ready: [there]))
  }

  /// The multivariant playlist of the ladder, without its track of thumbnails, and with the time of day of its first picture.
  func multivariant(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).filter { line in
      !line.contains("bench360.thumbnails")
    }
    for place in lines.indices where lines[place].contains("bench360.synthetic") {
      lines[place] =
        "#EXT-X-SESSION-DATA:DATA-ID=\"bench360.synthetic\",VALUE=\"\(synthetic)\"\n"
        + "#EXT-X-SESSION-DATA:DATA-ID=\"bench360.zero\",VALUE=\"\(LiveDate.text(zero))\""
    }
    return lines.joined(separator: "\n")
  }
}

extension LiveTrack {
  /// Cuts each segment of a round into parts. Reads the files.
  fileprivate mutating func cut(_ seconds: Double, in folder: String) throws(Failure) {
    for place in files.indices {
      let path = folder + "/" + files[place]
      guard let data = FileManager.default.contents(atPath: path), let cutter = FragmentCutter([UInt8](data)) else {
        throw Failure(
          .input, "cannot serve '\(path)' in parts", cause: "it is missing, or no segment of one movie fragment",
          remedy: "serve it without --live-parts, or make the ladder anew")
      }
      parts[place] = LiveTrack.parts(cutter, seconds, duration: durations[place], isVideo: isVideo)
    }
  }

  /// Together as long as the segment.
  private static func parts(
    _ cutter: FragmentCutter, _ seconds: Double, duration: Int64, isVideo: Bool
  ) -> [Part] {
    let counts = cutter.counts(share: seconds * 1e9 / Double(max(1, duration)))
    var (parts, done, ended): ([Part], Int, Int64) = ([], 0, 0)
    for count in counts {
      done += count
      let end = Int64((Double(duration) * Double(done) / Double(cutter.samples.count)).rounded())
      parts.append(Part(samples: count, duration: end - ended, isIndependent: parts.isEmpty || !isVideo))
      ended = end
    }
    return parts
  }
}
