import Frames
import Verdict

extension Sample {
  /// Two players that were watched: one shows all, one drops three frames and freezes.
  package static var observed: Record {
    func frames(_ numbers: [Int], from start: Double, freeze: Int? = nil) -> [WatchedScreen.Frame] {
      numbers.map { number in
        let late = freeze.map { number > $0 ? 300.0 : 0 } ?? 0
        return .init(number: number, shownMs: start + Double(number) * 40 + late, widthMs: 0.76, paintMs: 0)
      }
    }
    func scenario(_ name: String, _ frames: [WatchedScreen.Frame], dropped: Int, freezes: Int) -> Record.Scenario {
      var trial = trial(
        [
          "ttff_ms": [frames[0].shownMs], "roughness_ms": [2.5], "cpu_seconds": [1.5], "peak_rss_mib": [120],
          "frame_interval_ms": zip(frames, frames.dropFirst()).map { $1.shownMs - $0.shownMs },
        ],
        counters: [
          "presented": frames.count, "dropped": dropped, "torn": 0, "repeated": 0, "freezes": freezes,
          "out_of_order": 0,
        ])
      trial.screen = WatchedScreen(
        frames: frames, samples: 4000, samplePeriodMs: 0.76, samplerCpuPct: 2.2, legibleTiles: 9,
        ending: "ended with status 0")
      return Record.Scenario(name: "observe", variant: name, presentSource: .screen, trials: [trial])
    }
    var record = record(scenarios: [
      scenario("mpv", frames(Array(0..<50), from: 400), dropped: 0, freezes: 0),
      scenario(
        "ffplay", frames((0..<50).filter { !(20..<23).contains($0) }, from: 810, freeze: 30), dropped: 3, freezes: 1),
    ])
    record.settings.observation = Record.Settings.Observation(
      source: "xvfb", timing: "the X server has drawn the pixels", screen: PictureSize(width: 1280, height: 720),
      players: [
        .init(name: "mpv", command: "mpv --fs {}", version: "mpv 0.35.1"),
        .init(name: "ffplay", command: "ffplay -autoexit {}", version: nil),
      ])
    record.warnings = []
    return record
  }
}
