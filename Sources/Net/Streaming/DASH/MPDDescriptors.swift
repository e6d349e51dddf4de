import Frames

/// The roles and properties of an adaptation set or a representation.
struct MPDDescriptors {
  private(set) var roles: [String] = []
  private(set) var trickPlayOf: [String]?
  private(set) var tiles: TileGrid?
  private(set) var range: VideoFacts.Range?
  private(set) var projection: VideoFacts.Projection?
  private(set) var stereo: VideoFacts.Stereo?
  private(set) var channels: Int?
  /// The scheme of an essential property that is not understood.
  private(set) var unknownEssential: String?

  /// - Parameter above: descriptors that the element inherits.
  init(_ element: MPDElement, inheriting above: MPDDescriptors? = nil) {
    if let above { self = above }
    for child in Self.names.flatMap({ element.all($0) }) {
      let scheme = child.text("schemeIdUri") ?? ""
      let value = child.text("value") ?? ""
      switch child.name {
      case "Role": roles.append(scheme == "urn:mpeg:dash:role:2011" ? value : "\(scheme):\(value)")
      case "Accessibility": roles.append("accessibility:\(value)")
      case "FramePacking": stereo = Self.packing(value) ?? stereo
      case "AudioChannelConfiguration": channels = Self.channels(scheme, value) ?? channels
      case "EssentialProperty", "SupplementalProperty":
        let isKnown = read(scheme, value, child)
        if !isKnown, child.name == "EssentialProperty" { unknownEssential = scheme }
      default: break
      }
      if roles.count > ManifestLimits.attributeCount { roles.removeLast() }
    }
  }

  private static let names = [
    "Role", "Accessibility", "FramePacking", "AudioChannelConfiguration", "EssentialProperty", "SupplementalProperty",
  ]

  /// False for a scheme that is not known.
  private mutating func read(_ scheme: String, _ value: String, _ element: MPDElement) -> Bool {
    switch scheme {
    case "http://dashif.org/guidelines/trickmode":
      trickPlayOf = value.split(whereSeparator: \.isWhitespace).prefix(64).map { String($0) }
    case "http://dashif.org/guidelines/thumbnail_tile", "http://dashif.org/thumbnail_tile":
      tiles = Self.tiles(value) ?? tiles
    case "urn:mpeg:mpegB:cicp:TransferCharacteristics":
      range = value == "16" ? .pq : value == "18" || value == "14" && range == .hlg ? .hlg : .sdr
    case "urn:mpeg:mpegB:cicp:ColourPrimaries", "urn:mpeg:mpegB:cicp:MatrixCoefficients",
      "urn:mpeg:mpegB:cicp:VideoFullRangeFlag":
      break
    case "urn:mpeg:mpegB:cicp:VideoFramePackingType", "urn:mpeg:dash:14496:10:frame_packing_arrangement_type:2011":
      stereo = Self.packing(value) ?? stereo
    case "urn:mpeg:mpegI:omaf:2017:pf", "urn:mpeg:mpegI:omaf:2018:pf":
      projection = Self.projection(element.prefixed("projection_type") ?? value) ?? projection
    default: return false
    }
    return true
  }

  /// The first of the projections that OMAF lists (ISO/IEC 23090-2).
  private static func projection(_ value: String) -> VideoFacts.Projection? {
    switch value.split(whereSeparator: { $0 == " " || $0 == "," }).first {
    case "0", nil: .equirectangular
    case "1": .cubemap
    default: nil
    }
  }

  /// Frame packing arrangement of ISO/IEC 14496-10 and 23091-2.
  private static func packing(_ value: String) -> VideoFacts.Stereo? {
    switch value {
    case "3": .packed(.sideBySide)
    case "4": .packed(.topBottom)
    case "0", "mono": .mono
    default: nil
    }
  }

  /// `10x8`
  private static func tiles(_ value: String) -> TileGrid? {
    let parts = value.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let columns = Decimal64.integer(parts[0].utf8), let rows = Decimal64.integer(parts[1].utf8),
      (1...1_000).contains(columns), (1...1_000).contains(rows)
    else { return nil }
    return TileGrid(columns: Int(columns), rows: Int(rows))
  }

  private static func channels(_ scheme: String, _ value: String) -> Int? {
    switch scheme {
    case "urn:mpeg:dash:23003:3:audio_channel_configuration:2011":
      return Decimal64.integer(value.utf8).flatMap { (1...64).contains($0) ? Int($0) : nil }
    case "urn:mpeg:mpegB:cicp:ChannelConfiguration":
      // ISO/IEC 23091-3, table of channel configurations.
      let counts = [
        1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 8, 8: 2, 9: 3, 10: 4, 11: 7, 12: 8, 13: 24, 14: 8, 15: 12, 16: 10,
        17: 12,
        18: 14, 19: 12, 20: 14,
      ]
      return Decimal64.integer(value.utf8).flatMap { counts[Int($0)] }
    case "tag:dolby.com,2014:dash:audio_channel_configuration:2011", "urn:dolby:dash:audio_channel_configuration:2011":
      return UInt16(value, radix: 16).map(dolbyChannels)
    default: return nil
    }
  }

  /// The channel map of ETSI TS 102 366 table E.1.4: some of its bits stand for a pair.
  private static func dolbyChannels(_ map: UInt16) -> Int {
    let pairs: UInt16 = 0b0000_0110_0111_0100
    return map.nonzeroBitCount + (map & pairs).nonzeroBitCount
  }
}

/// Reads what a representation says about its coding, with what its adaptation set says for all.
struct RepresentationReader {
  let set: MPDElement
  let representation: MPDElement
  let descriptors: MPDDescriptors

  func fill(_ rendition: inout Rendition) throws(ManifestFlaw) {
    rendition.mimeType = text("mimeType")
    rendition.codecs = VariantReader.codecs(text("codecs"))
    let supplemental = representation.prefixed("supplementalCodecs") ?? set.prefixed("supplementalCodecs")
    rendition.supplementalCodecs = VariantReader.codecs(supplemental)
    rendition.video.width = try count("width")
    rendition.video.height = try count("height")
    rendition.video.frameRate = text("frameRate").flatMap { MPDText.ratio($0, separator: "/") }
    rendition.video.sampleAspectRatio = text("sar").flatMap { MPDText.ratio($0, separator: ":") }
    rendition.video.range = descriptors.range
    rendition.video.projection = descriptors.projection
    rendition.video.stereo = descriptors.stereo
    rendition.video.tiles = descriptors.tiles
    rendition.video.greatestSpeed = text("maxPlayoutRate").flatMap { Decimal64.seconds($0.utf8) }.map {
      Double($0) / 1e9
    }
    rendition.audio.channels = descriptors.channels
    // A range `8000 48000` names the greatest last.
    rendition.audio.sampleRate = text("audioSamplingRate")?.split(separator: " ").last
      .flatMap { Decimal64.integer($0.utf8) }.flatMap { Int(exactly: $0) }
    if let ranking = try representation.integer("qualityRanking") { rendition.score = 100 - Double(ranking) }
  }

  private func text(_ name: String) -> String? { representation.text(name) ?? set.text(name) }

  private func count(_ name: String) throws(ManifestFlaw) -> Int? {
    if let own = try representation.count(name, upTo: 65_536) { return own }
    return try set.count(name, upTo: 65_536)
  }
}
