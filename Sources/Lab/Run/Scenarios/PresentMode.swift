import Frames
import Playback
import Verdict

/// Where views are presented.
public enum PresentMode: String, Sendable, Codable, CaseIterable {
  case offscreen, window
}

extension Scenarios {
  /// Whether the jobs play streams; then they are given one and nothing else.
  ///
  /// Throws `.usage` where some do and some do not.
  public static func playStreams(_ jobs: [Job]) throws(Failure) -> Bool {
    let streams = jobs.filter { $0.scenario.has(.network) }
    guard !streams.isEmpty, streams.count < jobs.count else { return !streams.isEmpty }
    let others = jobs.filter { !$0.scenario.has(.network) }.map(\.title)
    throw Failure(
      .usage, "cannot run scenario '\(others[0])' together with '\(streams[0].title)'",
      cause: "one measures a clip, the other a stream", remedy: "run them one after the other")
  }

  /// Refuses scenarios that cannot be presented there.
  ///
  /// Throws `.usage`, which lists the scenarios that can.
  public static func check(_ jobs: [Job], canBeShown presentation: PresentMode) throws(Failure) {
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
