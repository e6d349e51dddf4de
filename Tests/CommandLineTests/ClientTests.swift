import Foundation
import Support
import Testing

extension StreamCommandTests {
  /// `run --scenario stream --clients N`: several players over one link.
  @Suite(.tier(.test)) struct ClientTests {
    /// - Parameter input: nil: the ladder's folder, served by the run's own origin.
    private static func run(in folder: String, of input: String? = nil, _ options: [String]) throws -> (
      result: CommandOutput, trial: [String: Any]
    ) {
      let input = try input ?? SharedLadders.flat().folder
      let result = try Program.run(
        ["run", input, "--scenario", "stream", "--trials", "1", "--size", "160x90", "-o", "r.json"]
          + options,
        in: folder)
      try #require(result.status == 0, "\(result.errors)")
      let record = try RecordText(file: folder + "/r.json")
      let scenarios = try #require(record.values["scenarios"] as? [[String: Any]])
      let codes = (record.values["warnings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
      #expect(!codes.contains("origin_disagrees"), "\(codes)")
      return (result, try #require((scenarios.first?["trials"] as? [[String: Any]])?.first))
    }

    private static func samples(_ trial: [String: Any], _ metric: String) -> [Double] {
      let metrics = trial["metrics"] as? [String: [String: Any]]
      return metrics?[metric]?["samples"] as? [Double] ?? []
    }

    /// Eight at a time, none of which decodes: each plays all, and the origin's log agrees with all of them together.
    @Test func eightShareALink() throws {
      try TestFolders.withTemporary { folder in
        let (result, trial) = try Self.run(in: folder, ["--clients", "8", "--rate", "8", "--rtt", "10"])
        let clients = try #require(trial["clients"] as? [[String: Any]])
        #expect(clients.count == 8)
        for metric in ["client_bitrate_bps", "client_stalls", "client_stall_ms"] {
          #expect(Self.samples(trial, metric).count == 8, "\(metric)")
        }
        let used = Self.samples(trial, "link_utilisation")
        #expect(used.count == 1 && used.allSatisfy { $0 > 0.05 && $0 <= 1 }, "\(used)")
        let rates = Self.samples(trial, "client_bitrate_bps")
        let jain = rates.reduce(0, +) * rates.reduce(0, +) / (8 * rates.reduce(0) { $0 + $1 * $1 })
        #expect(abs((Self.samples(trial, "client_fairness").first ?? 0) - jain) < 6e-5 && jain > 0.8, "\(rates)")
        #expect(result.flowing.contains("8 "), "\(result.text)")
      }
    }

    /// The command that is printed at the end measures the same: as many clients over the same link, by two controllers.
    @Test func theNextStepIsTheSameRun() throws {
      try TestFolders.withTemporary { folder in
        let options = [
          "--clients", "2", "--rate", "3", "--rtt", "15", "--duration", "1", "--controller", "fixed:1,lowest",
        ]
        let (result, _) = try Self.run(in: folder, options)
        let line = try #require(result.lines.first { $0.contains(" ab ") })
        let command = try #require(line.components(separatedBy: "--base ").last)
        let both = try CommandOutput.of("/bin/sh", ["-c", "printf '%s\\n' --base " + command])
        let sides = both.text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("--scenario") }
        let kept = "--scenario stream --trials 1 --size 160x90 --clients 2 --rate 3 --rtt 15 --duration 1 --controller "
        #expect(sides == [kept + "bola", kept + "dynamic"], "\(both.text) of \(line)")
        try #require(sides.count == 2)
        // Both are options of `run`.
        let again = try Program.run(
          ["run", try SharedLadders.flat().folder] + sides[0].split(separator: " ").map(String.init), in: folder)
        #expect(again.status == 0, "\(again.errors)")
      }
    }

    /// One that always takes the highest rung, beside one that takes the lowest: the index is that of their rates.
    @Test func anUnfairPlayerIsSeen() throws {
      try TestFolders.withTemporary { folder in
        let (_, trial) = try Self.run(in: folder, ["--clients", "2", "--controller", "fixed:1,lowest", "--rate", "20"])
        let rates = Self.samples(trial, "client_bitrate_bps")
        try #require(rates.count == 2)
        #expect(rates[0] > 1.5 * rates[1], "\(rates)")
        let jain = (rates[0] + rates[1]) * (rates[0] + rates[1]) / (2 * (rates[0] * rates[0] + rates[1] * rates[1]))
        #expect(abs((Self.samples(trial, "client_fairness").first ?? 0) - jain) < 6e-5 && jain < 0.97, "\(rates)")
      }
    }

    /// One player is the plain scenario: no metric of several, and the same requests.
    @Test func oneIsThePlainScenario() throws {
      try TestFolders.withTemporary { folder in
        let requests = try [[], ["--clients", "1"]].map { options in
          let trial = try Self.run(in: folder, options + ["--controller", "lowest", "--duration", "2"]).trial
          #expect(trial["clients"] == nil && Self.samples(trial, "client_fairness").isEmpty)
          let stream = trial["stream"] as? [String: Any]
          let urls = (stream?["requests"] as? [[String: Any]] ?? []).compactMap { $0["url"] as? String }
          return urls.map { String($0.split(separator: "/").dropFirst(2).joined(separator: "/")) }
        }
        #expect(requests[0] == requests[1] && requests[0].count >= 3, "\(requests)")
      }
    }

    /// Two equal players share a link that suffices for both: within 5 % of equal.
    @Test(.tier(.full)) func equalPlayersShare() throws {
      try TestFolders.withTemporary { folder in
        let (_, trial) = try Self.run(in: folder, ["--clients", "2", "--rate", "2", "--rtt", "10"])
        let (rates, index) = (Self.samples(trial, "client_bitrate_bps"), Self.samples(trial, "client_fairness"))
        #expect(rates.count == 2 && index.count == 1 && index.allSatisfy { $0 >= 0.95 && $0 <= 1 }, "\(rates)")
      }
    }

    /// Over another server, whose link is not the run's own: the same measures but for the link's, from as many connections.
    @Test(.enabled("nginx is not installed") { ForeignOrigin.Server.nginx.isAvailable })
    func clientsShareAnotherServer() throws {
      try TestFolders.withTemporary { folder in
        let ladder = try SharedLadders.flat()
        let file = try #require(ladder.index.presentations.first { $0.kind == .hlsFMP4 }?.file)
        let server = try ForeignOrigin(.nginx, serving: ladder.folder)
        let (_, trial) = try Self.run(in: folder, of: server.url + file, ["--clients", "3", "--controller", "lowest"])
        let clients = try #require(trial["clients"] as? [[String: Any]])
        let urls = clients.map { client in
          let stream = client["session"] as? [String: Any] ?? client
          return (stream["requests"] as? [[String: Any]] ?? []).compactMap { $0["url"] as? String }
        }
        #expect(urls.count == 3 && Set(urls).count == 1 && urls[0].count >= 7, "\(urls)")
        #expect(urls[0].allSatisfy { $0.hasPrefix(server.url) })
        let rates = Self.samples(trial, "client_bitrate_bps")
        #expect(rates.count == 3 && (Self.samples(trial, "client_fairness").first ?? 0) >= 0.95, "\(rates)")
        #expect(Self.samples(trial, "client_stalls") == [0, 0, 0] && Self.samples(trial, "link_utilisation").isEmpty)
      }
    }

    @Test(arguments: [
      (["--clients", "0"], "--clients must be between 1 and"),
      (["--clients", "17", "--decoding", "real"], "between 1 and 16"),
      (["--stagger", "1"], "add --clients"), (["--clients", "2", "--audio", "null"], "loads no sound"),
      (["--clients", "2", "--present", "window"], "shows no window"),
    ])
    func whatDoesNotGoTogetherIsRefused(options: [String], words: String) throws {
      try TestFolders.withTemporary { folder in
        let result = try Program.run(["run", "ladder", "--scenario", "stream"] + options, in: folder)
        #expect(result.status == 64 && result.errors.contains(words), "\(result)")
      }
    }
  }
}
