import Frames

/// One coding of a track: a rung of the ladder.
public struct Rendition: Sendable {
  /// The representation's identifier; in HLS the name of the variant or its place, counted from 0.
  public var id: String
  public var bandwidth: Bandwidth
  /// As RFC 6381 writes them; empty where the manifest does not tell.
  public var codecs: [String] = []
  /// Codecs of enhancements that a decoder may ignore, as Dolby Vision over HDR10.
  public var supplementalCodecs: [String] = []
  public var mimeType: String?
  public var video = VideoFacts()
  public var audio = AudioFacts()
  /// The groups that HLS joins: a rendition's own, and those whose members play with it.
  public var groups = RenditionGroups()
  public var protection: Protection?
  public var source: SegmentSource
  /// The same segments on other servers, in the manifest's order.
  public var mirrors: [SegmentSource] = []
  /// The quality order that the manifest gives, higher is better: HLS `SCORE`, DASH `100 − @qualityRanking`.
  public var score: Double?

  public init(id: String, bandwidth: Bandwidth, source: SegmentSource) {
    self.id = id
    self.bandwidth = bandwidth
    self.source = source
  }
}

/// The place of a rendition's segments.
public enum SegmentSource: Sendable {
  /// In this media playlist: load it, then `MediaPlaylist.parse`. `loaded`: its content, where the user named the media
  /// playlist itself.
  case playlist(StreamAddress, loaded: MediaPlaylist? = nil)
  /// In an index of the file: load it, then `IndexedFile.timeline(index:)`.
  case index(IndexedFile)
  /// Known.
  case timeline(SegmentTimeline)
  /// In the segments of the video that plays with it.
  case insideVideo
}

/// In bit/s. Of an HLS variant it includes the tracks that play with it.
public struct Bandwidth: Sendable, Hashable {
  /// The greatest bit rate over a segment; 0 where the manifest does not tell.
  public var peak: Int64
  public var average: Int64?

  public init(peak: Int64, average: Int64? = nil) {
    self.peak = peak
    self.average = average
  }
}

public struct VideoFacts: Sendable, Hashable {
  /// Dynamic range by transfer function.
  public enum Range: String, Sendable {
    case sdr, pq, hlg
  }

  /// How the picture covers a sphere.
  public enum Projection: String, Sendable {
    case rectilinear, equirectangular, halfEquirectangular, cubemap, fisheye
  }

  /// How two eyes share the track.
  public enum Stereo: Sendable, Hashable {
    case mono
    /// Both eyes in one picture.
    case packed(StereoLayout)
    /// A layer for each eye (MV-HEVC).
    case layers
  }

  public var width: Int?
  public var height: Int?
  /// Pictures per second.
  public var frameRate: Ratio?
  public var sampleAspectRatio: Ratio?
  public var range: Range?
  public var projection: Projection?
  public var stereo: Stereo?
  /// Of thumbnails: how many pictures lie in one file.
  public var tiles: TileGrid?
  /// Of trick play: how many times faster than normal it may be shown.
  public var greatestSpeed: Double?
  /// `TYPE-0`, `TYPE-1`, `NONE` as HLS writes it.
  public var outputProtection: String?

  public init() {}
}

public struct TileGrid: Sendable, Hashable {
  public var columns: Int
  public var rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

public struct AudioFacts: Sendable, Hashable {
  public var channels: Int?
  /// In Hz.
  public var sampleRate: Int?
  /// Object audio (`16/JOC`), binaural and the like, as the manifest writes it.
  public var layout: String?

  public init() {}
}

/// Groups of HLS (`GROUP-ID`); nil where a rendition belongs to none, or needs none.
public struct RenditionGroups: Sendable, Hashable {
  /// The group of which the rendition is a member.
  public var own: String?
  public var audio: String?
  public var video: String?
  public var subtitles: String?
  public var captions: String?

  public init() {}
}

/// Common encryption of samples that a ClearKey licence opens.
public struct Protection: Sendable, Hashable {
  /// `cenc` or `cbcs`; nil where only the media tells.
  public var scheme: String?
  /// 16 bytes, where the manifest tells.
  public var defaultKeyIdentifier: [UInt8]?
  /// Where a ClearKey licence server listens.
  public var license: StreamAddress?
}
