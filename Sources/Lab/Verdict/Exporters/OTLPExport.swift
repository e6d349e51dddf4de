import FoundationEssentials
import Frames

extension ExportFormat {
  /// OpenTelemetry's metrics, a line of OTLP JSON for each record, as collectors read them from files.
  ///
  /// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
  static let otlp = ExportFormat("otlp", "a line of OpenTelemetry's JSON for each record") {
    records, subject throws(Failure) in
    var lines = ""
    for record in records { lines += try exportedLine(Lines(record, subject)) }
    return lines
  }
}

/// `ExportMetricsServiceRequest`.
private struct Lines: Encodable {
  var resourceMetrics: [ResourceMetrics]

  init(_ record: Record, _ subject: ExportSubject) {
    let machine = record.environment.machine
    let attributes: [(String, String?)] = [
      ("service.name", "bench360"), ("service.version", record.build.version), ("host.type", machine.className),
      ("os.description", machine.os), ("host.cpu.model.name", machine.cpu),
      ("bench360.device", record.environment.device?.name),
      ("bench360.driver", record.environment.device?.driver), ("bench360.input", record.input.name),
      ("bench360.label", record.label),
      ("bench360.session", record.session), ("bench360.cell", record.cell?.name),
      ("vcs.ref.head.revision", subject.revision(of: record)), ("vcs.repository.url.full", subject.repository),
    ]
    // 64-bit integers are texts in this JSON.
    let time = "\(Int64((RecordCoding.instant(record.created) ?? 0) * 1e9))"
    resourceMetrics = [
      ResourceMetrics(
        resource: .init(attributes: attributes.compactMap { key, value in value.map { Attribute(key, $0) } }),
        scopeMetrics: [
          .init(
            scope: .init(name: "bench360", version: record.build.version),
            metrics: record.exported.map { Metric($0, time: time) })
        ])
    ]
  }

  struct ResourceMetrics: Encodable {
    var resource: Resource
    var scopeMetrics: [ScopeMetrics]

    struct Resource: Encodable { var attributes: [Attribute] }
    struct ScopeMetrics: Encodable {
      var scope: Scope
      var metrics: [Metric]
    }
    struct Scope: Encodable { var name, version: String }
  }

  struct Attribute: Encodable {
    struct Value: Encodable { var stringValue: String }
    var key: String
    var value: Value

    init(_ key: String, _ text: String) { (self.key, value) = (key, Value(stringValue: text)) }
  }

  struct Metric: Encodable {
    struct Gauge: Encodable { var dataPoints: [Point] }
    struct Point: Encodable {
      var attributes: [Attribute]
      var timeUnixNano: String
      var asDouble: Double
    }

    var name, description, unit: String
    var gauge: Gauge

    /// UCUM, as OpenTelemetry writes units.
    private static let units = [
      "count": "{count}", "frames": "{frame}", "code values": "{code_value}", "MiB": "MiBy", "B": "By", "°C": "Cel",
      "ppm": "[ppm]",
    ]

    init(_ metric: ExportedMetric, time: String) {
      (name, description) = ("bench360.\(metric.name)", metric.definition)
      unit = Self.units[metric.unit] ?? metric.unit
      let place = [("scenario", metric.scenario), ("variant", metric.variant ?? "")].filter { !$0.1.isEmpty }
      gauge = Gauge(
        dataPoints: metric.statistics.map { statistic, value in
          Point(
            attributes: (place + [("statistic", statistic)]).map { Attribute("bench360.\($0)", $1) },
            timeUnixNano: time, asDouble: value)
        })
    }
  }
}
