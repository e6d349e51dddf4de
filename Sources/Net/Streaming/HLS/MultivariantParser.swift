import Frames

/// Reads a multivariant playlist: its variants become adaptation sets by codec and dynamic range, the members of its
/// groups one adaptation set for each track.
struct MultivariantParser {
  private var scope: PlaylistScope
  private var variants: [Rendition] = []
  /// Redundant ones included.
  private var variantCount = 0
  /// Where the variant with these facts lies.
  private var places: [VariantFacts: Int] = [:]
  private var iFrames: [Rendition] = []
  private var tracks = MediaTracks()
  private var startPoint: StartPoint?
  private var hasIndependentSegments = false
  private var sessionKeys: [SegmentKey] = []
  private var notes: [String] = []
  private var source: String?
  private var zero: WallTime?
  private let address: StreamAddress

  init(address: StreamAddress) {
    self.address = address
    scope = PlaylistScope(address)
  }

  mutating func parse(_ bytes: [UInt8]) throws(ManifestFlaw) -> Presentation {
    var lines = PlaylistLines(bytes)
    try PlaylistHeader.check(&lines)
    var variant: AttributeList?
    while let (number, text) = lines.next() {
      if text.first != UInt8(ascii: "#") {
        guard let list = variant else {
          throw ManifestFlaw("a URI has no #EXT-X-STREAM-INF before it", line: number)
        }
        variant = nil
        try addVariant(list, uri: text, line: number)
      } else if let (tag, value) = PlaylistTag.read(text) {
        guard tag.isOfMedia != true else {
          throw ManifestFlaw("#\(tag.rawValue) stands among tags of a multivariant playlist", line: number)
        }
        if tag == .streamInformation {
          variant = try AttributeList(value, tag: tag, line: number)
        } else {
          try read(tag, value, line: number)
        }
      }
    }
    return try presentation()
  }

  private mutating func read(_ tag: PlaylistTag, _ value: ArraySlice<UInt8>, line: Int) throws(ManifestFlaw) {
    switch tag {
    case .independentSegments: hasIndependentSegments = true
    case .start: startPoint = try StartPoint(AttributeList(value, tag: tag, line: line))
    case .define: try scope.define(AttributeList(value, tag: tag, line: line), imported: nil)
    case .media: try tracks.add(AttributeList(value, tag: tag, line: line), &scope)
    case .iFrameStreamInformation: try addIFrames(AttributeList(value, tag: tag, line: line))
    case .sessionKey: try readSessionKey(AttributeList(value, tag: tag, line: line))
    case .sessionData: try readSessionData(AttributeList(value, tag: tag, line: line))
    case .contentSteering: notes.append("content steering is not followed")
    default: break
    }
  }

  private mutating func readSessionKey(_ list: AttributeList) throws(ManifestFlaw) {
    guard sessionKeys.count + notes.count < ManifestLimits.noteCount else { return }
    switch try PlaylistKey(list, &scope) {
    case .aes(let key)?: sessionKeys.append(key)
    case .refused(let flaw, _)?: notes.append(flaw.cause)
    case nil: break
    }
  }

  private mutating func readSessionData(_ list: AttributeList) throws(ManifestFlaw) {
    switch try list.text("DATA-ID", scope) {
    case "bench360.synthetic": source = try list.text("VALUE", scope)
    case "bench360.zero": zero = try list.text("VALUE", scope).flatMap { WallTime($0.utf8) }
    default: break
    }
  }

  private mutating func addVariant(_ list: AttributeList, uri: ArraySlice<UInt8>, line: Int) throws(ManifestFlaw) {
    variantCount += 1
    guard variantCount <= ManifestLimits.renditionCount else {
      throw ManifestFlaw("it has more than \(ManifestLimits.renditionCount) variants", line: line)
    }
    let address = try scope.resolve(uri, line: line)
    let variant = try VariantReader.rendition(list, scope, source: address, place: variantCount - 1)
    let facts = VariantFacts(variant)
    guard let place = places[facts] else {
      places[facts] = variants.count
      variants.append(variant)
      return
    }
    // Another server for the same rendition.
    if variants[place].mirrors.count < ManifestLimits.mirrorCount - 1 { variants[place].mirrors.append(variant.source) }
  }

