import Bench360Player
import Frames
import Playlists

// Ads in the clips of the window.
extension Viewer {
  /// Takes the ads that were loaded with a clip; tells why there are none.
  ///
  /// - Parameter start: where the clip begins.
  func beginAds(of showing: Showing, from start: MediaTime) {
    guard case .loaded(let loaded) = showing.ads else { return }
    showing.ads = .none
    do throws(Failure) {
      guard let plan = try loaded.get() else { return }
      let isAgain = openings.breaks?.path == showing.path
      showing.ads = .has(
        ClipAds(showing.clip, plan, isAgain ? openings.breaks?.breaks : nil, from: start, adEvents(showing)))
    } catch {
      tell(error.description)
    }
    openings.breaks = nil
  }

  private func adEvents(_ content: Showing) -> ClipAds.Events {
    let streaming = options.files.streaming.map { StreamLoading($0) }
    return ClipAds.Events(
      open: {
        [session = adSession(), device = drawing.device, check = options.checkInput] (ad, stop)
          throws(Failure) in
        let session = session.opening(ad)
        return try OpenedClip(
          played: ad.file.url, session, streaming: streaming, on: device, interruption: stop,
          check: { () throws(Failure) in try check?(ad.file.url, session.decoder.network) { stop.isRequested } })
      },
      make: { [unowned self] (opened, ad) throws(Failure) in try make(ad, opened, in: content) },
      onChange: { [unowned self] in show(ad: $0, in: content) }, onFailure: { [unowned self] in tell($0.description) },
      onTurn: { [options] in options.files.events?.note($0) })
  }

  private func make(_ ad: PlayableAd, _ opened: OpenedClip, in content: Showing) throws(Failure) -> PlayedClip {
    var (session, playing) = (adSession(), playing(sharesSound ? openSound(of: opened) : nil))
    session.targetSize = content.clip.size
    if ad.file.isSpherical { session.geometry.projection = .equirectangular }
    (playing.loops, playing.canSeek, playing.onFailure) = (false, false, nil)
    return try PlayedClip(opened, ad.file.url, session, on: drawing.device, content.clip.display, playing)
  }

  /// An ad is drawn as its own file says.
  private func adSession() -> RenderSession.Options {
    var session = options.session
    (session.geometry.projection, session.geometry.stereo) = (nil, nil)
    session.geometry.acceptsGuess = true
    (session.decoder.showsFirstSoon, session.decoder.acceptsSound) = (true, true)
    return session
  }

  /// The window shows an ad from now on, or the clip again.
  private func show(ad clip: PlayedClip?, in content: Showing) {
    let ad = clip.map { clip in
      let ad = Showing(clip, PlaylistItem(clip.path, title: content.title))
      ad.ads = .isAd(in: content)
      return ad
    }
    showing = ad ?? content
    controls.startOver()
    isStale = true
  }

  /// The ads of the clip in the window; nil: it has none.
  var ads: ClipAds? { showing?.ads.clip }

  /// An ad is shown: it cannot be sought in. Says so, and returns true.
  func refuseInAd(_ showing: Showing) -> Bool {
    guard showing.ads.isAd else { return false }
    say(.notInAd)
    return true
  }

  func skipAd() {
    guard let ads, ads.clip != nil else { return say(.noAd) }
    if !ads.skip() { say(ads.shown?.secondsToSkip == nil ? .adStays : .adNotYet) }
  }

  var adFacts: AdFacts? { ads?.shown.map { AdFacts($0) } }
}

/// What a clip in the window has to do with ads.
enum AdRole {
  case none
  /// A schedule, or why there is none.
  case loaded(Result<AdPlan?, Failure>)
  case has(ClipAds)
  /// It is one.
  case isAd(in: Showing)

  /// Of the clip.
  var clip: ClipAds? {
    switch self {
    case .has(let ads): ads
    case .isAd(let content): content.ads.clip
    case .none, .loaded: nil
    }
  }
  var isAd: Bool { if case .isAd = self { true } else { false } }
}

/// What the controls say of an ad. A value.
package struct AdFacts: Sendable, Hashable {
  /// Among those of its break, from 1.
  package var number: Int
  /// Whole seconds until the user may leave it, 0 from then on; nil: may not.
  package var secondsToSkip: Int?

  package init(number: Int, secondsToSkip: Int? = nil) { (self.number, self.secondsToSkip) = (number, secondsToSkip) }

  init(_ ad: ShownAd) {
    self.init(number: ad.number, secondsToSkip: ad.secondsToSkip.map { Int(min($0, 999).rounded(.up)) })
  }

  package var canSkip: Bool { secondsToSkip == 0 }

  package func text(_ words: Words) -> String {
    switch secondsToSkip {
    case nil: words[.ad(number)]
    case 0?: words[.skipAdNow]
    case let seconds?: words[.adSkipped(number, after: seconds)]
    }
  }

  /// As wide as any text of an ad.
  static var widest: AdFacts { AdFacts(number: 10, secondsToSkip: 100) }
}
