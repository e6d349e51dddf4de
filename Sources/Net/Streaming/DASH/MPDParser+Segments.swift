import Frames

/// Where a representation's segments lie.
extension MPDParser {
  /// One source for each base URL. Throws where none can be told.
  mutating func sources(
    _ levels: [MPDElement], _ rendition: Rendition, _ period: PeriodFacts, bases: [BaseAddress]
  ) throws(ManifestFlaw) -> [SegmentSource] {
    let description = SegmentDescription(levels: levels)
    var sources: [SegmentSource] = []
    for base in bases {
      sources.append(try source(description, levels, rendition, period, base))
    }
    return sources
  }

  private mutating func source(
    _ description: SegmentDescription?, _ levels: [MPDElement], _ rendition: Rendition, _ period: PeriodFacts,
    _ base: BaseAddress
  ) throws(ManifestFlaw) -> SegmentSource {
    guard let description else {
      let element = levels[levels.count - 1]
      guard element.first("BaseURL") != nil || levels.contains(where: { $0.first("BaseURL") != nil }) else {
        throw element.flaw("representation '\(rendition.id.prefix(40))' has no segments")
      }
      return .timeline(try wholeFile(base, period, element))
    }
    switch description.kind {
    case .template: return .timeline(try template(description, rendition, period, base))
    case .list: return .timeline(try list(description, period, base))
    case .base:
      guard let range = try description.indexRange() else {
        return .timeline(try wholeFile(base, period, description.element))
      }
      try budget.spend(base.address)
      return .index(
        IndexedFile(
          address: base.address, indexRange: range, initialization: try initialization(description, base),
          origin: period.start, periodDuration: period.duration, period: period.number,
          mediaOffset: try description.presentationTimeOffset(), timescale: try description.timescale()))
    }
  }

  /// A file that is one segment as long as the period.
  private func wholeFile(
    _ base: BaseAddress, _ period: PeriodFacts, _ element: MPDElement
  ) throws(ManifestFlaw) -> SegmentTimeline {
    guard let duration = period.duration else { throw element.flaw("neither it nor its period has a known length") }
    let segment = Segment(
      number: 1, address: base.address, start: 0, duration: duration.nanoseconds, discontinuity: period.number)
    return SegmentTimeline(
      listed: [segment], timescale: TickArithmetic.nanosecondsPerSecond, origin: period.start)
  }

  private mutating func initialization(
    _ description: SegmentDescription, _ base: BaseAddress
  ) throws(ManifestFlaw) -> InitializationSection? {
    guard let element = description.initialization else { return nil }
    let address: StreamAddress
    if let source = element.text("sourceURL") {
      address = try resolve(source, AddressResolver(base.address), element)
    } else {
      address = base.address
    }
    return InitializationSection(address: address, range: try element.byteRange("range"))
  }

  private mutating func template(
    _ description: SegmentDescription, _ rendition: Rendition, _ period: PeriodFacts, _ base: BaseAddress
  ) throws(ManifestFlaw) -> SegmentTimeline {
    let resolver = AddressResolver(base.address)
    guard let media = description.text("media") else { throw description.element.flaw("@media is missing") }
    let template = try addressTemplate(media, rendition, resolver, description)
    var section = try initialization(description, base)
    if section == nil, let text = description.text("initialization") {
      let address = try addressTemplate(text, rendition, resolver, description)
      guard address.isConstant else { throw description.element.flaw("@initialization names a number or a time") }
      section = InitializationSection(address: address.address(number: 0, time: 0))
    }
    let timescale = try description.timescale()
    let offset = try description.presentationTimeOffset()
    let built = try runs(description, period, timescale: timescale, mediaOffset: offset)
    var timeline = SegmentTimeline(
      templated: TemplatedSegments(
        runs: built.runs, media: template, initialization: section, period: period.number, isEndless: built.isEndless),
      timescale: timescale, origin: period.start, mediaOffset: offset)
    timeline.availability = try availability(description, period, base)
    if description.timeline == nil {
      timeline.nominalDuration = try description.integer("duration").map {
        TickArithmetic.time($0, timescale: timescale)
      }
    }
    return timeline
  }

  private mutating func addressTemplate(
    _ text: String, _ rendition: Rendition, _ resolver: AddressResolver, _ description: SegmentDescription
  ) throws(ManifestFlaw) -> AddressTemplate {
    let template: AddressTemplate
    do {
      template = try AddressTemplate(text, id: rendition.id, bandwidth: rendition.bandwidth.peak, base: resolver)
    } catch {
      throw description.element.flaw("'\(text.prefix(80))' is not opened: \(error.cause)")
    }
    try budget.spend(template.address(number: 0, time: 0))
    return template
  }

