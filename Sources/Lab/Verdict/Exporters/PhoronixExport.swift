extension ExportFormat {
  /// A result file of the Phoronix Test Suite, `composite.xml`: a system for each record, a result for each metric that is better one way.
  static let phoronix = ExportFormat("phoronix", "composite.xml of the Phoronix Test Suite") { records, subject in
    var results: [String: (metric: ExportedMetric, entries: [String])] = [:]
    var order: [String] = []
    let names = systemNames(records)
    for (record, name) in zip(records, names) {
      for metric in record.exported where metric.polarity != .neutral && !metric.trials.isEmpty {
        let key = "\(record.input.name) \(metric.place) \(metric.name)"
        if results[key] == nil { order.append(key) }
        results[key, default: (metric, [])].entries.append(entry(metric, system: name))
      }
    }
    let body = order.compactMap { key in results[key].map { result(key, $0.metric, $0.entries) } }
    let head = generated(records, subject) + zip(records, names).map(system).joined()
    return "<?xml version=\"1.0\"?>\n<PhoronixTestSuite>\n" + head + body.joined() + "</PhoronixTestSuite>\n"
  }

  /// Its schema has 128 characters, of which a number takes some.
  private static let nameLimit = 100
  private static let textLimit = 2000

  /// Labels, else machines; those of several records are numbered.
  private static func systemNames(_ records: [Record]) -> [String] {
    var seen: [String: Int] = [:]
    return records.map { record in
      let name = String((record.label ?? record.environment.machine.className).prefix(nameLimit))
      seen[name, default: 0] += 1
      return seen[name] == 1 ? name : "\(name) #\(seen[name] ?? 0)"
    }
  }

  /// `2026-11-26 03:00:14`, as its schema has times.
  private static func time(_ record: Record) -> String {
    let known = RecordCoding.instant(record.created) == nil ? "1970-01-01T00:00:00Z" : record.created
    return String(known.replacing("T", with: " ").prefix("2026-11-26 03:00:14".count))
  }

  private static func generated(_ records: [Record], _ subject: ExportSubject) -> String {
    let inputs = records.reduce(into: [String]()) { if !$0.contains($1.input.name) { $0.append($1.input.name) } }
    return element(
      "Generated",
      [
        ("Title", "bench360"), ("LastModified", records.map(time).max() ?? ""),
        ("TestClient", "bench360 \(records.first?.build.version ?? "")"),
        ("Description", String("Decoding and drawing of \(inputs.joined(separator: ", "))".prefix(textLimit))),
        ("Notes", subject.revision.map { "Revision \($0)" } ?? ""), ("InternalTags", ""),
        ("PreSetEnvironmentVariables", ""),
      ])
  }

  private static func system(_ record: Record, name: String) -> String {
    let (machine, device) = (record.environment.machine, record.environment.device)
    let hardware = [
      machine.cpu.map { cpu in "Processor: \(cpu)" + (machine.cores.map { " (\($0) Cores)" } ?? "") },
      machine.memoryMib.map { "Memory: \($0) MiB" }, device.map { "Graphics: \($0.name)" },
    ]
    let software = [
      machine.os.map { "OS: \($0)" }, machine.kernel.map { "Kernel: \($0)" },
      device?.driver.map { "Vulkan Driver: \($0)" },
      record.environment.libraries.ffmpeg.runtime.map { "FFmpeg: \($0)" },
    ]
    return element(
      "System",
      [
        ("Identifier", name), ("Hardware", hardware.compactMap { $0 }.joined(separator: ", ")),
        ("Software", software.compactMap { $0 }.joined(separator: ", ")), ("User", ""), ("TimeStamp", time(record)),
        ("TestClientVersion", record.build.version), ("Notes", record.warnings.map(\.text).joined(separator: "; ")),
      ])
  }

  private static func result(_ key: String, _ metric: ExportedMetric, _ entries: [String]) -> String {
    let fields = element(
      "Result",
      [
        ("Identifier", "local/bench360-1.0.0"), ("Title", "bench360"), ("AppVersion", ""),
        ("Arguments", "--scenario \(metric.place)"),
        ("Description", key), ("Scale", metric.unit), ("Proportion", metric.polarity == .high ? "HIB" : "LIB"),
        ("DisplayFormat", "BAR_GRAPH"),
      ])
    return fields.replacing("  </Result>\n", with: "    <Data>\n\(entries.joined())    </Data>\n  </Result>\n")
  }

  private static func entry(_ metric: ExportedMetric, system: String) -> String {
    let raw = metric.trials.map { "\($0)" }.joined(separator: ":")
    let fields = [("Identifier", system), ("Value", "\(metric.main)"), ("RawString", raw)]
    return "      <Entry>\n" + fields.map { "        <\($0)>\(xmlEscaped($1))</\($0)>\n" }.joined() + "      </Entry>\n"
  }

  private static func element(_ name: String, _ fields: [(String, String)]) -> String {
    "  <\(name)>\n" + fields.map { "    <\($0)>\(xmlEscaped($1))</\($0)>\n" }.joined() + "  </\(name)>\n"
  }
}
