import Frames

/// The members of all groups (`EXT-X-MEDIA`). Members of the same type, name and language in several groups are one
/// track in several codings: one adaptation set.
struct MediaTracks {
  private struct Identity: Hashable {
    var kind: AdaptationSet.Kind
    var name: String
    var language: String?
  }

  private(set) var sets: [AdaptationSet] = []
  private var places: [Identity: Int] = [:]
  private var count = 0

  mutating func add(_ list: AttributeList, _ scope: inout PlaylistScope) throws(ManifestFlaw) {
    count += 1
    guard count <= ManifestLimits.renditionCount else { throw list.flaw("there are too many") }
    guard let type = list.word("TYPE") else { throw list.flaw("TYPE is missing") }
    let kinds: [String: AdaptationSet.Kind] = [
      "AUDIO": .audio, "VIDEO": .video, "SUBTITLES": .subtitles, "CLOSED-CAPTIONS": .captions,
    ]
    // Types of later editions are passed over.
    guard let kind = kinds[type] else { return }
    let group = try list.required("GROUP-ID", scope)
    let language = try list.text("LANGUAGE", scope)
    let name = try list.text("NAME", scope) ?? language ?? group
    let uri = try scope.resolve(list, "URI")
    if kind == .subtitles, uri == nil { throw list.flaw("URI is missing") }
    let identity = Identity(kind: kind, name: name, language: language)
    var rendition = Rendition(
      id: try list.text("STABLE-RENDITION-ID", scope) ?? "\(group)/\(name)", bandwidth: Bandwidth(peak: 0),
      source: uri.map { .playlist($0) } ?? .insideVideo)
    rendition.groups.own = group
    rendition.audio = Self.audio(try list.text("CHANNELS", scope))
    rendition.audio.sampleRate = try list.integer("SAMPLE-RATE").flatMap { Int(exactly: $0) }
    if let place = places[identity] {
      sets[place].renditions.append(rendition)
      return
    }
    places[identity] = sets.count
    var set = AdaptationSet(id: name, kind: kind, renditions: [rendition])
    set.language = identity.language
    set.name = name
    set.isDefault = list.isYes("DEFAULT")
    set.isAutomatic = list.isYes("AUTOSELECT") || set.isDefault
    set.isForced = list.isYes("FORCED")
    set.channel = list.word("INSTREAM-ID")
    set.roles = try list.text("CHARACTERISTICS", scope)?.split(separator: ",").map { String($0) } ?? []
    sets.append(set)
  }

  /// `6`, `16/JOC`, `2/-/BINAURAL`
  private static func audio(_ channels: String?) -> AudioFacts {
    var audio = AudioFacts()
    guard let channels else { return audio }
    let parts = channels.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    audio.channels = parts.first.flatMap { Decimal64.integer(Array($0.utf8)) }.flatMap { Int(exactly: $0) }
    audio.layout = parts.count == 2 ? String(parts[1]) : nil
    return audio
  }
}
