import Frames
import Playback
import Testing
import Verdict

/// The ideal is what the player itself does when nothing is late.
struct IdealRoughnessTests {
  @Test(arguments: CadenceTests.rates, CadenceTests.refreshes)
  func isThePlayersOwn(_ rate: Ratio, _ refresh: Ratio) throws {
    let clip = Simulation.Clip.steady(rate, count: 300)
    var simulation = Simulation(clip, refresh: refresh)
    _ = simulation.player.play()
    simulation.run(refreshes: 100_000)
    let views = simulation.screen.filter(\.isNew).map { shown in
      SeenView(
        frame: shown.number ?? 0, time: clip.frames[shown.number ?? 0].stamp, moment: .zero, due: shown.tick.target,
        ready: shown.tick.timestamp, seen: shown.tick.target)
    }
    let played = try #require(Roughness(views))
    let ideal = try #require(Roughness.ideal(times: clip.frames.map(\.stamp), refresh: refresh))
    #expect(abs(played.milliseconds - ideal.milliseconds) < 1e-3, "\(played) \(ideal)")
    #expect(abs(played.freezingMilliseconds - ideal.freezingMilliseconds) < 1e-3)
  }
}
