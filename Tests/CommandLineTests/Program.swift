import Foundation
import Support
import Testing

/// Tests of the built program that measure, or end processes that must write within a second, one after the other and preferred to all
/// other processes of tests (`measures` in Tests/budgets.tsv).
@Suite(.tier(.test), .serialized) struct CommandLineTests {}

/// Streams over sockets, one after the other, beside all other tests: they wait more than they work.
@Suite(.tier(.test), .serialized) struct StreamCommandTests {}

/// The viewer as a program, one window after the other, beside all other tests.
@Suite(.tier(.test), .serialized) struct ViewCommandTests {}

/// Tests of the built program whose results do not depend on its speed, beside all other tests.
@Suite(.tier(.test)) struct CommandTests {}

/// The commands of pages and of the manual, one after the other, beside all other tests: that each works is all they are to show.
@Suite(.tier(.test), .serialized) struct PageCommandTests {}

/// The commands that a change adds or alters in a page or in the manual. A process of their own, as their cost is that of the change: its
/// budget is that of all pages.
@Suite(.tier(.test), .serialized) struct ChangedPageCommandTests {}

/// The program, as a shell would call it.
enum Program {
  /// Runs it to its end in `folder`.
  static func run(
    _ arguments: [String], in folder: String, input: Data? = nil, environment: [String: String] = [:]
  ) throws -> CommandOutput {
    try CommandOutput.of(
      TestFolders.program, arguments, input: input,
      environment: self.environment(folder).merging(environment) { $1 }, folder: folder)
  }

  /// The environment of a program in `folder`, whose measurements have no warm-up: the session that `ab` would name has had one.
  static func environment(_ folder: String) -> [String: String] {
    home(folder).merging(["BENCH360_SESSION": "tests"]) { $1 }
  }

  /// An environment in `folder`, away from this machine's records, caches and CI summary.
  static func home(_ folder: String) -> [String: String] {
    [
      "XDG_DATA_HOME": folder + "/data", "XDG_CACHE_HOME": folder + "/cache", "GITHUB_STEP_SUMMARY": "",
      "SWIFT_BACKTRACE": "enable=no",
    ]
  }

  /// The shortest run there is: some fresh processes that show one frame each. Scenarios that decode count 100 frames.
  static func shortRun(_ input: String, scenario: String = "startup/warm", seconds: Double = 0.1) -> [String] {
    ["run", input, "--scenario", scenario, "--trials", "1", "--duration", "\(seconds)", "--size", "160x90"]
  }

  /// A synthetic clip of two seconds in `folder`: a copy of one that is made once for each list of options.
  @discardableResult
  static func generate(_ name: String, in folder: String, _ options: [String] = []) throws -> String {
    let arguments = ["--size", "320x160", "--duration", "2"] + options
    let key = String(crc32(Array(arguments.joined(separator: " ").utf8)), radix: 16)
    let made = try SharedClips.file("generated-\(key).\(name.split(separator: ".").last ?? "mp4")") { path in
      let result = try run(["generate", "-o", path] + arguments, in: folder)
      try #require(result.status == 0, "\(result.errors)")
    }
    let path = folder + "/" + name
    if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    try FileManager.default.copyItem(atPath: made, toPath: path)
    return name
  }

  /// Runs FFmpeg's own program, which makes what ours must refuse.
  static func ffmpeg(_ arguments: [String], in folder: String) throws {
    let result = try CommandOutput.of("ffmpeg", ["-v", "error", "-y"] + arguments, folder: folder)
    try #require(result.status == 0, "\(result.errors)")
  }

  /// A generated clip for `body`, in a folder of its own.
  static func withClip<Result>(_ body: (_ folder: String, _ clip: String) throws -> Result) throws -> Result {
    try TestFolders.withTemporary { folder in try body(folder, generate("clip.mp4", in: folder)) }
  }
}

extension CommandOutput {
  var lines: [Substring] { text.split(whereSeparator: \.isNewline) }
  /// Standard output as it reads when nothing is wrapped.
  var flowing: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
  var errorLines: [Substring] { errors.split(separator: "\n") }

  /// Holds a refusal to its promise: this status, nothing on standard output, one sentence that says all of `words`.
  func expectRefusal(
    status expected: Int32 = 1, saying words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(status == expected, "\(errors)", sourceLocation: sourceLocation)
    #expect(output.isEmpty, sourceLocation: sourceLocation)
    #expect(errorLines.count == 1, "\(errors)", sourceLocation: sourceLocation)
    #expect(errors.hasPrefix("bench360: cannot "), "\(errors)", sourceLocation: sourceLocation)
    for word in words {
      #expect(errors.contains(word), "'\(word)' is not in: \(errors)", sourceLocation: sourceLocation)
    }
  }
}

/// What a record says, as a script would read it.
struct RecordText {
  let values: [String: Any]

  init(_ data: Data) throws {
    values = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  init(file: String) throws {
    try self.init(Data(contentsOf: URL(filePath: file)))
  }

  var isComplete: Bool? { values["complete"] as? Bool }
  var inputName: String? { (values["input"] as? [String: Any])?["name"] as? String }
  var projection: String? { (values["settings"] as? [String: Any])?["projection"] as? String }
  var scenarios: [[String: Any]] { values["scenarios"] as? [[String: Any]] ?? [] }
  var scenarioNames: [String] { scenarios.compactMap { $0["name"] as? String } }
  var trials: [[String: Any]] { scenarios.flatMap { $0["trials"] as? [[String: Any]] ?? [] } }
  var warningCodes: [String] {
    (values["warnings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
  }

  /// Every sample of a metric, of all trials.
  func samples(_ metric: String) -> [Double] {
    trials.flatMap { trial -> [Double] in
      let metrics = trial["metrics"] as? [String: [String: Any]]
      return metrics?[metric]?["samples"] as? [Double] ?? []
    }
  }

  /// A counter summed over all trials; nil where no trial knows it.
  func counter(_ name: String) -> Int? {
    let known = trials.compactMap { ($0["counters"] as? [String: Any])?[name] as? Int }
    return known.isEmpty ? nil : known.reduce(0, +)
  }
}

/// The names in a folder, sorted; without `cache`, where a driver may keep its shaders.
func names(in folder: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "cache" }.sorted()
}
