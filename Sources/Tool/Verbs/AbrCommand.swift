import Adaptation
import ArgumentParser
import FoundationEssentials
import Frames
import Host
import Run
import Verdict

struct AbrCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "abr", abstract: "Compare adaptation controllers over network traces, on a virtual clock.",
    discussion: """
        bench360 abr --controller bola,dynamic --network Benchmarks/traces/steps.json

      Plays a ladder over each network with each controller: ten minutes take some milliseconds, no byte is sent, and the same \
      call gives the same numbers, to the bit. A row tells what a viewer would have seen; qoe_lin is Pensieve's linear \
      quality of experience: the sum of Mbit/s, less 4.3 for each second of stalls, less each change in Mbit/s.

      Controllers: \(ControllerRow.all.map { "\($0.takesNumber ? $0.name + ":N" : $0.name) (\($0.summary))" }
        .joined(separator: ", ")). Networks: \(TraceFormat.all.map(\.summary).joined(separator: "; ")).

      With --matrix, each cell of a matrix file is a session, with a record in the folder --records: the cells that 'run \
      --matrix' measures on sockets, with ladders as inputs and "scenario": "stream". --shard I/N plays shard I of N, counted from 0; \
      'merge' joins the records of all shards.

      Exit codes: 0 fine, 1 failure, 64 usage.
      """)

  @Option(
    help: ArgumentHelp("Controllers, separated by commas.", valueName: "name,…"), completion: Completion.controllers)
  var controller = "throughput,bola,dynamic,mpc,bba"

  @Option(
    name: [.customLong("network"), .customLong("trace")], parsing: .upToNextOption,
    help: ArgumentHelp("Network traces, or folders of them.", valueName: "trace"), completion: .file())
  var network: [String] = []

  @Option(help: ArgumentHelp("A network of constant capacity, instead of traces.", valueName: "Mbit/s"))
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "Round-trip time of all networks. (default: the traces')", valueName: "milliseconds"))
  var rtt: Double?

  @Option(
    help: ArgumentHelp(
      "What is played: 'builtin', five rungs of 1 to 12 Mbit/s; a ladder's folder, or one as JSON; or a movie of sabre.",
      valueName: "ladder"), completion: Completion.words(["builtin"], orFiles: ["json"]))
  var ladder = "builtin"

  @Option(
    help: ArgumentHelp(
      "Play so much of the ladder, again from its start where it ends. (default: once)", valueName: "seconds"))
  var duration: Double?

  @OptionGroup
  var load: LoadOptions

  @Option(help: ArgumentHelp("Threads; the numbers do not depend on them. (default: all processors)", valueName: "n"))
  var threads: Int?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "All sessions with their requests, stalls and states as JSON; '-' prints it and nothing else.", valueName: "file"),
    completion: Completion.records)
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Write a record of each session there, as 'run --scenario stream' writes it: for 'report' and 'compare'.",
      valueName: "folder"), completion: .directory)
  var records: String?

  @OptionGroup(title: "Many runs")
  var many: MatrixOptions

  @OptionGroup
  var writing: WritingOptions

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  func validate() throws {
    try many.check(
      inputs: [], settings: Setting.simulated, folder: records, option: "--records",
      arguments: CommandLine.arguments)
    for name in names where ControllerChoice(name) == nil {
      throw ValidationError("--controller: there is no controller '\(name)'. There are: \(ControllerChoice.forms).")
    }
    try checkNetworks()
    if let duration, !(duration > 0 && duration <= 1e6) {
      throw ValidationError("--duration must be more than 0 and at most 1000000 seconds.")
    }
    if let threads, !(1...1024).contains(threads) { throw ValidationError("--threads must be between 1 and 1024.") }
    if records == "" { throw ValidationError("--records is empty: name a folder.") }
    if output == "" { throw ValidationError("--output is empty: name a file.") }
    if output != nil, many.matrix != nil {
      throw ValidationError("--output is of one ladder and one player: a matrix has --records.")
    }
  }

  private func checkNetworks() throws {
    if network.contains("") { throw ValidationError("--network is empty: name a trace.") }
    try Setting.rate.check(rate)
    guard network.isEmpty || rate == nil else {
      throw ValidationError("--network and --rate both give the capacity: leave one out.")
    }
    guard many.matrix != nil || !network.isEmpty || rate != nil else {
      throw ValidationError("There is no network: give --network, --rate or --matrix.")
    }
    try Setting.rtt.check(rtt)
  }

  private var names: [String] {
    controller.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  func run() throws {
    Interrupt.endAtOnce()
    if let matrix = many.matrix { return try runMatrix(matrix) }
    try writing.check(output, .sessions)
    let planned = try plan()
    if let records { try write(planned, to: records) }
    guard let output else {
      let rows = try SimulationBatch.run(planned.map(\.simulation), threads: threadCount, keep: { AbrRow($0) })
      return Console.print(AbrTable(rows.compactMap { $0 }).text, terminator: "")
    }
    let sessions = try SimulationBatch.run(planned.map(\.simulation), threads: threadCount) { $0 }.compactMap { $0 }
    let file = SessionsFile(sessions, table: try table(), load: load.policy, estimator: load.estimator.row.name)
    let json = String(decoding: try file.json(), as: UTF8.self)
    if output == "-" { return Console.print(printableJSON(json)) }
    try RecordFile.write(called: "sessions", option: "--output", to: output) { put in try put(json + "\n") }
    Console.print(AbrTable(sessions.map { AbrRow($0) }).text, terminator: "")
  }

  private var threadCount: Int { threads ?? ProcessInfo.processInfo.activeProcessorCount }

  // MARK: - Sessions

  private func table() throws -> RungTable {
    let table = ladder == "builtin" ? RungTable.builtIn : try LadderFile.read(file: ladder)
    return duration.map(table.lasting) ?? table
  }

  /// The sessions of this command line. Mistakes of the command line are found before its networks are read.
  func plan() throws -> [PlannedSession] {
    let table = try table()
    let choices = names.compactMap(ControllerChoice.init)
    for choice in choices { _ = try SegmentScheduler(table, controller: choice, load: load.policy) }
    return try readNetworks().flatMap { network in
      try choices.map { choice in
        PlannedSession(
          simulation: try Simulation(
            table, over: network, controller: choice, load: load.policy, estimator: load.estimator.row),
          ladder: table, settings: settings(choice, network))
      }
    }
  }

  private func settings(_ choice: ControllerChoice, _ network: NetworkTrace) -> StreamSettings {
    var settings = StreamSettings()
    (settings.controller, settings.estimator, settings.load) = (choice.name, load.estimator.row.name, load.policy)
    settings.link = LinkSettings(trace: rate == nil ? network.name : nil, rate: rate, roundTrip: rtt, loss: nil)
    return settings
  }

  /// In the order of the command line; those of a folder by name.
  private func readNetworks() throws -> [NetworkTrace] {
    if let rate {
      let period = NetworkTrace.Period(seconds: 1, bitsPerSecond: rate * 1e6, roundTrip: (rtt ?? 0) / 1000)
      return [try NetworkTrace(name: "constant", periods: [period])]
    }
    let paths = try network.flatMap { path in
      guard OutputPlace(at: path) == .folder else { return [path] }
      let files = try entries(in: path).filter { !$0.isFolder && !$0.name.hasPrefix(".") }.map(\.name).sorted()
      guard !files.isEmpty else {
        throw Failure(
          .input, "cannot read network traces from '\(path)'", cause: "the folder holds no file",
          remedy: "name a trace, or a folder of them")
      }
      return files.map { path + "/" + $0 }
    }
    return try paths.map { path in
      let trace = try TraceFormat.read(file: path)
      return try rtt.map { try trace.with(roundTrip: $0 / 1000) } ?? trace
    }
  }

  // MARK: - Records

  /// One record for each session, named by its cell, else by its network and its controller.
  func write(_ planned: [PlannedSession], to folder: String) throws {
    let started = Date()
    let sessions = try SimulationBatch.run(planned.map(\.simulation), threads: threadCount) { $0 }
    for (plan, session) in zip(planned, sessions) {
      guard let session else { continue }
      let name = plan.cell?.name ?? safe("\(session.network)-\(session.controller)")
      let path = folder.appendingPathComponent(name + ".json")
      try writing.check(path, .record)
      var record = Record(
        session, ladder: plan.ladder, plan.settings, started: started, command: CommandLine.arguments)
      record.cell = plan.cell?.identity
      try RecordFile.write(record, to: path)
    }
  }
  private func safe(_ name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "_" })
  }
}
