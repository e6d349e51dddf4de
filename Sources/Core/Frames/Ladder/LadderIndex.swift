/// The truth about a ladder that `generate --ladder` wrote, from its `ladder.json`: rungs, files, bytes, durations, and
/// the checksum of every decoded frame.
///
/// Paths are relative to the ladder's folder, with `/` between their parts. In JSON keys are in snake_case.
public struct LadderIndex: Codable, Hashable, Sendable {
  public static let currentSchema = "bench360-ladder/1"

  public var schema = LadderIndex.currentSchema
  /// The `SyntheticTag` of all rungs as text, without a rung.
  public var synthetic: String
  /// Frames per second.
  public var rate: Ratio
  /// Of every rung.
  public var frames: Int
  /// Frames of a segment; the last one may have fewer.
  public var segmentFrames: Int
  public var presentations: [Presentation] = []
  /// Lowest first; `rung` is the place in this list, and what the pictures show.
  public var rungs: [Rung] = []
  public var audio: [Sound] = []
  public var subtitles: [Subtitles] = []
  public var thumbnails: Thumbnails?
  /// Nil for a clear ladder.
  public var encryption: Encryption?
  /// What a controller chooses from, in the form that `abr` takes: each rung's target in bit/s, the duration of each
  /// segment in seconds, and for each segment the bytes of each rung as fragmented MP4.
  public var bitrates: [Double] = []
  public var seconds: [Double] = []
  public var bytes: [[Int]] = []
  public var quality: Quality?

  public init(synthetic: String, rate: Ratio, frames: Int, segmentFrames: Int) {
    self.synthetic = synthetic
    self.rate = rate
    self.frames = frames
    self.segmentFrames = segmentFrames
  }

  /// Fills the table from the rungs, which have the same number of segments.
  ///
  /// - Parameter quality: of each rung, of each segment, dB.
  package mutating func fillTable(quality: [[Double]], isSphere: Bool) {
    let renditions = rungs.compactMap { $0.renditions.first { $0.packaging == .fmp4 } }
    bitrates = rungs.map { Double($0.bitRate) }
    seconds = renditions.first?.segments.map(\.duration) ?? []
    bytes = seconds.indices.map { segment in renditions.map { $0.segments[segment].bytes } }
    let decibels = seconds.indices.map { segment in quality.map { $0[segment] } }
    self.quality = Quality(measure: isSphere ? .weightedPSNR : .ssim, decibels: decibels)
  }

  /// How good the decoded pictures are, against the scene as it was drawn, at the size of the largest rung.
  public struct Quality: Codable, Hashable, Sendable {
    public enum Measure: String, Codable, Sendable {
      /// Of flat pictures: −10 log10(1 − SSIM).
      case ssim
      /// Of spheres: WS-PSNR.
      case weightedPSNR = "ws_psnr"
    }

    public var measure: Measure
    /// For each segment of each rung, dB.
    public var decibels: [[Double]]
  }

  public enum Packaging: String, Codable, Sendable, CaseIterable {
    case ts, fmp4
  }

  /// What a player opens.
  public struct Presentation: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Sendable {
      case hlsTS = "hls-ts"
      case hlsFMP4 = "hls-fmp4"
      case dash
    }

    public var kind: Kind
    public var file: String