  private func availability(
    _ description: SegmentDescription, _ period: PeriodFacts, _ base: BaseAddress
  ) throws(ManifestFlaw) -> Availability? {
    guard let zero = period.zero else { return nil }
    let own = try Self.lead(description.text("availabilityTimeOffset"), description.element)
    let isComplete = description.text("availabilityTimeComplete").map { $0 != "false" }
    return Availability(
      zero: zero, lead: (own ?? .zero) + (base.lead ?? .zero), isComplete: isComplete ?? base.isComplete ?? true)
  }

  /// The runs of a template: built once for all representations that read them with the same numbers.
  private mutating func runs(
    _ description: SegmentDescription, _ period: PeriodFacts, timescale: Int64, mediaOffset: Int64
  ) throws(ManifestFlaw) -> BuiltRuns {
    let firstNumber = try description.integer("startNumber") ?? 1
    let lastNumber = try description.integer("endNumber")
    let serial = description.timeline?.serial ?? description.element.serial
    let key = RunKey(
      serial: serial, period: period.number, timescale: timescale, mediaOffset: mediaOffset, firstNumber: firstNumber,
      lastNumber: lastNumber)
    if description.timeline != nil, let built = builtRuns[key] { return built }
    let ticks = period.duration.map { TickArithmetic.ticks(covering: $0, timescale: timescale) }
    var runs = TimelineRuns(
      mediaOffset: mediaOffset, period: ticks, firstNumber: firstNumber, lastNumber: lastNumber,
      isDynamic: mayBeEndless)
    if let timeline = description.timeline {
      try budget.spend(timelineEntries: timeline.entries.count)
      try runs.follow(timeline.entries, timeline)
    } else if let duration = try description.integer("duration") {
      try runs.fill(duration: duration, description.element)
    } else if let ticks, ticks > 0 {
      try runs.fill(duration: ticks, description.element)
    } else {
      throw description.element.flaw("it has neither @duration nor a timeline")
    }
    let built = BuiltRuns(runs: runs.runs, isEndless: runs.isEndless)
    if description.timeline != nil { builtRuns[key] = built }
    return built
  }

  private mutating func list(
    _ description: SegmentDescription, _ period: PeriodFacts, _ base: BaseAddress
  ) throws(ManifestFlaw) -> SegmentTimeline {
    let timescale = try description.timescale()
    let offset = try description.presentationTimeOffset()
    let urls = description.urls
    guard urls.count <= ManifestLimits.segmentCount else {
      throw description.element.flaw("it has more than \(ManifestLimits.segmentCount) segments")
    }
    guard !urls.isEmpty else { throw description.element.flaw("it lists no segment") }
    // A listed segment takes the memory of many entries.
    try budget.spend(timelineEntries: 8 * urls.count)
    let built = try listRuns(description, period, timescale: timescale, mediaOffset: offset, count: urls.count)
    let section = try initialization(description, base)
    let resolver = AddressResolver(base.address)
    let firstNumber = try description.integer("startNumber") ?? 1
    var segments: [Segment] = []
    for run in built {
      for step in 0..<run.count {
        let number = run.number + Int64(step)
        guard number - firstNumber < urls.count else { break }
        let url = urls[Int(number - firstNumber)]
        let address = try url.text("media").map { text throws(ManifestFlaw) in try resolve(text, resolver, url) }
        if address == nil { try budget.spend(base.address) }
        var segment = Segment(
          number: number, address: address ?? base.address, range: try url.byteRange("mediaRange"),
          start: run.start + Int64(step) * run.duration, duration: run.duration, discontinuity: period.number)
        segment.initialization = section
        segment.wallTime = period.zero.map { $0 + TickArithmetic.time(segment.start, timescale: timescale) }
        segments.append(segment)
      }
    }
    var timeline = SegmentTimeline(
      listed: segments, timescale: timescale, origin: period.start, mediaOffset: offset)
    timeline.availability = try availability(description, period, base)
    return timeline
  }

  /// The times of listed segments: as many as there are URLs.
  private mutating func listRuns(
    _ description: SegmentDescription, _ period: PeriodFacts, timescale: Int64, mediaOffset: Int64, count: Int
  ) throws(ManifestFlaw) -> [SegmentRun] {
    if description.timeline != nil {
      return try runs(description, period, timescale: timescale, mediaOffset: mediaOffset).runs
    }
    let firstNumber = try description.integer("startNumber") ?? 1
    let ticks = period.duration.map { TickArithmetic.ticks(covering: $0, timescale: timescale) }
    guard let duration = try description.integer("duration") ?? (count == 1 ? ticks : nil) else {
      throw description.element.flaw("it has neither @duration nor a timeline")
    }
    guard let last = firstNumber.adding(Int64(count) - 1) else {
      throw description.element.flaw("@startNumber is too great")
    }
    var runs = TimelineRuns(
      mediaOffset: mediaOffset, period: ticks, firstNumber: firstNumber, lastNumber: last, isDynamic: mayBeEndless)
    try runs.fill(duration: duration, description.element)
    return runs.runs
  }
}
