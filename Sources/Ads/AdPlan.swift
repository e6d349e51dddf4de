import Frames
import Media

/// When ads are played in a clip, where they are loaded, and by whom their servers are told. Any thread.
public struct AdPlan: Sendable {
  public let schedule: AdSchedule
  let base: AdBase
  let network: AdNetwork

  /// Seconds that a schedule or an ad is waited for.
  public static let patience = 5.0

  /// Of a path or URL, which is loaded and read: waits for the network.
  ///
  /// Throws in one sentence where that is not possible: `.input` and `.media`, `.cancelled` where it is to stop.
  public init(_ place: String, unless shouldStop: () -> Bool = { false }) throws(Failure) {
    network = try AdNetwork()
    base = AdBase(place)
    let bytes = try network.load(place, within: Self.patience, unless: shouldStop)
    schedule = try AdSchedule(bytes, redactingSecrets(ofArgument: place))
  }

  /// Of a schedule whose ads are files of this machine, or have URLs.
  public init(_ schedule: AdSchedule) throws(Failure) {
    network = try AdNetwork()
    (base, self.schedule) = (.folder(""), schedule)
  }

  func loader<Clip>(
    of pause: AdBreak, _ wishes: AdWishes,
    open: @escaping @Sendable (PlayableAd, Interruption) throws(Failure) -> Clip
  ) -> BreakLoader<Clip> {
    BreakLoader(
      pause, from: base, wishes,
      load: { [network] (place, interruption) throws(Failure) in
        try network.load(place, within: Self.patience) { interruption.isRequested }
      }, open: open)
  }
}
