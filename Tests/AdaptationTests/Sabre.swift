import Adaptation
import Foundation
import Support

/// UMass-LIDS' simulator `sabre`, the reference for decisions: a folder beside the real clips, run by Python.
enum Sabre {
  /// `BENCH360_SABRE`, or `../peers/sabre` beside the folder of clips; nil: tests that want it are skipped by name.
  static let folder: String? = {
    let environment = ProcessInfo.processInfo.environment
    let places = [environment["BENCH360_SABRE"], TestFolders.media.map { $0 + "/../peers/sabre" }]
    return places.compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0 + "/src/sabre.py") }
  }()

  static let isThere = folder != nil && (try? CommandOutput.of("python3", ["--version"]).status) == 0

  /// A set of logs, and the film that sabre's authors play over them.
  struct LogSet: CustomStringConvertible, Sendable {
    let name: String
    let film: String
    var description: String { name }

    static let all = [LogSet(name: "3Glogs", film: "bbb.json"), LogSet(name: "4Glogs", film: "bbb4k.json")]

    func film(in folder: String) -> String { "\(folder)/example/mmsys18/\(film)" }

    /// Each log's path; each `step`th of them.
    func logs(in folder: String, step: Int) throws -> [String] {
      let place = "\(folder)/example/mmsys18/\(name)"
      let names = try FileManager.default.contentsOfDirectory(atPath: place).filter { $0.hasSuffix(".json") }.sorted()
      return names.enumerated().filter { $0.offset % step == 0 }.map { "\(place)/\($0.element)" }
    }
  }

  /// One session of sabre.
  struct Session {
    /// Rungs of the requests of each segment, abandoned ones first.
    var rungs: [Int: [Int]] = [:]
    var rebufferSeconds = 0.0
    var rebuffers = 0
  }

  /// Plays the film over each log, with sabre's defaults: 25 s of buffer, downloads are abandoned, none is replaced.
  static func play(_ film: String, over logs: [String], algorithm: String, in folder: String) throws -> [Session] {
    let result = try CommandOutput.of(
      "python3", ["-c", script, folder + "/src/sabre.py", algorithm, film] + logs,
      environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    guard result.status == 0 else { throw Failed(errors: result.errors) }
    return result.text.split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      var session = Session()
      session.rebufferSeconds = Double(words[0]) ?? .nan
      session.rebuffers = Int(Double(words[1]) ?? -1)
      for word in words.dropFirst(2) {
        let numbers = word.split(separator: ":").compactMap { Int($0) }
        session.rungs[numbers[0], default: []].append(numbers[1])
      }
      return session
    }
  }

  struct Failed: Error {
    let errors: String
  }

  /// A line for each log: seconds and number of stalls, then `segment:rung` for each request, in their order.
  private static let script = """
    import contextlib, io, re, runpy, sys
    sabre, algorithm, film = sys.argv[1:4]
    for log in list(sys.argv[4:]):
      sys.argv = ["sabre", "-v", "-a", algorithm, "-m", film, "-n", log]
      text = io.StringIO()
      with contextlib.redirect_stdout(text):
        runpy.run_path(sabre, run_name="__main__")
      text = text.getvalue()
      number = lambda name: re.search(r"^total %s: (.*)$" % name, text, re.M).group(1)
      requests = re.findall(r"^\\[\\d+-\\d+\\]  (\\d+): q=(\\d+) s=", text, re.M)
      print(number("rebuffer"), number("rebuffer events"), *("%s:%s" % request for request in requests))
    """
}
