import Frames

/// A track of an MP4 whose samples are encrypted by common encryption (ISO/IEC 23001-7), as its sample entry tells.
struct ProtectedTrack: Hashable {
  enum Kind: Hashable { case video, sound }

  /// Among the file's tracks, from 0: libavformat's number of its stream.
  var index: Int
  var kind: Kind
  /// Of the key that its samples have unless they say otherwise.
  var identifier: [UInt8]

  /// The tracks that are encrypted, in the file's order; none where the bytes cannot be read.
  ///
  /// - Parameter interruption: ends waiting for bytes.
  static func tracks(
    of bytes: any RandomAccessBytes, unless interruption: Interruption? = nil
  ) -> [ProtectedTrack] {
    guard var file = BoxFile(bytes, unless: interruption), let movie = file.first("moov", in: file.whole) else {
      return []
    }
    let tracks = file.boxes(in: movie.payload).filter { $0.has("trak") }
    return tracks.enumerated().compactMap { ProtectedTrack($1, index: $0, &file) }
  }

  private init?(_ track: BoxFile.Box, index: Int, _ file: inout BoxFile) {
    guard let media = file.first("mdia", in: track.payload),
      let information = file.first("minf", in: media.payload), let table = file.first("stbl", in: information.payload),
      let descriptions = file.first("stsd", in: table.payload), descriptions.payload.count > 8,
      let entry = file.boxes(in: descriptions.payload.dropFirst(8)).first
    else { return nil }
    let kind: Kind
    // Fields before the boxes of an entry (ISO/IEC 14496-12, 12.1.3 and 12.2.3; QuickTime's versions of sound have more).
    let fields: Int
    if entry.has("encv") {
      (kind, fields) = (.video, 78)
    } else if entry.has("enca") {
      let start = file.bytes(entry.payload, limit: 10)
      guard start.count == 10 else { return nil }
      let version = file.bytes(descriptions.payload, limit: 1).first ?? 0
      (kind, fields) = (.sound, version > 0 ? 28 : [1: 44, 2: 64][Int(start[9])] ?? 28)
    } else {
      return nil
    }
    guard entry.payload.count > fields, let scheme = file.first("sinf", in: entry.payload.dropFirst(fields)),
      let information = file.first("schi", in: scheme.payload), let box = file.first("tenc", in: information.payload)
    else { return nil }
    // Version and flags, two bytes of pattern, whether it is protected, the size of vectors; then the identifier.
    let bytes = file.bytes(box.payload, limit: 8 + ContentKeys.byteCount)
    guard bytes.count == 8 + ContentKeys.byteCount else { return nil }
    (self.index, self.kind, identifier) = (index, kind, Array(bytes[8...]))
  }
}

/// The keys of one container: which of its tracks can be decrypted.
struct ContainerKeys {
  let tracks: [ProtectedTrack]
  /// It is in fragments that no index lists. Where libavformat collects them all before it reads, it looks for what decrypts the samples in
  /// the last one: it must not.
  let isScattered: Bool
  private let keys: ContentKeys

  /// Nil where there are no keys, or no bytes to look into.
  init?(_ source: any ByteSource, _ keys: ContentKeys, unless interruption: Interruption?) {
    guard !keys.isEmpty, let bytes = source.bytes else { return nil }
    (tracks, self.keys) = (ProtectedTrack.tracks(of: bytes, unless: interruption), keys)
    guard !tracks.isEmpty, var file = BoxFile(bytes, unless: interruption) else {
      isScattered = false
      return
    }
    isScattered = file.first("moof", in: file.whole) != nil && file.first("sidx", in: file.whole) == nil
  }

  /// libavformat takes one key for all tracks of a container.
  ///
  /// - Parameter index: of the stream that is read; nil: the video, else the sound.
  func key(forStream index: Int?) -> [UInt8]? {
    let track =
      if let index { tracks.first { $0.index == index } } else { tracks.first { $0.kind == .video } ?? tracks.first }
    return track.flatMap { keys.key($0.identifier) }
  }

  /// Whether a stream can be decrypted, by a demuxer of its own.
  func hasKey(forStream index: Int) -> Bool { key(forStream: index) != nil }
}

/// The identifiers of the keys that a clip's tracks need, hexadecimal names aside; none of what is not encrypted, or no MP4.
///
/// Throws as opening does.
package func keyIdentifiers(
  _ path: String, network: NetworkOptions, interruption: Interruption
) throws(Failure) -> [[UInt8]] {
  let source = try byteSource(path, network: network, interruption: interruption)
  guard let bytes = source.bytes else { return [] }
  var found: [[UInt8]] = []
  for track in ProtectedTrack.tracks(of: bytes, unless: interruption)
  where !found.contains(track.identifier) {
    found.append(track.identifier)
  }
  return found
}
