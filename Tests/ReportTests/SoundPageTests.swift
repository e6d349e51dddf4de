import RecordSamples
import Testing
import Verdict

/// The offsets of sound and picture on the page, with the bounds of ITU-R BT.1359.
@Suite struct SoundPageTests {
  private static func page(_ trials: [[Double]]) -> String {
    let scenario = Record.Scenario(
      name: "play", presentSource: .simulated,
      trials: trials.map {
        Sample.trial(
          ["av_sync_ms": $0, "av_drift_ppm": [120], "audio_gap_ms": [50]], counters: ["audio_underruns": 3])
      })
    return Report(groups: RecordGroup.groups([Sample.record(scenarios: [scenario])])).html
  }

  /// How many bounds the chart has.
  private static func bounds(_ html: String) throws -> Int {
    let chart = try #require(html.split(separator: "<svg").first { $0.contains("-title\">Sound heard") })
    return try #require(chart.split(separator: "</svg>").first).matches(of: /class="ideal"/).count
  }

  @Test func theTrialThatIsFarthestApartIsDrawn() throws {
    let html = Self.page([[1, 2, 3, 2], [-100, 0, 130, 200, 124], [5, 6]])
    let text = PageTests.text(html)
    #expect(text.contains("Sound heard − picture seen, ms — play, trial 2 of 3\n"))
    #expect(text.contains("outside −45 … +125\n3\n"))
    #expect(text.contains("The device ran out of samples 3 times, for 50.00 ms; the offset drifts by 120.0 ppm."))
    #expect(text.contains("dashed: detected from −45 or +125 ms, accepted to −90 and +185 (ITU-R BT.1359)"))
    #expect(try Self.bounds(html) == 4, "all bounds are in sight")
  }

  /// Small offsets look small: the bounds of detection stay in sight.
  @Test func smallOffsetsAreDrawnBetweenTheBounds() throws {
    let html = Self.page([[1, 2, 3, 2]])
    #expect(try Self.bounds(html) >= 2)
    #expect(PageTests.text(html).contains("outside −45 … +125\n0\n"))
  }

  @Test func withoutSoundThereIsNoSection() {
    #expect(!Report(groups: RecordGroup.groups([Sample.record()])).html.contains("Sound and picture"))
  }
}
