import Ads
import Frames
import Media
import Playback
import Session

/// The schedule of a clip's ads while it is loaded, beside the clip. One thread.
package final class AdLoading {
  private let work: BackgroundWork<AdPlan>?

  /// - Parameters:
  ///   - place: of the schedule; nil: there is none.
  ///   - interruption: of the clip's opening.
  package init(_ place: String?, _ interruption: Interruption) {
    work = place.map { place in
      BackgroundWork(onDone: {}) { () throws(Failure) in try AdPlan(place, unless: interruption) }
    }
  }

  /// Waits for it, `AdPlan.patience` at most; once. Nil where there is none.
  ///
  /// Throws in one sentence why the clip is played without ads.
  package func wait() throws(Failure) -> AdPlan? {
    work?.wait()
    return try work?.take()?.get()
  }
}

extension RenderSession.Options {
  /// For the file of an ad: its URL leads no further than the document that names it may.
  package func opening(_ ad: PlayableAd) -> RenderSession.Options {
    var options = self
    options.decoder.network.policy = ad.policy
    return options
  }
}