  private mutating func addIFrames(_ list: AttributeList) throws(ManifestFlaw) {
    guard iFrames.count < ManifestLimits.renditionCount else { throw list.flaw("there are too many") }
    guard let address = try scope.resolve(list, "URI") else { throw list.flaw("URI is missing") }
    iFrames.append(try VariantReader.rendition(list, scope, source: address, place: iFrames.count))
  }

  private func presentation() throws(ManifestFlaw) -> Presentation {
    var sets = VariantReader.sets(variants, kind: nil)
    sets += tracks.sets
    sets += VariantReader.sets(iFrames, kind: .trickPlay)
    guard !sets.isEmpty else { throw ManifestFlaw("it names no variant") }
    var presentation = Presentation(
      format: .hls, address: address,
      periods: [Period(id: "", start: .zero, duration: nil, adaptationSets: sets)])
    presentation.startPoint = startPoint
    presentation.hasIndependentSegments = hasIndependentSegments
    presentation.variables = scope.variables
    presentation.sessionKeys = sessionKeys
    (presentation.source, presentation.zero) = (source, zero)
    presentation.notes = notes
    return presentation
  }
}

/// The attributes of a variant: variants that agree in all of them are redundant streams (RFC 8216 §6.2.4).
private struct VariantFacts: Hashable {
  private let bandwidth: Bandwidth
  private let codecs: [[String]]
  private let video: VideoFacts
  private let groups: RenditionGroups
  private let score: Double?

  init(_ rendition: Rendition) {
    bandwidth = rendition.bandwidth
    codecs = [rendition.codecs, rendition.supplementalCodecs]
    video = rendition.video
    groups = rendition.groups
    score = rendition.score
  }
}

/// Reads the attributes that variants and I-frame streams share.
enum VariantReader {
  static func rendition(
    _ list: AttributeList, _ scope: PlaylistScope, source: StreamAddress, place: Int
  ) throws(ManifestFlaw) -> Rendition {
    guard let peak = try list.integer("BANDWIDTH") else { throw list.flaw("BANDWIDTH is missing") }
    let name = try list.text("NAME", scope)
    let id = try list.text("STABLE-VARIANT-ID", scope) ?? name ?? "\(place)"
    var rendition = Rendition(
      id: id, bandwidth: Bandwidth(peak: peak, average: try list.integer("AVERAGE-BANDWIDTH")),
      source: .playlist(source))
    rendition.codecs = codecs(try list.text("CODECS", scope))
    rendition.supplementalCodecs = codecs(try list.text("SUPPLEMENTAL-CODECS", scope))
    rendition.score = try score(list)
    rendition.video = try video(list, scope)
    rendition.groups.audio = try list.text("AUDIO", scope)
    rendition.groups.video = try list.text("VIDEO", scope)
    rendition.groups.subtitles = try list.text("SUBTITLES", scope)
    rendition.groups.captions = try list.text("CLOSED-CAPTIONS", scope).flatMap { $0 == "NONE" ? nil : $0 }
    return rendition
  }

  static func codecs(_ text: String?) -> [String] {
    guard let text else { return [] }
    return text.split(separator: ",").prefix(ManifestLimits.attributeCount)
      .map { String($0.filter { $0 != " " }) }.filter { !$0.isEmpty }
  }

