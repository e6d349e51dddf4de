import Ads
import Frames
import Media
import Playback
import Session

/// What is opened where, and for whom.
package struct OpeningPlan: Sendable {
  /// Of the clip, or its URL.
  package var path: String
  package var session: RenderSession.Options
  /// How streams are loaded; nil: by libavformat.
  package var streaming: StreamLoading?
  /// The place of a schedule of ads; nil: there is none.
  package var ads: String?
  /// Called first, on the opening's thread, with what tells whether it is to stop.
  package var check: ClipCheck?
  /// Called on the opening's thread at its end.
  package var onDone: @Sendable () -> Void = {}

  package init(_ path: String, _ session: RenderSession.Options) {
    (self.path, self.session) = (path, session)
    (self.session.decoder.showsFirstSoon, self.session.decoder.acceptsSound) = (true, true)
  }
}

/// A clip that is open, and its ads.
package struct LoadedClip {
  package let clip: OpenedClip
  /// Nil: it has none.
  package let ads: Result<AdPlan?, Failure>
}

/// A clip being opened, with its ads, on a thread of its own. One thread, but for the opening itself.
package final class ClipOpening<Item: Equatable> {
  package let item: Item
  /// Ends reading the clip, whether it is open yet or not.
  package let interruption: Interruption
  private let path: String
  private let stage = OpeningStage()
  private let work: BackgroundWork<LoadedClip>
  /// The result until it is taken.
  private var result: Result<LoadedClip, Failure>?
  private var isTaken = false

  package init(
    _ item: Item, _ plan: OpeningPlan, on device: DeviceOpening, interruption: Interruption = Interruption()
  ) {
    (self.item, path, self.interruption) = (item, plan.path, interruption)
    work = BackgroundWork(onDone: plan.onDone) { [interruption, stage] () throws(Failure) in
      let ads = AdLoading(plan.ads, interruption)
      let clip = try OpenedClip(
        played: plan.path, plan.session, streaming: plan.streaming, on: device, interruption: interruption,
        check: { () throws(Failure) in
          try plan.check?(plan.path, plan.session.decoder.network) { interruption.isRequested }
          stage.note(.reading)
        }, onPhase: { stage.note(ended: $0) })
      return LoadedClip(clip: clip, ads: Result { () throws(Failure) in try ads.wait() })
    }
  }

  /// What it waits for.
  package var waitsFor: OpeningStage.Wait { stage.wait(for: path) }

  /// Asks the thread to stop; it may take as long as a name lookup, which cannot be interrupted.
  deinit {
    if !isTaken { interruption.request() }
  }

  /// Stops it and waits, at most `seconds`, until the thread has freed everything; false if it still runs.
  package func stop(withinSeconds seconds: Double) -> Bool {
    guard !isTaken else { return true }
    interruption.request()
    return work.wait(seconds: seconds)
  }

  /// Waits until it is done, and returns the open clip; once.
  package func wait() throws(Failure) -> LoadedClip {
    work.wait()
    guard let opened = try take() else { preconditionFailure("an opening is taken once") }
    return opened
  }

  /// Nil while the clip is being opened; a result is returned once.
  package func take() throws(Failure) -> LoadedClip? {
    guard let result = outcome else { return nil }
    (self.result, isTaken) = (nil, true)
    return try result.get()
  }

  /// The result that `take` will return; nil while the clip is being opened, and after it was taken.
  package var outcome: Result<LoadedClip, Failure>? {
    if result == nil { result = work.take() }
    return result
  }
}

/// Refuses an input before libavformat opens it, by an error; ends early once `shouldStop` returns true.
package typealias ClipCheck =
  @Sendable (_ path: String, _ network: NetworkOptions, _ shouldStop: () -> Bool) throws(Failure) -> Void
