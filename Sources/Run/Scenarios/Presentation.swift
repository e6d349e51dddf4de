import Frames
import Playback
import Verdict

/// Where what is drawn is shown.
public enum Presentation: String, Sendable, Codable, CaseIterable {
  case offscreen, window
}

extension Scenarios {
  /// Refuses what cannot be shown there.
  ///
  /// Throws `.usage`, with what can.
  public static func check(_ jobs: [Job], canBeShown presentation: Presentation) throws(Failure) {
    guard presentation == .window else { return }
    let offscreen = jobs.filter { !$0.scenario.showsInWindow }.map(\.title)
    guard !offscreen.isEmpty else { return }
    let possible = Scenario.allCases.filter(\.showsInWindow).map(\.name).joined(separator: ", ")
    throw Failure(
      .usage, "cannot run scenario '\(offscreen.joined(separator: ", "))' in a window",
      cause: "it is drawn offscreen only",
      remedy: "give --scenario with those that can be shown in one: \(possible)")
  }
}
