import Frames

/// Adaptation sets and their representations.
extension MPDParser {
  mutating func adaptationSets(
    _ period: MPDElement, _ facts: PeriodFacts, bases: [BaseAddress]
  ) throws(ManifestFlaw) -> [AdaptationSet] {
    let bases = try self.bases(bases, period)
    var sets: [AdaptationSet] = []
    for element in period.all("AdaptationSet") {
      guard let kind = kind(element) else {
        note("a track of type '\((mimeType(element) ?? "unknown").prefix(40))' is passed over")
        continue
      }
      var set = AdaptationSet(id: element.text("id") ?? "", kind: kind)
      let descriptors = MPDDescriptors(element)
      guard accept(descriptors) else { continue }
      set.language = element.text("lang") ?? element.first("ContentComponent")?.text("lang")
      set.name = element.first("Label")?.text
      set.roles = descriptors.roles
      set.isDefault = descriptors.roles.contains("main")
      set.isAutomatic = true
      set.isForced = descriptors.roles.contains { $0 == "forced-subtitle" || $0 == "forced_subtitle" }
      if let original = descriptors.trickPlayOf {
        set.kind = .trickPlay
        set.trickPlayOf = original
      }
      let inherited = Inherited(
        period: period, set: element, descriptors: descriptors, facts: facts, bases: try self.bases(bases, element),
        kind: set.kind)
      set.renditions = try renditions(inherited)
      guard !set.renditions.isEmpty else { continue }
      sets.append(set)
      sets += Self.captions(element)
    }
    return sets
  }

  /// False, with a note, for an essential property that is unknown.
  private mutating func accept(_ descriptors: MPDDescriptors) -> Bool {
    guard let unknown = descriptors.unknownEssential else { return true }
    note("a track needs the property '\(unknown.prefix(60))', which is unknown")
    return false
  }

  /// Facts that all representations of a set share.
  private struct Inherited {
    let period: MPDElement
    let set: MPDElement
    let descriptors: MPDDescriptors
    let facts: PeriodFacts
    let bases: [BaseAddress]
    let kind: AdaptationSet.Kind
  }

  private mutating func renditions(_ inherited: Inherited) throws(ManifestFlaw) -> [Rendition] {
    var renditions: [Rendition] = []
    for element in inherited.set.all("Representation") {
      renditionCount += 1
      guard renditionCount <= ManifestLimits.renditionCount else {
        throw element.flaw("there are more than \(ManifestLimits.renditionCount) representations")
      }
      if let rendition = try rendition(element, inherited) { renditions.append(rendition) }
    }
    return renditions
  }

  /// Nil, with a note, for a representation that is not supported.
  private mutating func rendition(
    _ element: MPDElement, _ inherited: Inherited
  ) throws(ManifestFlaw) -> Rendition? {
    let descriptors = MPDDescriptors(element, inheriting: inherited.descriptors)
    guard accept(descriptors) else { return nil }
    if element.text("dependencyId") != nil {
      note("representation '\((element.text("id") ?? "").prefix(40))' needs another one, and is passed over")
      return nil
    }
    var rendition = Rendition(
      id: element.text("id") ?? "", bandwidth: Bandwidth(peak: try element.integer("bandwidth") ?? 0),
      source: .insideVideo)
    let bases = try self.bases(inherited.bases, element)
    switch try protection(inherited.set, element, base: bases.first?.address ?? address) {
    case .clear: break
    case .clearKey(let protection): rendition.protection = protection
    case .refused(let names):
      protections.formUnion(names)
      note("a track is protected by \(names.sorted().joined(separator: " and "))")
      return nil
    }
    try RepresentationReader(set: inherited.set, representation: element, descriptors: descriptors).fill(&rendition)
    if inherited.kind == .thumbnails, rendition.video.tiles == nil {
      rendition.video.tiles = TileGrid(columns: 1, rows: 1)
    }
    var sources = try sources([inherited.period, inherited.set, element], rendition, inherited.facts, bases: bases)
    rendition.source = sources.removeFirst()
    rendition.mirrors = sources
    return rendition
  }

