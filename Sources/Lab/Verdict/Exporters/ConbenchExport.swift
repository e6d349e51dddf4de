import FoundationEssentials
import Frames

extension ExportFormat {
  /// What Conbench's `POST /api/benchmark-results/` takes, a line for each metric.
  ///
  /// https://conbench.github.io/conbench/
  static let conbench = ExportFormat("conbench", "a line for each of Conbench's benchmark results") {
    records, subject throws(Failure) in
    guard let repository = subject.repository else {
      throw Failure(
        .input, "cannot export for Conbench", cause: "it wants the repository of the tested software",
        remedy: "give --repository https://github.com/OWNER/NAME, and --revision")
    }
    var lines = ""
    for record in records {
      for metric in record.exported where !metric.trials.isEmpty {
        lines += try exportedLine(
          BenchmarkResult(metric, of: record, repository: repository, revision: subject.revision))
      }
    }
    return lines
  }
}

private struct BenchmarkResult: Encodable {
  var runID, batchID, timestamp: String
  var tags, context, info: [String: String]
  var machineInfo: [String: Field]
  var stats: Stats
  var github: [String: String]

  enum CodingKeys: String, CodingKey {
    case timestamp, tags, context, info, stats, github
    case runID = "run_id"
    case batchID = "batch_id"
    case machineInfo = "machine_info"
  }

  struct Stats: Encodable {
    var data: [Decimal]
    var unit: String
    var times: [Decimal] = []
    var timeUnit = "s"
    var iterations: Int

    enum CodingKeys: String, CodingKey {
      case data, unit, times, iterations
      case timeUnit = "time_unit"
    }

    /// Which way is better Conbench knows by its own units.
    init(_ metric: ExportedMetric) {
      let (unit, factor): (String, Decimal) =
        switch metric.unit {
        case "ms": ("s", Decimal(sign: .plus, exponent: -3, significand: 1))
        case "1/s": ("i/s", 1)
        case "bit/s": ("b/s", 1)
        default: (metric.unit, 1)
        }
      self.unit = unit
      data = metric.trials.map { shifted($0, by: factor) }
      iterations = metric.trials.count
    }
  }

  /// A field of the machine.
  enum Field: Encodable {
    case text(String?)
    case number(Int?)
    case list([String])

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text ?? "unknown")
      case .number(let number): try container.encode(number ?? 0)
      case .list(let texts): try container.encode(texts)
      }
    }
  }

  /// All of Conbench's fields are wanted; 0 is unknown.
  private static func fields(_ environment: Record.Environment) -> [String: Field] {
    let machine = environment.machine
    let gpus = environment.device.map { $0.software ? [] : [$0.name] } ?? []
    let bytes = machine.memoryMib.map { $0.multipliedReportingOverflow(by: 1 << 20).partialValue }
    return [
      "name": .text(machine.className), "architecture_name": .text(nil), "kernel_name": .text(machine.kernel),
      "os_name": .text(machine.os),
      "os_version": .text(nil), "cpu_model_name": .text(machine.cpu), "cpu_l1d_cache_bytes": .number(nil),
      "cpu_l1i_cache_bytes": .number(nil), "cpu_l2_cache_bytes": .number(nil), "cpu_l3_cache_bytes": .number(nil),
      "cpu_core_count": .number(machine.cores), "cpu_thread_count": .number(machine.cores),
      "cpu_frequency_max_hz": .number(nil),
      "memory_bytes": .number(bytes), "gpu_count": .number(gpus.count), "gpu_product_names": .list(gpus),
    ]
  }

  init(_ metric: ExportedMetric, of record: Record, repository: String, revision: String?) {
    runID = record.session ?? record.created
    batchID = "\(runID) \(record.cell?.name ?? record.input.name)"
    timestamp = record.created
    tags = ["name": metric.name, "scenario": metric.scenario, "input": record.cell?.name ?? record.input.name]
    tags["variant"] = metric.variant
    context = ["bench360": record.build.version]
    context["ffmpeg"] = record.environment.libraries.ffmpeg.runtime
    context["driver"] = record.environment.device?.driver
    info = ["command": record.command.joined(separator: " "), "definition": metric.definition]
    info["label"] = record.label
    machineInfo = Self.fields(record.environment)
    stats = Stats(metric)
    github = ["repository": repository]
    github["commit"] = revision
  }
}
