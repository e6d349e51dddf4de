import Adaptation
import ArgumentParser
import Foundation
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

      Exit codes: 0 fine, 1 failure, 64 usage.
      """)

  @Option(
    help: ArgumentHelp("Controllers, separated by commas.", valueName: "name,…"), completion: Completion.controllers)
  var controller = "throughput,bola,dynamic,mpc,bba"

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Network traces, or folders of them.", valueName: "trace"), completion: .file())
  var network: [String]

  @Option(
    help: ArgumentHelp(
      "What is played: 'builtin', five rungs of 1 to 12 Mbit/s; a ladder as JSON; or a movie of sabre.",
      valueName: "file.json"), completion: Completion.words(["builtin"], orFiles: ["json"]))
  var ladder = "builtin"

  @Option(
    help: ArgumentHelp(
      "Play so much of the ladder, again from its start where it ends. (default: once)", valueName: "seconds"))
  var duration: Double?

  @Option(
    help: ArgumentHelp(
      "Round-trip time of all networks. (default: the traces')", valueName: "milliseconds"))
  var rtt: Double?

  @Option(help: "How throughput is estimated: EWMAs of 3 and 8 s, or the mean of three segments.")
  var estimator = EstimatorArgument()

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

  @OptionGroup
  var writing: WritingOptions

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  func validate() throws {
    for name in names where ControllerChoice(name) == nil {
      throw ValidationError("--controller: there is no controller '\(name)'. There are: \(ControllerChoice.forms).")
    }
    if network.contains("") { throw ValidationError("--network is empty: name a trace.") }
    if let duration, !(duration > 0 && duration <= 1e6) {
      throw ValidationError("--duration must be more than 0 and at most 1000000 seconds.")
    }
    if let rtt, !(0...60_000).contains(rtt) {
      throw ValidationError("--rtt must be between 0 and 60000 milliseconds.")
    }
    if let threads, !(1...1024).contains(threads) { throw ValidationError("--threads must be between 1 and 1024.") }
    if records == "" { throw ValidationError("--records is empty: name a folder.") }
    if output == "" { throw ValidationError("--output is empty: name a file.") }
  }

  private var names: [String] {
    controller.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  func run() throws {
    Interrupt.endAtOnce()
    try writing.check(output, .sessions)
    var table = ladder == "builtin" ? RungTable.builtIn : try LadderFile.read(file: ladder)
    if let duration { table = table.lasting(duration) }
    let choices = names.compactMap(ControllerChoice.init)
    // Mistakes of the command line first.
    for choice in choices { _ = try SegmentScheduler(table, controller: choice, load: load.policy) }
    let simulations = try readNetworks().flatMap { network in
      try choices.map { choice in
        try Simulation(table, over: network, controller: choice, load: load.policy, estimator: estimator.row)
      }
    }
    let count = threads ?? ProcessInfo.processInfo.activeProcessorCount
    if let records { try write(simulations, threads: count, ladder: table, to: records) }
    guard let output else {
      let rows = try SimulationBatch.run(simulations, threads: count, keep: AbrRow.init).compactMap { $0 }
      return Console.print(AbrTable(rows).text, terminator: "")
    }
    let sessions = try SimulationBatch.run(simulations, threads: count) { $0 }.compactMap { $0 }
    let file = SessionsFile(sessions, table: table, load: load.policy, estimator: estimator.row.name)
    let json = String(decoding: try file.json(), as: UTF8.self)
    if output == "-" { return Console.print(printableJSON(json)) }
    try RecordFile.write(called: "sessions", option: "--output", to: output) { put in try put(json + "\n") }
    Console.print(AbrTable(sessions.map(AbrRow.init)).text, terminator: "")
  }

  /// One record for each session, named by its network and its controller.
  private func write(
    _ simulations: [Simulation], threads: Int, ladder: RungTable, to folder: String
  ) throws {
    let started = Date()
    for session in try SimulationBatch.run(simulations, threads: threads, keep: { $0 }).compactMap({ $0 }) {
      let name = "\(session.network)-\(session.controller)".map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "_" }
      let path = (folder as NSString).appendingPathComponent(String(name) + ".json")
      try writing.check(path, .record)
      let record = Record(session, ladder: ladder, load: load.policy, started: started, command: CommandLine.arguments)
      try RecordFile.write(record, to: path)
    }
  }

  /// In the order of the command line; those of a folder by name.
  private func readNetworks() throws -> [NetworkTrace] {
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
}

/// One of the throughput estimators, by name.
struct EstimatorArgument: ExpressibleByArgument {
  var row = EstimatorRow.all[0]

  init() {}

  init?(argument: String) {
    guard let row = EstimatorRow.named(argument) else { return nil }
    self.row = row
  }

  static var allValueStrings: [String] { EstimatorRow.all.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  var defaultValueDescription: String { row.name }
}
