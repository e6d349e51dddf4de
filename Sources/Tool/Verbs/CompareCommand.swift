import ArgumentParser
import Frames
import Host
import Run
import Verdict

struct CompareCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Say whether head's numbers differ from base's.",
    discussion: """
        bench360 compare runs/base runs/head --vary threads

      BASE and HEAD are records that 'run' wrote, or folders of them. Each trial counts as one value. Records of \
      different sessions are compared only where the noise between sessions is known: give --noise-floor, or records of five \
      sessions or more as BASE. To decide about a small change, use 'ab'.

      Fields for --vary: \(ComparedField.all.map(\.name).joined(separator: ", ")).

      Exit codes: 0 same or better, 1 failure, 2 regression, 3 a wrong picture was shown, 4 improvement (only with \
      --fail-on improvement), 5 no baseline, 7 incomparable, 8 inconclusive, 64 usage.
      """)

  @Argument(help: "A record or a folder of records to compare with.", completion: Completion.records)
  var base: String

  @Argument(help: "A record or a folder of records to judge.", completion: Completion.records)
  var head: String

  @Option(
    help: ArgumentHelp(
      "Fields that are tested: differences in them do not make records incomparable.", valueName: "field,…"),
    completion: Completion.varied)
  var vary: String?

  @Option(
    help: ArgumentHelp(
      "Noise between sessions of the same build: 95th percentile of |shift| in percent.", valueName: "percent"))
  var noiseFloor: Double?

  @Flag(help: "Skip damaged records instead of ending.")
  var skipDamaged = false

  @OptionGroup(title: "Judging and printing")
  var verdict: VerdictOptions

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  func validate() throws {
    try verdict.checkGates()
    for name in (vary ?? "").split(separator: ",", omittingEmptySubsequences: false) where vary != nil {
      guard ComparedField.named(String(name)) != nil else {
        let names = ComparedField.all.map(\.name).joined(separator: ", ")
        throw ValidationError("--vary: there is no field '\(name)'. There are: \(names).")
      }
    }
    if let noiseFloor, !(0...1000).contains(noiseFloor) {
      throw ValidationError("--noise-floor must be between 0 and 1000.")
    }
  }

  func run() throws {
    Interrupt.endAtOnce()
    try verdict.writing.check(verdict.output, .comparison)
    let base = try RecordSet.load(base, leavingOutDamaged: skipDamaged)
    guard !base.records.isEmpty else {
      throw Failure(
        .noBaseline, "cannot compare with '\(self.base)'", cause: "there is no record",
        remedy: "give a record or a folder of records that 'bench360 run --output' wrote")
    }
    let head = try RecordSet.load(head, leavingOutDamaged: skipDamaged)
    guard !head.records.isEmpty else {
      throw Failure(
        .input, "cannot judge '\(self.head)'", cause: "there is no record",
        remedy: "give a record or a folder of records that 'bench360 run --output' wrote")
    }
    var options = verdict.comparisonOptions()
    options.noiseFloorPercent = noiseFloor
    options.varied = Set((vary ?? "").split(separator: ",").map(String.init))
    if let status = try verdict.deliver(Comparison(base: base, head: head, options: options)) { throw status }
  }
}
