import Frames
import Playback
import Verdict

/// Where views are presented.
public enum Presentation: String, Sendable, Codable, CaseIterable {
  case offscreen, window
}

extension Scenarios {
  /// Refuses scenarios that cannot be presented there.
  ///
  /// Throws `.usage`, which lists the scenarios that can.
  public static func check(_ jobs: [Job], canBeShown presentation: Presentation) throws(Failure) {
    guard presentation == .window else { return }
    let offscreen = jobs.filter { !$0.scenario.showsInWindow }.map(\.title)
    guard !offscreen.isEmpty else { return }
    let possible = Scenario.allCases.filter(\.showsInWindow).map(\.name).joined(separator: ", ")
    throw Failure(
      .usage, "cannot run scenario '\(offscreen.joined(separator: ", "))' in a window",
      cause: "it is drawn offscreen only",
      remedy: "give --scenario with the scenarios that a window can show: \(possible)")
  }
}
