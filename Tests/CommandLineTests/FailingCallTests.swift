import Foundation
import Support
import Testing

extension CommandTests {
  /// Calls of the C library that fail as they may at any time: no signal, no endless wait, one sentence, and trials measured
  /// before are kept.
  @Suite struct FailingCallTests {
    private static func run(_ clip: String, _ scenarios: String = "decode,play") -> [String] {
      ["run", clip, "--scenario", scenarios, "--trials", "1", "--duration", "0.3", "--size", "64x36"]
        + ["-o", "record.json", "--force"]
    }

    private static let kinds: [FailingCalls.Kind] = [.memory, .open, .read, .write, .thread]

    /// Each kind at a few places of one verb. Where FFmpeg gets no memory it may end the process: `run` survives that, so that memory is
    /// tried there.
    @Test(arguments: kinds) func aFailureIsASentenceOrNothing(kind: FailingCalls.Kind) throws {
      try Self.try(kind, tries: kind == .memory ? 3 : 2) { clip in
        [kind == .memory ? Self.run(clip, "decode") : ["snapshot", clip, "-o", "x.png", "--size", "64x36", "--force"]]
      }
    }

    /// Each kind at random places of each verb.
    @Test(.tier(.full), arguments: kinds) func aFailureInAnyVerbIsASentenceOrNothing(kind: FailingCalls.Kind) throws {
      try Self.try(kind, tries: kind == .memory ? 12 : 5) { clip in
        let verbs = [
          ["probe", clip], ["snapshot", clip, "-o", "x.png", "--size", "64x36", "--force"],
          ["thumbnails", clip, "-o", "x.vtt", "--force"],
        ]
        return (kind == .memory ? [] : verbs) + [Self.run(clip)]
      }
    }

    private static func `try`(
      _ kind: FailingCalls.Kind, tries: Int, _ verbs: (_ clip: String) -> [[String]]
    ) throws {
      var random = SeededGenerator(for: "FailingCallTests \(kind)")
      try Program.withClip { folder, clip in
        for arguments in verbs(clip) {
          func attempt(_ number: Int) throws -> CommandOutput {
            try? FileManager.default.removeItem(atPath: folder + "/calls")
            return try Program.run(
              arguments, in: folder, environment: FailingCalls.environment(kind, number: number, countsIn: folder))
          }
          #expect(try attempt(0).status == 0)
          let calls = try #require(FailingCalls.counts(in: folder).max())
          for _ in 0..<tries where calls > 0 {
            let number = Int.random(in: 1...calls, using: &random)
            try check(try attempt(number), "\(arguments[0]) with \(kind) \(number)")
          }
        }
      }
    }

    /// 3: a damaged picture came out, and the run says so.
    private static func check(_ result: CommandOutput, _ what: String) throws {
      #expect([0, 1, 3].contains(result.status), "\(what): \(result.status) \(result.errors)")
      let sentences = result.errorLines.filter { $0.hasPrefix("bench360: cannot ") }
      #expect(result.status != 1 || sentences.count == 1, "\(what): \(result.errors)")
      #expect(!result.errors.contains("Fatal error") && !result.errors.contains("Domain"), "\(what): \(result.errors)")
    }

    /// A disk that is full from some time on.
    @Test func aFullDiskKeepsTheRecordBefore() throws {
      try Program.withClip { folder, clip in
        #expect(try Program.run(Self.run(clip, "decode"), in: folder).status == 0)
        let before = try Data(contentsOf: URL(filePath: folder + "/record.json"))
        let result = try Program.run(
          Self.run(clip, "decode"), in: folder,
          environment: FailingCalls.environment(.write, number: 1, goesOn: true, countsIn: folder))
        #expect(result.status == 1, "\(result.errors)")
        #expect(result.errorLines.last?.contains("cannot write record 'record.json': no space is left") == true)
        #expect(try Data(contentsOf: URL(filePath: folder + "/record.json")) == before)
      }
    }

    @Test(arguments: [
      ["snapshot", "x.png", "--size", "64x36"], ["thumbnails", "x.vtt"], ["generate", "x.mp4", "--size", "320x160"],
    ])
    func aFullDiskNamesTheRemedy(verb: [String]) throws {
      try Program.withClip { folder, clip in
        let input = verb[0] == "generate" ? [] : [clip]
        let result = try Program.run(
          [verb[0]] + input + ["-o", verb[1]] + verb.dropFirst(2), in: folder,
          environment: FailingCalls.environment(.write, number: 1, goesOn: true, countsIn: folder))
        #expect(result.status == 1, "\(result.errors)")
        #expect(
          result.errorLines.last?.hasSuffix(" — make room, or name a file on another disk") == true, "\(result.errors)")
      }
    }

    /// Trials never ask for the wall clock: a jump of a day changes the record's date alone.
    @Test(arguments: [86_400, -86_400])
    func aJumpOfTheWallClockChangesNothing(seconds: Int) throws {
      try Program.withClip { folder, clip in
        let result = try Program.run(
          Self.run(clip, "decode"), in: folder,
          environment: FailingCalls.environment(
            .clock, number: 2, goesOn: true, seconds: seconds, countsIn: folder))
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.isComplete == true && record.samples("decode_fps").allSatisfy { $0 > 0 })
        // The last is the run itself.
        let counts = FailingCalls.counts(in: folder)
        #expect(counts.count > 1 && counts.dropLast().allSatisfy { $0 == 0 } && (counts.last ?? 0) > 1, "\(counts)")
      }
    }
  }
}