    public init(kind: Kind, file: String) {
      self.kind = kind
      self.file = file
    }
  }

  /// One video rendition.
  public struct Rung: Codable, Hashable, Sendable {
    public var rung: Int
    public var width: Int
    public var height: Int
    /// The encoder's target in bit/s.
    public var bitRate: Int
    /// As RFC 6381 writes it.
    public var codecs: String
    public var renditions: [Rendition] = []
    /// CRC-32 of each decoded frame's planes without padding, in output order: eight hexadecimal digits, as FFmpeg's
    /// `framehash -hash crc32` prints them.
    public var checksums: [String] = []

    public init(rung: Int, size: PictureSize, bitRate: Int, codecs: String) {
      self.rung = rung
      (width, height) = (size.width, size.height)
      self.bitRate = bitRate
      self.codecs = codecs
    }
  }

  /// One alternate audio track.
  public struct Sound: Codable, Hashable, Sendable {
    /// A language tag as BCP 47 has it.
    public var language: String
    /// The track that `TonePosition` reads.
    public var track: Int
    public var codecs: String
    public var sampleRate: Int
    public var renditions: [Rendition] = []

    public init(language: String, track: Int, codecs: String, sampleRate: Int) {
      self.language = language
      self.track = track
      self.codecs = codecs
      self.sampleRate = sampleRate
    }
  }

  /// A rung or an audio track in one packaging.
  public struct Rendition: Codable, Hashable, Sendable {
    public var packaging: Packaging
    /// Its HLS media playlist; nil where no HLS was written.
    public var playlist: String?
    /// HLS, frames that are decodable alone; nil where there is none.
    public var iFramePlaylist: String?
    /// The initialization segment; MPEG-TS has none.
    public var initialization: File?
    public var segments: [Segment] = []
    /// The highest bit rate of any stretch of segments of 0.5 to 1.5 target durations, in bit/s (RFC 8216, section 4.1).
    public var peakBitRate = 0
    /// Bits of all segments per second.
    public var averageBitRate = 0

    public init(packaging: Packaging) {
      self.packaging = packaging
    }
  }

  public struct File: Codable, Hashable, Sendable {
    public var file: String
    public var bytes: Int

    public init(file: String, bytes: Int) {
      self.file = file
      self.bytes = bytes
    }
  }

  public struct Segment: Codable, Hashable, Sendable {
    public var file: String
    /// As served: encrypted segments include their padding.
    public var bytes: Int
    /// Seconds, from the start of the presentation.
    public var start: Double
    public var duration: Double
    /// The first frame and how many there are; nil for audio.
    public var firstFrame: Int?
    public var frames: Int?
    /// Bytes up to the end of the first frame, which is decodable alone with the initialization segment; nil for audio
    /// and for encrypted segments.
    public var syncBytes: Int?

    public init(file: String, bytes: Int, start: Double, duration: Double, frames: Range<Int>? = nil) {
      self.file = file
      self.bytes = bytes
      self.start = start
      self.duration = duration
      firstFrame = frames?.lowerBound
      self.frames = frames?.count
    }
  }

  public struct Subtitles: Codable, Hashable, Sendable {
    public var language: String
    /// The whole track in one file.
    public var file: String
    /// HLS media playlists of the same cues in segments.
    public var playlists: [String]

    public init(language: String, file: String, playlists: [String]) {
      self.language = language
      self.file = file
      self.playlists = playlists
    }
  }

  public struct Thumbnails: Codable, Hashable, Sendable {
    /// A WebVTT track of regions in the images.
    public var track: String
    public var images: [String]
    /// Seconds from one thumbnail to the next.
    public var interval: Double
    public var columns: Int
    public var rows: Int
    public var width: Int
    public var height: Int

    /// That an image covers.
    package var imageSeconds: Double { interval * Double(columns) * Double(rows) }

    public init(track: String, images: [String], interval: Double, columns: Int, rows: Int, size: PictureSize) {
      self.track = track
      self.images = images
      self.interval = interval
      self.columns = columns
      self.rows = rows
      (width, height) = (size.width, size.height)
    }
  }

  public struct Encryption: Codable, Hashable, Sendable {
    public enum Scheme: String, Codable, Sendable {
      /// Whole segments, AES-128 in CBC mode with PKCS #7 padding (RFC 8216, section 4.3.2.4).
      case aes128 = "aes-128"
      /// ISO/IEC 23001-7 `cenc`, with the key in a W3C ClearKey licence.
      case clearKey = "clearkey"
      /// The same with `cbcs`.
      case clearKeyPattern = "clearkey-cbcs"
    }

    public var scheme: Scheme
    /// Key files of 16 bytes in the order of their use, or the licence.
    public var files: [String]
    /// Hexadecimal, in the same order.
    public var keys: [String]
    /// Hexadecimal; ClearKey only.
    public var keyIdentifier: String?
    /// Segments for which a key is used; nil: all.
    public var rotation: Int?

    public init(scheme: Scheme, files: [String], keys: [String], keyIdentifier: String? = nil, rotation: Int? = nil) {
      self.scheme = scheme
      self.files = files
      self.keys = keys
      self.keyIdentifier = keyIdentifier
      self.rotation = rotation
    }
  }
}
