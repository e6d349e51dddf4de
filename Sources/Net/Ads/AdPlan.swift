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
  public init(_ place: String, unless interruption: Interruption? = nil) throws(Failure) {
    network = try AdNetwork()
    let document = try network.load(place, .named, within: Self.patience, unless: interruption)
    base = document.base
    schedule = try AdSchedule(document.bytes, redactingSecrets(ofArgument: place))
  }

  /// Of a schedule whose ads are files of this machine, or have URLs.
  public init(_ schedule: AdSchedule) throws(Failure) {
    network = try AdNetwork()
    (base, self.schedule) = (AdBase("", policy: .named), schedule)
  }

  /// URLs that the schedule itself names.
  func urls(_ requests: [VASTRequest], of event: AdEvent) -> [AdURL] {
    requests.filter { $0.event == event }.map { AdURL($0.url, base.policy) }
  }

  func loader<Clip>(
    of pause: AdBreak, _ wishes: AdWishes,
    open: @escaping @Sendable (PlayableAd, Interruption) throws(Failure) -> Clip
  ) -> BreakLoader<Clip> {
    BreakLoader(
      pause, from: base, wishes,
      load: { [network] (place, policy, interruption) throws(Failure) in
        try network.load(place, policy, within: Self.patience, unless: interruption)
      }, open: open)
  }
}
