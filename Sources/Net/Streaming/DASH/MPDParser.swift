import Frames
import Media

/// Turns the elements of a manifest into a presentation.
struct MPDParser {
  /// Facts that all representations of a period share.
  struct PeriodFacts {
    var start: MediaTime
    var duration: MediaTime?
    var number: Int64
    /// The wall clock of its start; nil for static manifests.
    var zero: WallTime?
  }

  let address: StreamAddress
  private let keys: ContentKeys
  var budget = ManifestBudget()
  var notes: [String] = []
  /// Systems that protect the omitted tracks.
  var protections: Set<String> = []
  var renditionCount = 0
  /// Runs by the element and the numbers that they were built with: renditions of a set share them.
  var builtRuns: [RunKey: BuiltRuns] = [:]
  private var isDynamic = false

  struct RunKey: Hashable {
    var serial: Int
    var period: Int64
    var timescale: Int64
    var mediaOffset: Int64
    var firstNumber: Int64
    var lastNumber: Int64?
  }

  struct BuiltRuns {
    var runs: [SegmentRun]
    var isEndless: Bool
  }

  init(address: StreamAddress, keys: ContentKeys) { (self.address, self.keys) = (address, keys) }

  /// The caller has the key, or a server of its own that may have it.
  func hasKey(_ protection: Protection) -> Bool {
    keys.licenceURL != nil || keys.key(protection.defaultKeyIdentifier) != nil
  }

  mutating func note(_ text: String) {
    if notes.count < ManifestLimits.noteCount { notes.append(text) }
  }

  mutating func presentation(_ mpd: MPDElement) throws(ManifestFlaw) -> Presentation {
    isDynamic = mpd.text("type") == "dynamic"
    let live = isDynamic ? try liveFacts(mpd) : nil
    let total = try mpd.duration("mediaPresentationDuration")
    let elements = mpd.all("Period")
    guard !elements.isEmpty else { throw mpd.flaw("it has no period") }
    guard elements.count <= ManifestLimits.periodCount else {
      throw mpd.flaw("it has more than \(ManifestLimits.periodCount) periods")
    }
    let bases = try self.bases([BaseAddress(address: address)], mpd)
    var periods: [Period] = []
    var signals: [BreakSignal] = []
    for (element, facts) in try periodFacts(elements, total: total, live: live) {
      let sets = try adaptationSets(element, facts, bases: bases)
      signals += breakSignals(element, from: facts.start)
      periods.append(
        Period(id: element.text("id") ?? "", start: facts.start, duration: facts.duration, adaptationSets: sets))
    }
    var presentation = Presentation(format: .dash, address: address, periods: periods)
    presentation.duration = total ?? periods.last.flatMap { last in last.duration.map { last.start + $0 } }
    presentation.live = live
    presentation.source = mpd.first("ProgramInformation")?.first("Source")?.text
    presentation.notes = notes
    presentation.breaks = BreakSignal.breaks(signals).merged()
    presentation.hasSplicesInSegments = elements.contains { hasSplicesInSegments($0) }
    try check(presentation)
    return presentation
  }

  private func check(_ presentation: Presentation) throws(ManifestFlaw) {
    let sets = presentation.periods.flatMap(\.adaptationSets)
    guard !sets.contains(where: { $0.kind == .video || $0.kind == .audio }) else { return }
    guard protections.isEmpty else {
      let names = protections.sorted().joined(separator: " and ")
      throw .encrypted("all its tracks are protected by \(names), which is not played")
    }
    if let note = notes.first { throw .unsupported("nothing in it can be played: \(note)") }
    guard sets.isEmpty else { return }
    throw ManifestFlaw("it has no track")
  }

  /// The starts and lengths of periods: given, or from their neighbours (ISO/IEC 23009-1 §5.3.2.1). Further periods
  /// without a start in a dynamic manifest are announced, not available.
  private mutating func periodFacts(
    _ elements: [MPDElement], total: MediaTime?, live: LiveFacts?
  ) throws(ManifestFlaw) -> [(MPDElement, PeriodFacts)] {
    var starts: [MediaTime?] = []
    var end: MediaTime? = .zero
    for (place, element) in elements.enumerated() {
      let start = try element.duration("start") ?? (place == 0 ? .zero : end)
      starts.append(start)
      let duration = try element.duration("duration")
      end = start.flatMap { start in duration.map { start + $0 } }
    }
    var facts: [(MPDElement, PeriodFacts)] = []
    for (place, element) in elements.enumerated() {
      guard let start = starts[place] else {
        if live == nil { throw element.flaw("neither it nor its neighbours tell when it begins") }
        note("period \(place + 1) is announced, and not available yet")
        continue
      }
      if let last = facts.last?.1, start < last.start { throw element.flaw("it begins before the one before it") }
      let next = starts.dropFirst(place + 1).first ?? nil
      let until = next ?? (place == elements.count - 1 ? total : nil)
      var duration = until.map { $0 - start }
      if let own = try element.duration("duration") { duration = duration.map { min($0, own) } ?? own }
      if let duration, duration < .zero { throw element.flaw("it ends before it begins") }
      facts.append(
        (
          element,
          PeriodFacts(
            start: start, duration: duration, number: Int64(place), zero: live.map { $0.availabilityStart + start })
        ))
    }
    return facts
  }

