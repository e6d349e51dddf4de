import Frames
import Media

// Events of a manifest that tell of breaks (`EventStream`, ISO/IEC 23009-1 §5.10.2), by SCTE 214-1.
extension MPDParser {
  /// What the events of a period tell, on the presentation's axis. Events that cannot be read are left out: they play no media.
  func breakSignals(_ period: MPDElement, from start: MediaTime) -> [BreakSignal] {
    var signals: [BreakSignal] = []
    for stream in period.all("EventStream") {
      guard let scheme = SpliceScheme(rawValue: stream.text("schemeIdUri") ?? ""),
        let timescale = try? stream.integer("timescale") ?? 1, timescale > 0,
        let offset = try? stream.integer("presentationTimeOffset") ?? 0
      else { continue }
      for event in stream.all("Event") {
        guard signals.count < 2 * ManifestLimits.breakCount else { return signals }
        guard let time = try? event.integer("presentationTime") ?? 0, let section = scheme.section(event) else {
          continue
        }
        let ticks = (try? event.integer("duration")).flatMap { $0 }
        let duration = ticks.flatMap { $0 > 0 ? TickArithmetic.time($0, timescale: timescale) : nil }
        let place = start + TickArithmetic.time(time.addingSaturated(-offset), timescale: timescale)
        signals += section.signals(at: place, duration: duration)
      }
    }
    return signals
  }

  /// Whether segments of a period hold such events: players pass over events that the manifest does not declare.
  func hasSplicesInSegments(_ period: MPDElement) -> Bool {
    period.all("AdaptationSet").contains { set in
      (set.all("InbandEventStream") + set.all("Representation").flatMap { $0.all("InbandEventStream") }).contains {
        $0.text("schemeIdUri") == SpliceScheme.binary.rawValue
      }
    }
  }
}

extension EventMessage {
  /// What an event of a segment tells of breaks, on the stream's axis; none for other events.
  ///
  /// - Parameters:
  ///   - start: of the segment.
  ///   - offset: the segment's time stamps lie so far behind the axis.
  func breakSignals(start: MediaTime, offset: MediaTime) -> [BreakSignal] {
    guard scheme == SpliceScheme.binary.rawValue, let section = SpliceSection(data) else { return [] }
    let scale = Int64(timescale)
    let time =
      switch place {
      case .behindStart(let ticks): start + TickArithmetic.time(Int64(ticks), timescale: scale)
      case .stamp(let ticks): TickArithmetic.time(Int64(clamping: ticks), timescale: scale) - offset
      }
    let length = duration.flatMap { $0 > 0 ? TickArithmetic.time(Int64($0), timescale: scale) : nil }
    return section.signals(at: time, duration: length)
  }
}

/// How an event holds its message.
private enum SpliceScheme: String {
  case xml = "urn:scte:scte35:2013:xml"
  case binaryInXML = "urn:scte:scte35:2014:xml+bin"
  case binary = "urn:scte:scte35:2013:bin"

  func section(_ event: MPDElement) -> SpliceSection? {
    switch self {
    case .xml: event.first("SpliceInfoSection").flatMap { SpliceSection($0) }
    case .binaryInXML:
      (event.first("Signal")?.first("Binary") ?? event.first("Binary")).flatMap { SpliceSection(text: $0.text) }
        ?? event.first("SpliceInfoSection").flatMap { SpliceSection($0) }
    case .binary: SpliceSection(text: event.text("messageData") ?? event.text)
    }
  }
}

extension SpliceSection {
  /// As XML (SCTE 35 2023 §11); nil where it holds no command of breaks.
  fileprivate init?(_ element: MPDElement) {
    let segmentations = element.all("SegmentationDescriptor").map { SpliceSegmentation($0) }
    if let insert = element.first("SpliceInsert") {
      self.init(.insert(SpliceInsert(insert)), segmentations)
    } else if element.first("TimeSignal") != nil {
      self.init(.timeSignal, segmentations)
    } else {
      return nil
    }
  }
}

extension SpliceInsert {
  fileprivate init(_ element: MPDElement) {
    self.init(
      event: element.event("spliceEventId"), isCancelled: element.isTrue("spliceEventCancelIndicator"),
      isOut: element.isTrue("outOfNetworkIndicator"), duration: element.first("BreakDuration")?.ticks("duration"))
  }
}

extension SpliceSegmentation {
  fileprivate init(_ element: MPDElement) {
    self.init(
      event: element.event("segmentationEventId"), isCancelled: element.isTrue("segmentationEventCancelIndicator"),
      duration: element.ticks("segmentationDuration"),
      type: element.text("segmentationTypeId").flatMap { UInt8($0) } ?? 0)
  }
}

extension MPDElement {
  fileprivate func event(_ name: String) -> UInt32 { text(name).flatMap { UInt32($0) } ?? 0 }

  fileprivate func isTrue(_ name: String) -> Bool { text(name) == "true" || text(name) == "1" }

  /// Of the 90 kHz clock.
  fileprivate func ticks(_ name: String) -> MediaTime? {
    text(name).flatMap { Decimal64.integer($0.utf8) }.map { TickArithmetic.time($0, timescale: 90_000) }
  }
}
