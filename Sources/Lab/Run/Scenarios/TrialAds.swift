import Ads
import Frames
import Verdict

/// The ads of a trial, and what of it each of them takes. A value.
struct TrialAds {
  let plan: AdPlan
  /// The clip itself stands for each ad.
  private let isOwn: Bool
  private let duration: Double

  /// Throws where the schedule cannot be loaded or read, in one sentence.
  init(_ request: TrialRequest) throws(Failure) {
    duration = request.settings.repetition.duration
    isOwn = request.settings.ads == nil
    if let place = request.settings.ads {
      plan = try AdPlan(place)
    } else {
      let own = AdBreak.Source.response(.playing(request.input))
      plan = try AdPlan(
        AdSchedule(breaks: [AdBreak(.start, own), AdBreak(.place(.share(0.5)), own), AdBreak(.end, own)]))
    }
  }

  /// Where the clip ends.
  var contentEnd: MediaTime { MediaTime(seconds: isOwn ? duration * (1 - 3 * AdsScenario.share) : duration) }

  /// Where an ad ends; nil: at its own end.
  var adEnd: MediaTime? { isOwn ? MediaTime(seconds: duration * AdsScenario.share) : nil }

  /// One that is left out.
  static func note(_ failure: AdFailure, in trial: Trial) {
    trial.count(.adsFailed, 1)
    trial.facts.warnings.append(
      .init(code: .adFailed, text: failure.failure.description, remedy: "VAST error \(failure.code.rawValue)"))
  }
}