  private mutating func liveFacts(_ mpd: MPDElement) throws(ManifestFlaw) -> LiveFacts {
    guard let start = try mpd.date("availabilityStartTime") else {
      throw mpd.flaw("it is dynamic and has no @availabilityStartTime")
    }
    var live = LiveFacts(availabilityStart: start)
    live.availabilityEnd = try mpd.date("availabilityEndTime")
    live.published = try mpd.date("publishTime")
    live.updateInterval = try mpd.duration("minimumUpdatePeriod")
    live.window = try mpd.duration("timeShiftBufferDepth")
    live.suggestedDelay = try mpd.duration("suggestedPresentationDelay")
    for service in mpd.all("ServiceDescription") {
      guard let target = try service.first("Latency")?.integer("target") else { continue }
      live.targetLatency = MediaTime(nanoseconds: target.multipliedSaturated(by: 1_000_000))
    }
    for element in mpd.all("Location") where !element.text.isEmpty {
      if let location = try? address.resolving(element.text) { live.locations.append(location) }
    }
    for element in mpd.all("UTCTiming") { if let clock = clock(element) { live.clocks.append(clock) } }
    return live
  }

  private mutating func clock(_ element: MPDElement) -> ClockSource? {
    let scheme = element.text("schemeIdUri") ?? ""
    let value = element.text("value") ?? ""
    let urls = value.split(whereSeparator: \.isWhitespace).prefix(ManifestLimits.mirrorCount)
      .compactMap { try? address.resolving(String($0)) }
    switch scheme {
    case "urn:mpeg:dash:utc:direct:2014", "urn:mpeg:dash:utc:direct:2012":
      return WallTime(value.utf8).map { ClockSource(method: .direct($0)) }
    case "urn:mpeg:dash:utc:http-head:2014", "urn:mpeg:dash:utc:http-head:2012":
      return urls.isEmpty ? nil : ClockSource(method: .head(urls))
    case "urn:mpeg:dash:utc:http-xsdate:2014", "urn:mpeg:dash:utc:http-xsdate:2012",
      "urn:mpeg:dash:utc:http-iso:2014", "urn:mpeg:dash:utc:http-iso:2012":
      return urls.isEmpty ? nil : ClockSource(method: .iso(urls))
    default:
      note("the clock '\(scheme.prefix(60))' is not followed")
      return nil
    }
  }

  /// Whether runs may go on without an end.
  var mayBeEndless: Bool { isDynamic }
}

/// A base URL and its availability.
struct BaseAddress {
  var address: StreamAddress
  var lead: MediaTime?
  var isComplete: Bool?
}

extension MPDParser {
  /// The base URLs below an element: each of its own, resolved against each above, at most as many as are kept.
  mutating func bases(_ above: [BaseAddress], _ element: MPDElement) throws(ManifestFlaw) -> [BaseAddress] {
    let own = element.all("BaseURL").filter { !$0.text.isEmpty }
    guard !own.isEmpty else { return above }
    var result: [BaseAddress] = []
    for child in own {
      let lead = try Self.lead(child.text("availabilityTimeOffset"), child)
      for base in above where result.count < ManifestLimits.mirrorCount {
        let address = try resolve(child.text, AddressResolver(base.address), child)
        result.append(
          BaseAddress(
            address: address, lead: lead ?? base.lead,
            isComplete: child.text("availabilityTimeComplete").map { $0 != "false" } ?? base.isComplete))
      }
    }
    return result
  }

  mutating func resolve(
    _ reference: String, _ base: AddressResolver, _ element: MPDElement
  ) throws(ManifestFlaw) -> StreamAddress {
    let address: StreamAddress
    do {
      address = try base.resolve(Array(reference.utf8)[...])
    } catch {
      throw element.flaw("'\(reference.prefix(80))' is not opened: \(error.cause)")
    }
    try budget.spend(address)
    return address
  }

  /// `@availabilityTimeOffset`: seconds, or `INF` for segments that are available at once.
  static func lead(_ text: String?, _ element: MPDElement) throws(ManifestFlaw) -> MediaTime? {
    guard let text else { return nil }
    if text == "INF" { return MediaTime(nanoseconds: .max) }
    guard let value = Decimal64.seconds(text.utf8) else {
      throw element.flaw("@availabilityTimeOffset is not a number of seconds")
    }
    return MediaTime(nanoseconds: value)
  }
}
