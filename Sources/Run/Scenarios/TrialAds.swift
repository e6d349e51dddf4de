import Ads
import Foundation
import Frames
import Session
import Verdict

/// The ads of a trial: the schedule, their loading, and what their servers are told. One thread.
final class TrialAds {
  let schedule: AdSchedule
  private let network: AdNetwork
  private let base: AdBase
  /// The clip itself stands for each ad.
  private let isOwn: Bool
  private let duration: Double
  private var progress: AdProgress?

  /// Seconds that a break waits for an ad.
  static let patience = 5.0

  /// Throws where the schedule cannot be loaded or read, in one sentence.
  init(_ request: TrialRequest) throws(Failure) {
    let settings = request.settings
    duration = settings.repetition.duration
    network = try AdNetwork()
    guard let place = settings.ads else {
      (isOwn, base) = (true, .folder(""))
      let own = AdBreak.Source.response(.playing(request.input))
      schedule = AdSchedule(breaks: [
        AdBreak(.start, own), AdBreak(.place(.share(0.5)), own), AdBreak(.end, own),
      ])
      return
    }
    (isOwn, base) = (false, AdBase(place))
    schedule = try AdSchedule(try network.load(place, within: Self.patience), redactingSecrets(ofArgument: place))
  }

  /// What the clip plays of a trial's duration.
  func contentDuration(of duration: MediaTime) -> MediaTime {
    isOwn ? MediaTime(seconds: duration.seconds * (1 - 3 * AdsScenario.share)) : duration
  }

  /// Where an ad ends; nil: at its own end.
  var adEnd: MediaTime? { isOwn ? MediaTime(seconds: duration * AdsScenario.share) : nil }

  func loader(
    of pause: AdBreak, _ options: RenderSession.Options, _ device: DeviceOpening
  ) -> BreakLoader<OpenedClip> {
    BreakLoader(
      pause, from: base, AdWishes(),
      load: { [network] (place, interruption) throws(Failure) in
        try network.load(place, within: Self.patience) { interruption.isRequested }
      },
      open: { (ad, interruption) throws(Failure) in
        try OpenedClip(ad.file.url, options, on: device, interruption: interruption)
      })
  }

  // MARK: - Servers are told

  func tell(_ requests: [VASTRequest], _ event: AdEvent) {
    network.tell(requests.filter { $0.event == event }.map(\.url), macros())
  }

  func begin(_ ad: PlayableAd, duration: MediaTime?) { progress = AdProgress(ad, duration: adEnd ?? duration) }

  func played(to place: MediaTime) {
    guard let urls = progress?.played(to: place), !urls.isEmpty else { return }
    network.tell(urls, macros(place))
  }

  func end() {
    if let urls = progress?.end() { network.tell(urls, macros()) }
    progress = nil
  }

  /// No ad came in time.
  func giveUp(_ trial: Trial) {
    let failure = Failure(
      .input, "cannot play an ad", cause: "it was not there after \(Int(Self.patience)) s",
      remedy: "the clip goes on without it")
    fail(AdFailure(.slow, failure, errors: []), trial)
  }

  /// The clip goes on without an ad.
  func fail(_ failure: AdFailure, _ trial: Trial) {
    trial.count(.adsFailed, 1)
    trial.facts.warnings.append(
      .init(code: .adFailed, text: failure.failure.description, remedy: "VAST error \(failure.code.rawValue)"))
    var macros = macros()
    macros.errorCode = failure.code
    network.tell(failure.errors, macros)
  }

  private func macros(_ place: MediaTime? = nil) -> AdMacros {
    var macros = AdMacros(
      time: Int64(Date().timeIntervalSince1970 * 1e9), random: .random(in: 0...UInt32.max))
    macros.adPlace = place
    return macros
  }
}
