import Frames

/// Writes events as lines of JSON: one each, or as OpenTelemetry's file exporter does (OTLP/JSON). Pure.
package struct AnalyticsLines: Sendable {
  package enum Format: String, Sendable, Codable, CaseIterable {
    /// An event a line, as `results/events.schema.json` describes them.
    case json
    /// OpenTelemetry's: an object `resourceSpans` or `resourceMetrics` a line (OTLP/JSON).
    case otlp

    /// By a file's name: `.otlp.jsonl` at its end is OpenTelemetry's.
    package static func ofFile(_ path: String) -> Format { path.hasSuffix(".otlp.jsonl") ? .otlp : .json }
  }

  package let format: Format
  /// 16 bytes, hexadecimal.
  package let session: String

  /// The identifier of what is written, in the first line of a session.
  package static let schema = "bench360-events/1"

  package init(_ format: Format, session: String) { (self.format, self.session) = (format, session) }

  /// - Parameters:
  ///   - sequence: of the event in its session, from 1.
  ///   - sums: so far.
  ///   - began: the session.
  package func lines(
    _ event: AnalyticsEvent, sequence: Int, _ sums: AnalyticsTracker.Sums, since began: AnalyticsInstant
  ) -> [String] {
    switch format {
    case .json: [json(event, sequence, since: began)]
    case .otlp: [span(event, sequence)] + metrics(event, sums, since: began)
    }
  }

  // MARK: - Events

  private func json(_ event: AnalyticsEvent, _ sequence: Int, since began: AnalyticsInstant) -> String {
    var members = [
      ("session", EventJSON.string(session)), ("sequence", String(sequence)),
      ("time", EventJSON.string(event.at.wall.text)),
      ("monotonic_ms", EventJSON.number(event.at.milliseconds(since: began))),
      ("event", EventJSON.string(event.name.rawValue)),
    ]
    if event.name == .sessionBegin { members.append(("schema", EventJSON.string(Self.schema))) }
    if let clip = event.clip { members.append(("clip", String(clip))) }
    if let position = event.position { members.append(("position_s", EventJSON.number(position))) }
    for field in event.fields { members.append((field.name, plain(field.value))) }
    return EventJSON.object(members)
  }

  private func plain(_ value: AnalyticsEvent.Value) -> String {
    switch value {
    case .integer(let value): String(value)
    case .number(let value): EventJSON.number(value)
    case .text(let text): EventJSON.string(text)
    case .flag(let flag): flag ? "true" : "false"
    case .none: "null"
    }
  }

  // MARK: - Spans

  /// The session is a trace: each event is a span of it, of no length where it took no time.
  private func span(_ event: AnalyticsEvent, _ sequence: Int) -> String {
    var attributes = [("bench360.sequence", AnalyticsEvent.Value.integer(sequence))]
    if let clip = event.clip { attributes.append(("bench360.clip", .integer(clip))) }
    if let position = event.position { attributes.append(("bench360.position_s", .number(position))) }
    attributes += event.fields.map { ("bench360." + $0.name, $0.value) }
    let isRoot = event.name == .sessionEnd
    // By the monotonic clock: the wall's may be set while the session goes on.
    let length = event.began.map { event.at.monotonic.nanoseconds - $0.monotonic.nanoseconds } ?? 0
    var members = [
      ("traceId", EventJSON.string(session)), ("spanId", EventJSON.string(spanID(isRoot ? 0 : sequence))),
      ("name", EventJSON.string(isRoot ? "session" : event.name.rawValue)), ("kind", "1"),
      ("startTimeUnixNano", nanoseconds(event.at.wall.nanoseconds - length)),
      ("endTimeUnixNano", nanoseconds(event.at.wall.nanoseconds)),
      ("attributes", EventJSON.array(attributes.compactMap { attribute($0.0, $0.1) })),
    ]
    if !isRoot { members.insert(("parentSpanId", EventJSON.string(spanID(0))), at: 2) }
    if event.name == .error { members.append(("status", EventJSON.object([("code", "2")]))) }
    return resource("resourceSpans", "scopeSpans", "spans", [EventJSON.object(members)])
  }

  /// 8 bytes, of which the first is not 0: the session's own is that of 0.
  private func spanID(_ sequence: Int) -> String {
    let digits = String(sequence, radix: 16)
    return "b3" + String(repeating: "0", count: max(0, 14 - digits.count)) + digits.suffix(14)
  }

  private func attribute(_ key: String, _ value: AnalyticsEvent.Value) -> String? {
    let coded: (String, String)? =
      switch value {
      case .integer(let value): ("intValue", EventJSON.string(String(value)))
      case .number(let value): value.isFinite ? ("doubleValue", EventJSON.number(value)) : nil
      case .text(let text): ("stringValue", EventJSON.string(text))
      case .flag(let flag): ("boolValue", flag ? "true" : "false")
      case .none: nil
      }
    return coded.map { EventJSON.object([("key", EventJSON.string(key)), ("value", EventJSON.object([$0]))]) }
  }

  private func nanoseconds(_ value: Int64) -> String { EventJSON.string(String(max(0, value))) }

  private func resource(_ list: String, _ scopes: String, _ items: String, _ values: [String]) -> String {
    let service = attribute("service.name", .text("bench360")).map { [$0] } ?? []
    let scope = EventJSON.object([
      ("scope", EventJSON.object([("name", EventJSON.string(Self.schema))])), (items, EventJSON.array(values)),
    ])
    return EventJSON.object([
      (
        list,
        EventJSON.array([
          EventJSON.object([
            ("resource", EventJSON.object([("attributes", EventJSON.array(service))])),
            (scopes, EventJSON.array([scope])),
          ])
        ])
      )
    ])
  }

  // MARK: - Metrics

  /// The sums of the session with each event that changes them; a time or a bit rate as a gauge.
  private func metrics(
    _ event: AnalyticsEvent, _ sums: AnalyticsTracker.Sums, since began: AnalyticsInstant
  ) -> [String] {
    var values: [String] = []
    func sum(_ name: String, _ unit: String, _ value: AnalyticsEvent.Value) {
      values.append(
        metric(
          name, unit, "sum", [point(value, event, since: began)],
          [("aggregationTemporality", "2"), ("isMonotonic", "true")]))
    }
    func gauge(_ name: String, _ unit: String, _ key: String) {
      guard let value = event.fields.first(where: { $0.name == key })?.value else { return }
      values.append(metric(name, unit, "gauge", [point(value, event, since: nil)], []))
    }
    switch event.name {
    case .frames:
      sum("bench360.frames.presented", "{frame}", .integer(sums.presented))
      sum("bench360.frames.dropped", "{frame}", .integer(sums.dropped))
    case .stallEnd:
      sum("bench360.stalls", "{stall}", .integer(sums.stalls))
      sum("bench360.stall_time", "ms", .number(sums.stallMilliseconds))
    case .seek:
      sum("bench360.seeks", "{seek}", .integer(sums.seeks))
      gauge("bench360.seek_time", "ms", "seek_ms")
    case .error: sum("bench360.errors", "{error}", .integer(sums.errors))
    case .firstFrame: gauge("bench360.ttff", "ms", "first_frame_ms")
    case .quality: gauge("bench360.bitrate", "bit/s", "bitrate_bps")
    default: break
    }
    return values.isEmpty ? [] : [resource("resourceMetrics", "scopeMetrics", "metrics", values)]
  }

  private func metric(
    _ name: String, _ unit: String, _ kind: String, _ points: [String], _ facts: [(String, String)]
  ) -> String {
    EventJSON.object([
      ("name", EventJSON.string(name)), ("unit", EventJSON.string(unit)),
      (kind, EventJSON.object([("dataPoints", EventJSON.array(points))] + facts)),
    ])
  }

  private func point(_ value: AnalyticsEvent.Value, _ event: AnalyticsEvent, since began: AnalyticsInstant?) -> String {
    var members: [(String, String)] = []
    if let began { members.append(("startTimeUnixNano", nanoseconds(began.wall.nanoseconds))) }
    members.append(("timeUnixNano", nanoseconds(event.at.wall.nanoseconds)))
    if case .integer(let value) = value {
      members.append(("asInt", EventJSON.string(String(value))))
    } else {
      members.append(("asDouble", plain(value)))
    }
    return EventJSON.object(members)
  }
}
