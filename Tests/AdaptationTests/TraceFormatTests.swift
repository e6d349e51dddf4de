import Adaptation
import Foundation
import Frames
import Support
import Testing

@Suite struct TraceFormatTests {
  private static func read(_ text: String, name: String = "traces/a.b.txt") throws(Failure) -> NetworkTrace {
    try TraceFormat.read(Data(text.utf8), name: name)
  }

  @Test func readsOwnJSON() throws {
    let trace = try Self.read(
      """
      {"schema": "bench360-network/1", "name": "two", "repeats": false, "periods": [
        {"seconds": 1.5, "bits_per_second": 8e6, "round_trip_seconds": 0.02, "loss_delay_seconds": 0.01},
        {"seconds": 2, "bits_per_second": 0}]}
      """)
    #expect(trace.name == "two" && !trace.repeats)
    #expect(
      trace.periods == [
        .init(seconds: 1.5, bitsPerSecond: 8e6, roundTrip: 0.02, lossDelay: 0.01), .init(seconds: 2, bitsPerSecond: 0),
      ])
  }

  @Test func readsSabre() throws {
    let trace = try Self.read(#" [{"duration_ms": 1013, "bandwidth_kbps": 1285, "latency_ms": 100}]"#)
    #expect(trace.name == "a.b" && trace.repeats)
    #expect(trace.periods == [.init(seconds: 1.013, bitsPerSecond: 1_285_000, roundTrip: 0.1)])
  }

  /// Two packets in the second millisecond, one in the third, none for two, one in the sixth; then again.
  @Test func readsMahimahi() throws {
    let trace = try Self.read("2\n2\r\n3\n\n6\n")
    #expect(trace.periods.map(\.bitsPerSecond) == [0, 24e6, 12e6, 0, 12e6])
    #expect(abs(trace.duration - 0.006) < 1e-12)
    #expect(trace.bytes(from: 0, to: 0.006 * 50) == 4 * 50 * 1500)
    // The packet of time stamp 0 passes as well.
    #expect(try Self.read("0\n1\n4\n").bytes(from: 0, to: 0.004) == 3 * 1500)
  }

  @Test func readsLogs() throws {
    let trace = try Self.read(
      """
      1289406399 549 59.851754 10.781778 248456 1008
      1289406400 1549 59.851754 10.781778 100 0
      1289406401\t2549 59.85 10.78 900 500
      """)
    #expect(trace.periods.map(\.seconds) == [1.008, 0.5])
    #expect(trace.periods.map(\.bitsPerSecond) == [248_456.0 * 8 / 1.008, 16000.0] as [Double])
  }

  private static let refusals: [(text: String, cause: String)] = [
    ("", "the file is empty"), ("hello", "none of the known formats"), ("1 2\n", "none of the known formats"),
    ("0x10\n", "none of the known formats"), ("nan\n", "none of the known formats"),
    ("{", "it is not JSON"), ("{}", "names no schema"), (#"{"schema": "bench360-camera/1"}"#, "'bench360-camera/1'"),
    (#"{"schema": "bench360-network/1"}"#, "periods is missing"),
    (#"{"schema": "bench360-network/1", "periods": []}"#, "it has no period"),
    (#"{"schema": "bench360-network/1", "periods": [{"seconds": 1}]}"#, "periods[0].bits_per_second is missing"),
    (
      #"{"schema": "bench360-network/1", "periods": [{"seconds": "1", "bits_per_second": 1}]}"#,
      "periods[0].seconds is of the wrong type"
    ),
    (
      #"{"schema": "bench360-network/1", "periods": [{"seconds": 1e999, "bits_per_second": 1}]}"#, "format 'bench360'"
    ),
    (#"{"schema": "bench360-network/1", "periods": [{"seconds": -1, "bits_per_second": 1}]}"#, "a length of -1.0 s"),
    ("[", "it is not JSON"), ("[1]", "[0] is of the wrong type"), ("[]", "it has no period"),
    (#"[{"duration_ms": 0, "bandwidth_kbps": 1}]"#, "a length of 0.0 s"),
    ("5\n4\n", "line 2 goes back"), ("1.5\n", "line 1 is no time stamp"), ("-1\n", "line 1 is no time stamp"),
    ("1e12\n", "line 1 is no time stamp"), ("5\nfive\n", "line 2 has no number"),
    ("5\n6 7\n", "line 2 has 2 columns, not 1"),
    ("1 2 3 4 -5 6\n", "line 1 has a negative number"), ("1 2 3 4 5 0\n", "it has no period"),
    ("1 2 3 4 0 6\n", "no period with capacity"),
  ]

  @Test(arguments: refusals)
  func damagedFilesAreRefusedInASentence(text: String, cause: String) throws {
    let failure = try #require(throws: Failure.self) { try Self.read(text) }
    #expect(failure.description.hasPrefix("cannot read network trace 'traces/a.b.txt': "), "\(failure)")
    #expect(failure.description.contains(cause), "\(failure)")
    #expect(failure.kind == .input && !failure.description.contains("\n") && failure.remedy != nil)
  }

  @Test func deepNestingIsRefused() {
    let deep = String(repeating: "[", count: 1 << 20)
    #expect(throws: Failure.self) { try Self.read(deep) }
    #expect(throws: Failure.self) { try Self.read(#"{"schema": "# + deep) }
  }

  @Test func filesBeyondTheLimitAreRefused() throws {
    let failure = try #require(throws: Failure.self) {
      try TraceFormat.read(Data(repeating: 0x31, count: TraceFormat.byteLimit + 1), name: "x")
    }
    #expect(failure.cause == "it has more than 16 MiB")
  }

  /// No mutation of a good file ends in a trap, or in a trace outside the limits.
  @Test func mutatedFilesNeverTrap() throws {
    var generator = SeededGenerator(for: "mutatedFilesNeverTrap")
    let files = [
      #"{"schema": "bench360-network/1", "periods": [{"seconds": 1, "bits_per_second": 8e6, "round_trip_seconds": 0.1}]}"#,
      #"[{"duration_ms": 1013, "bandwidth_kbps": 1285, "latency_ms": 100}]"#, "1\n1\n2\n90\n",
      "1 2 3.5 4 5 6\n7 8 9 1 2 3\n",
    ]
    for _ in 0..<4000 {
      var bytes = Array((files.randomElement(using: &generator) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] =
          [UInt8.random(in: 0...255, using: &generator), 0x39, 0x65, 0x2D, 0x0A]
          .randomElement(using: &generator) ?? 0
      }
      guard let trace = try? TraceFormat.read(Data(bytes), name: "x") else { continue }
      #expect(trace.duration > 0 && trace.bytes(from: 0.5, to: 1e9) >= 0)
      _ = trace.end(ofBytes: 1 << 40, from: trace.firstByte(ofRequestAt: 1e5))
    }
  }

  @Test func whatIsNoFileIsRefused() throws {
    try TestFolders.withTemporary { folder in
      for (path, cause) in [
        (folder, "it is a folder"), (folder + "/none", "no such file"), ("/dev/zero", "not a regular file"),
      ] {
        let failure = try #require(throws: Failure.self) { try TraceFormat.read(file: path) }
        #expect(failure.cause.contains(cause), "\(failure)")
      }
    }
  }

  private static let hasPython = (try? CommandOutput.of("python3", ["--version"]).status) == 0

  @Test(.enabled("python3 is not installed") { hasPython })
  func committedTracesAreThoseOfTheirScript() throws {
    let committed = TestFolders.repository + "/Benchmarks/traces"
    let names = ["markov", "on-off", "outage", "ramps", "sine", "steps"].map { $0 + ".json" }
    let stored = try FileManager.default.contentsOfDirectory(atPath: committed).filter { $0.hasSuffix(".json") }
    #expect(stored.sorted() == names)
    try TestFolders.withTemporary { folder in
      let result = try CommandOutput.of("python3", [committed + "/make", folder])
      #expect(result.status == 0, "\(result.errors)")
      for name in names {
        let made = try Data(contentsOf: URL(filePath: folder + "/" + name))
        #expect(
          try Data(contentsOf: URL(filePath: committed + "/" + name)) == made, "\(name): run Benchmarks/traces/make")
        #expect(try TraceFormat.read(made, name: name).duration > 10)
      }
    }
  }
}
