/// Limits of a playlist or manifest: the parser refuses it beyond any of them.
public enum ManifestLimits {
  /// Bytes of one playlist or manifest after content decoding. A download stops there.
  public static let byteCount = 16 << 20
  /// Segments of one media playlist, and of one static representation.
  public static let segmentCount = 100_000
  /// Bytes of one URL, resolved and percent-encoded.
  public static let addressLength = 8_192
  /// Bytes of all URLs of one playlist or manifest: a long base or variable is counted at each use.
  package static let addressTotal = 64 << 20
  /// Attributes of one tag or element.
  package static let attributeCount = 96
  /// Nested elements of a manifest.
  package static let depth = 32
  /// Elements of a manifest, unknown ones included.
  package static let elementCount = 1_000_000
  /// Elements of a manifest that are kept, without the entries of timelines.
  package static let keptElementCount = 200_000
  /// Elements of one name in one other, but for periods, tracks and segments.
  package static let siblingCount = 1_000
  /// Entries of all segment timelines of a manifest, counted again for each different offset, scale or first number.
  package static let timelineEntryCount = 2_000_000
  /// Variants, members of groups, or representations.
  package static let renditionCount = 4_096
  package static let periodCount = 4_096
  /// Parts, dates and hints of one playlist, each.
  package static let minorCount = 100_000
  /// Dates of earlier playlists that a delta update does not name, and that stay.
  package static let keptDateCount = 1_000
  /// Breaks kept of one playlist or manifest: the last ones.
  package static let breakCount = 1_000
  /// Base URLs kept for one representation; further ones are ignored.
  package static let mirrorCount = 4
  /// The greatest number of a segment; arithmetic on it cannot overflow.
  package static let number = Int64(1) << 62
  /// Notes kept for one presentation.
  package static let noteCount = 100
}