  private func mimeType(_ set: MPDElement) -> String? {
    set.text("mimeType") ?? set.first("Representation")?.text("mimeType")
  }

  /// The kind of a set by its declared type or its first codec; nil for other types.
  private func kind(_ set: MPDElement) -> AdaptationSet.Kind? {
    let mime = mimeType(set) ?? ""
    let codecs = set.text("codecs") ?? set.first("Representation")?.text("codecs") ?? ""
    let content = set.text("contentType") ?? set.first("ContentComponent")?.text("contentType")
    for text in [content, mime].compactMap({ $0 }) {
      switch text.prefix(while: { $0 != "/" }) {
      case "video": return .video
      case "audio": return .audio
      case "text": return .subtitles
      case "image": return .thumbnails
      default: continue
      }
    }
    let subtitles = ["stpp", "wvtt", "ttml", "tx3g"]
    return subtitles.contains { codecs.hasPrefix($0) } || mime.contains("ttml") || mime.contains("vtt")
      ? .subtitles : nil
  }

  /// Captions inside a video: a set for each service.
  private static func captions(_ set: MPDElement) -> [AdaptationSet] {
    var sets: [AdaptationSet] = []
    for element in set.all("Accessibility") {
      let scheme = element.text("schemeIdUri") ?? ""
      guard scheme == "urn:scte:dash:cc:cea-608:2015" || scheme == "urn:scte:dash:cc:cea-708:2015" else { continue }
      for service in (element.text("value") ?? "").split(separator: ";").prefix(64) {
        let parts = service.split(separator: "=", maxSplits: 1).map { String($0) }
        var captions = AdaptationSet(id: "", kind: .captions)
        captions.language = parts.last?.split(separator: ",").first.map { String($0.replacing("lang:", with: "")) }
        captions.channel = parts.count == 2 ? parts[0] : nil
        captions.isAutomatic = true
        captions.renditions = [Rendition(id: "", bandwidth: Bandwidth(peak: 0), source: .insideVideo)]
        sets.append(captions)
      }
    }
    return sets
  }
}

/// The encryption of a representation.
enum RepresentationProtection {
  case clear
  case clearKey(Protection)
  case refused(Set<String>)
}

extension MPDParser {
  /// ClearKey, and common encryption without a system, can be played with a key. Of other systems the samples are decrypted by the same key
  /// (ISO/IEC 23001-7): they are refused where the caller has none.
  mutating func protection(
    _ set: MPDElement, _ representation: MPDElement, base: StreamAddress
  ) throws(ManifestFlaw) -> RepresentationProtection {
    let elements = set.all("ContentProtection") + representation.all("ContentProtection")
    guard !elements.isEmpty else { return .clear }
    var protection = Protection()
    var (hasClearKey, names): (Bool, Set<String>) = (false, [])
    for element in elements {
      let scheme = element.text("schemeIdUri") ?? ""
      if scheme.lowercased() == ProtectionSystem.commonEncryption {
        protection.scheme = element.text("value")
        protection.defaultKeyIdentifier = element.prefixed("default_KID").flatMap(Self.keyIdentifier)
      } else if ProtectionSystem.clearKey.contains(ProtectionSystem.identifier(of: scheme)) {
        hasClearKey = true
        let license = element.first("Laurl") ?? element.first("laurl") ?? element.first("LaURL")
        if let license, !license.text.isEmpty {
          protection.license = try resolve(license.text, AddressResolver(base), license)
        }
      } else {
        names.insert(ProtectionSystem.name(of: scheme))
      }
    }
    return hasClearKey || names.isEmpty || hasKey(protection) ? .clearKey(protection) : .refused(names)
  }

  /// A UUID's 16 bytes; nil for other text.
  private static func keyIdentifier(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { byte in Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } }
    guard digits.count == 32, text.utf8.count <= 36 else { return nil }
    return stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