  private static func video(_ list: AttributeList, _ scope: PlaylistScope) throws(ManifestFlaw) -> VideoFacts {
    var video = VideoFacts()
    if let size = try list.resolution("RESOLUTION") { (video.width, video.height) = size }
    if let rate = try list.seconds("FRAME-RATE") { video.frameRate = frameRate(rate.nanoseconds) }
    switch list.word("VIDEO-RANGE") {
    case "SDR": video.range = .sdr
    case "PQ": video.range = .pq
    case "HLG": video.range = .hlg
    default: break
    }
    video.outputProtection = list.word("HDCP-LEVEL")
    let layout = try list.text("REQ-VIDEO-LAYOUT", scope)?.split { $0 == "/" || $0 == "," } ?? []
    if layout.contains("CH-STEREO") {
      video.stereo = .layers
    } else if layout.contains("CH-MONO") {
      video.stereo = .mono
    }
    if layout.contains("PROJ-EQUI") { video.projection = .equirectangular }
    if layout.contains("PROJ-HEQU") { video.projection = .halfEquirectangular }
    if layout.contains("PROJ-FISH") || layout.contains("PROJ-AIV") { video.projection = .fisheye }
    if layout.contains("PROJ-RECT") { video.projection = .rectilinear }
    return video
  }

  /// Pictures per 10⁹ seconds as a fraction; 29.97, 23.976 and the like are fractions of 1001.
  private static func frameRate(_ nanoseconds: Int64) -> Ratio? {
    guard nanoseconds > 0, nanoseconds <= 10_000_000_000_000 else { return nil }
    let thousandths = (nanoseconds + 500_000) / 1_000_000
    let whole = (thousandths + 999) / 1_000
    if thousandths % 1_000 != 0, abs(whole * 1_000_000 / 1_001 - thousandths) <= 5 {
      return Ratio(Int32(whole * 1_000), 1_001)
    }
    return thousandths % 1_000 == 0 ? Ratio(Int32(whole), 1) : Ratio(Int32(thousandths), 1_000)
  }

  private static func score(_ list: AttributeList) throws(ManifestFlaw) -> Double? {
    try list.seconds("SCORE")?.seconds
  }

  /// Renditions by the family of their video codec and their dynamic range, in the order of the playlist. Variants
  /// without video are audio.
  static func sets(_ renditions: [Rendition], kind: AdaptationSet.Kind?) -> [AdaptationSet] {
    struct Family: Hashable {
      var kind: AdaptationSet.Kind
      var codec: String
      var video: VideoFacts.Range?
      var stereo: VideoFacts.Stereo?
    }
    let hasVideo = renditions.contains { $0.video.width != nil || videoCodec($0) != nil }
    var places: [Family: Int] = [:]
    var sets: [AdaptationSet] = []
    for rendition in renditions {
      let codec = videoCodec(rendition)
      let isAudio = codec == nil && rendition.video.width == nil && (!rendition.codecs.isEmpty || hasVideo)
      let family = Family(
        kind: kind ?? (isAudio ? .audio : .video), codec: codec ?? "", video: rendition.video.range,
        stereo: rendition.video.stereo)
      if let place = places[family] {
        sets[place].renditions.append(rendition)
      } else {
        places[family] = sets.count
        var set = AdaptationSet(id: "", kind: family.kind, renditions: [rendition])
        set.isDefault = sets.isEmpty && kind == nil
        sets.append(set)
      }
    }
    return sets
  }

  /// The four characters of the video codec; nil where the codecs name none.
  private static func videoCodec(_ rendition: Rendition) -> String? {
    let families = [
      "avc1": "avc", "avc2": "avc", "avc3": "avc", "avc4": "avc", "hvc1": "hevc", "hev1": "hevc", "dvh1": "hevc",
      "dvhe": "hevc",
      "av01": "av1", "dav1": "av1", "vp09": "vp9", "vp08": "vp8", "vvc1": "vvc", "vvi1": "vvc", "mp4v": "mpeg4",
    ]
    for codec in rendition.codecs {
      if let family = families[String(codec.prefix(4))] { return family }
    }
    return nil
  }
}
