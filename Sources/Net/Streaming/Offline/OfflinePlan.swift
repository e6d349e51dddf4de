import Frames
import Media

/// A file that is taken along.
package struct OfflineFile: Sendable {
  /// Its place below the download's folder, of our own making.
  package let name: String
  /// The track that it belongs to, counted from 0.
  package let track: Int
  /// Of media; 0 for what is none.
  package let seconds: Double
  /// A key.
  package let isSecret: Bool
  let resource: StreamResource
}

/// The files that a stream is made of, in the order in which they are loaded, and their names.
struct OfflinePlan {
  let tracks: [OfflineTrack]
  private(set) var files: [OfflineFile] = []
  private var sections: [Section: String] = [:]
  private var keys: [StreamAddress: String] = [:]
  private let limits: StreamLimits

  private struct Section: Hashable {
    var section: InitializationSection
    var track: Int
  }

  init(_ tracks: [OfflineTrack], _ limits: StreamLimits) {
    (self.tracks, self.limits) = (tracks, limits)
    for (number, track) in tracks.enumerated() { add(track, number) }
  }

  // MARK: - Names

  /// Of a segment; nil where the server has no media for it.
  func name(of segment: Segment, at index: Int, in stretch: OfflineStretch, _ track: OfflineTrack) -> String? {
    guard !segment.isGap else { return nil }
    let digits = String(index + 1)
    let number = String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    return "\(track.folder)/\(stretch.period + 1)-\(number).\(Self.suffix(of: segment, track.kind))"
  }

  func name(of section: InitializationSection, track number: Int) -> String? {
    sections[Section(section: section, track: number)]
  }

  func name(of key: SegmentKey) -> String? { keys[key.address] }

  /// Players look at it: one that they all take.
  private static func suffix(of segment: Segment, _ kind: OfflineTrack.Kind) -> String {
    let path = segment.address.text.prefix { $0 != "?" }
    let file = path.split(separator: "/").last ?? ""
    let own = file.split(separator: ".").dropFirst().last?.lowercased() ?? ""
    if let known = suffixes[own] { return known }
    if kind == .subtitles { return segment.initialization == nil ? "vtt" : "m4s" }
    return segment.initialization == nil ? "ts" : "m4s"
  }

  private static let suffixes = [
    "ts": "ts", "m4s": "m4s", "mp4": "mp4", "m4v": "mp4", "m4a": "m4a", "cmfv": "m4s", "cmfa": "m4s", "cmft": "m4s",
    "aac": "aac", "mp3": "mp3", "ac3": "ac3", "ec3": "eac3", "eac3": "eac3", "vtt": "vtt", "webvtt": "vtt",
    "webm": "webm", "ttml": "ttml",
  ]

  // MARK: - Files

  private mutating func add(_ track: OfflineTrack, _ number: Int) {
    for stretch in track.stretches {
      for (index, segment) in stretch.segments.enumerated() {
        guard let name = name(of: segment, at: index, in: stretch, track) else { continue }
        if let section = segment.initialization { add(section, number, track) }
        if let key = segment.key { add(key, number) }
        var resource = StreamResource(
          kind: .segment, address: segment.address, range: segment.range, byteLimit: limits.segmentBytes)
        resource.seconds = stretch.seconds(of: segment)
        files.append(
          OfflineFile(
            name: name, track: number, seconds: stretch.seconds(of: segment), isSecret: false, resource: resource))
      }
    }
  }

  private mutating func add(_ section: InitializationSection, _ number: Int, _ track: OfflineTrack) {
    let place = Section(section: section, track: number)
    guard sections[place] == nil else { return }
    let count = sections.keys.count { $0.track == number }
    let name = "\(track.folder)/init-\(count + 1).mp4"
    sections[place] = name
    if let key = section.key { add(key, number) }
    let resource = StreamResource(
      kind: .initialization, address: section.address, range: section.range, byteLimit: limits.headerBytes)
    files.append(OfflineFile(name: name, track: number, seconds: 0, isSecret: false, resource: resource))
  }

  private mutating func add(_ key: SegmentKey, _ number: Int) {
    guard keys[key.address] == nil else { return }
    let name = "keys/\(keys.count + 1).key"
    keys[key.address] = name
    let resource = StreamResource(kind: .key, address: key.address, byteLimit: Int64(BlockCipher.blockBytes))
    files.append(OfflineFile(name: name, track: number, seconds: 0, isSecret: true, resource: resource))
  }

  // MARK: - Identity

  /// What the files are of: the same for the same segments, wherever the server's tokens send for them.
  ///
  /// Throws `.memory` where there is none for it.
  func identity() throws(Failure) -> String {
    var text = ""
    for file in files {
      let range = file.resource.range.map { "\($0.offset)+\($0.length)" } ?? ""
      text += "\(file.name) \(file.resource.address.text.prefix { $0 != "?" }) \(range) \(file.seconds)\n"
    }
    guard let digest = sha256(of: Array(text.utf8)) else {
      throw Failure(.memory, "cannot identify a stream", cause: "memory is out")
    }
    return digest
  }
}
