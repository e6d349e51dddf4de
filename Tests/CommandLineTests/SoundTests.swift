import Foundation
import Support
import Testing

extension CommandLineTests {
  /// The sound of a clip beside its picture, by the program.
  @Suite(.tier(.test)) struct SoundTests {
    private static func run(
      _ clip: String, _ scenario: String, _ options: [String], in folder: String
    ) throws -> RecordText {
      let result = try Program.run(
        Program.shortRun(clip, scenario: scenario) + ["--duration", "2", "-o", "record.json"] + options, in: folder)
      #expect(result.status == 0, "\(result.errors)")
      return try RecordText(file: folder + "/record.json")
    }

    /// A device that plays 200 ms later than it tells; one that is silent for 50 ms. Both are in the record and in the trace.
    @Test(.enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
    func plantedFaultsAreFound() throws {
      try TestFolders.withTemporary { folder in
        let clip = try Program.generate("sound.mp4", in: folder, ["--audio", "tone", "--size", "320x160"])
        let sound = try Self.run(
          clip, "play", ["--audio", "null:offset=200,underrun=50@0.5", "--trace", "trace.json"], in: folder)
        #expect(try PythonJudge.schemaRefusals([folder + "/record.json"]).isEmpty)
        let offsets = sound.samples("av_sync_ms").sorted()
        #expect(offsets.count > 10 && offsets[offsets.count / 2] > 150, "\(offsets)")
        #expect(sound.counter("audio_underruns") == 1 && sound.samples("audio_gap_ms") == [50])
        let pacing = sound.values["settings"] as? [String: Any]
        #expect(pacing?["audio"] as? String == "null:offset=200ms,underrun=50ms@500ms", "\(pacing ?? [:])")
        let trace = try String(contentsOfFile: folder + "/trace.json", encoding: .utf8)
        #expect(trace.matches(of: /"dur":50000,"name":"gap"/).count == 1 && trace.contains("\"name\":\"sound\""))
        #expect(trace.matches(of: /"name":"av_sync_ms"/).count == offsets.count)
        // Sound that is to be heard earlier is ahead of the picture.
        let delayed = try Self.run(clip, "play", ["--audio-delay", "-150"], in: folder)
        let early = delayed.samples("av_sync_ms").sorted()
        #expect(early.count > 10 && abs(early[early.count / 2] + 150) < 20, "\(early)")
        #expect((delayed.values["settings"] as? [String: Any])?["audio_delay_ms"] as? Double == -150)
        #expect(try PythonJudge.schemaRefusals([folder + "/record.json"]).isEmpty)
        let silent = try Self.run(clip, "play", ["--audio", "off"], in: folder)
        #expect(silent.samples("av_sync_ms").isEmpty && silent.counter("audio_underruns") == nil)
      }
    }

    /// Sound around the head turns with the view, a device's latency later; sound that stays the same in all directions is not played.
    @Test func soundTurnsWithTheView() throws {
      try TestFolders.withTemporary { folder in
        let around = try Program.generate("around.mp4", in: folder, ["--audio", "ambisonic", "--size", "320x160"])
        let record = try Self.run(around, "interaction/drag", ["--audio", "null:latency=300,period=5"], in: folder)
        let turns = record.samples("sound_turn_ms")
        #expect(turns.count > 10 && turns.allSatisfy { $0 > 300 }, "\(turns.prefix(5))")
        #expect(turns.count <= record.samples("input_latency_ms").count)
        let stereo = try Program.generate("stereo.mp4", in: folder, ["--audio", "tone", "--size", "320x160"])
        #expect(try Self.run(stereo, "interaction/drag", [], in: folder).samples("sound_turn_ms").isEmpty)
      }
    }
  }
}
