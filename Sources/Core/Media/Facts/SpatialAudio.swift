import Frames

/// The box `SA3D` of one sound track of an MP4: which of its channels are which components of a sphere of sound.
///
/// After <https://github.com/google/spatial-media>'s `spatial-audio-rfc.md`, with the later flag of head-locked stereo, the
/// highest bit of the type. FFmpeg 5.1 refuses that flag, and any order of channels but the plain one.
struct SpatialAudio: Hashable {
  /// 0: periphonic, the only one that is defined.
  var type: Int
  var isHeadLocked: Bool
  var order: Int
  /// 0: ACN.
  var channelOrdering: Int
  /// 0: SN3D.
  var normalization: Int
  var channels: Int
  /// The channel of each component, and of left and right behind them; those of the first order alone.
  var map: [Int]

  /// Why the track cannot be played by it; nil: it can.
  ///
  /// - Parameter channels: of the track.
  func flaw(channels: Int) -> String? {
    if type != 0 { return "its ambisonics are of the unknown type \(type)" }
    if channelOrdering != 0 || normalization != 0 { return "its ambisonics are in another order or scale than ambiX's" }
    let components = (order + 1) * (order + 1) + (isHeadLocked ? 2 : 0)
    guard order >= 1, self.channels == components, channels == components else {
      return "its box of ambisonics of order \(order) tells of \(self.channels) channels, and there are \(channels)"
    }
    guard Set(map).count == map.count, map.allSatisfy({ $0 < channels }) else {
      return "its box of ambisonics names channels that are not there, or one twice"
    }
    return nil
  }

  /// Nil for bytes that are no such box of version 0.
  ///
  /// - Parameter bytes: the payload, or as many of it as are read.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 12, bytes[0] == 0 else { return nil }
    type = Int(bytes[1] & 0x7f)
    isHeadLocked = bytes[1] & 0x80 != 0
    // Below 8, so that no count overflows: 81 channels.
    order = Int(min(bytes.bigEndian(at: 2), 8))
    (channelOrdering, normalization) = (Int(bytes[6]), Int(bytes[7]))
    channels = Int(min(bytes.bigEndian(at: 8), 1 << 16))
    let components = (order + 1) * (order + 1)
    let places = Array(0..<4) + (isHeadLocked ? [components, components + 1] : [])
    guard places.allSatisfy({ 12 + 4 * $0 + 4 <= bytes.count }) else { return nil }
    map = places.map { Int(min(bytes.bigEndian(at: 12 + 4 * $0), 1 << 16)) }
  }

  /// A box of 83 channels, the most that are looked at.
  private static let byteLimit = 12 + 4 * 83
}

/// What the sample entry of one sound track of an MP4 tells that FFmpeg does not hand on.
struct SoundEntry {
  /// Its samples are encrypted by ISO/IEC 23001-7, or a scheme like it.
  var isEncrypted: Bool
  var spatial: SpatialAudio?

  /// A box of 83 channels, the most that are looked at.
  private static let byteLimit = 12 + 4 * 83

  /// The entries of all sound tracks, by the track's number; empty where the bytes cannot be read.
  ///
  /// - Parameter interruption: ends waiting for bytes.
  static func tracks(
    of bytes: any RandomAccessBytes, unless interruption: Interruption? = nil
  ) -> [Int: SoundEntry] {
    guard var file = BoxFile(bytes, unless: interruption), let movie = file.first("moov", in: file.whole) else {
      return [:]
    }
    var found: [Int: SoundEntry] = [:]
    for track in file.boxes(in: movie.payload) where track.has("trak") {
      guard let header = file.first("tkhd", in: track.payload), let number = trackNumber(header, file) else { continue }
      found[number] = SoundEntry(track, &file)
    }
    return found
  }

  /// Nil for a track that is no sound.
  private init?(_ track: BoxFile.Box, _ file: inout BoxFile) {
    guard let media = file.first("mdia", in: track.payload), let handler = file.first("hdlr", in: media.payload),
      file.bytes(handler.payload, limit: 12).bigEndian(at: 8) == fourLetters("soun"),
      let information = file.first("minf", in: media.payload), let table = file.first("stbl", in: information.payload),
      let descriptions = file.first("stsd", in: table.payload), descriptions.payload.count > 8
    else { return nil }
    let version = file.bytes(descriptions.payload, limit: 1).first ?? 0
    guard let entry = file.boxes(in: descriptions.payload.dropFirst(8)).first else { return nil }
    isEncrypted = entry.has("enca") || entry.has("drms")
    let start = file.bytes(entry.payload, limit: 10)
    guard start.count == 10 else { return }
    // QuickTime's versions 1 and 2 have more fields; in a table of version 1 they are those of ISO/IEC 14496-12, which have not.
    let fields = version > 0 ? 28 : [1: 44, 2: 64][Int(start[8]) << 8 | Int(start[9])] ?? 28
    guard entry.payload.count > fields, let box = file.first("SA3D", in: entry.payload.dropFirst(fields)) else {
      return
    }
    spatial = SpatialAudio(file.bytes(box.payload, limit: Self.byteLimit))
  }
}

/// The track's number as `tkhd` has it: behind two times of 4 or 8 bytes.
func trackNumber(_ header: BoxFile.Box, _ file: borrowing BoxFile) -> Int? {
  let bytes = file.bytes(header.payload, limit: 24)
  guard bytes.count >= 24 else { return nil }
  return Int(bytes.bigEndian(at: bytes[0] == 1 ? 20 : 12))
}
