import Bench360Player
import Frames

// Clips that come from the network, and streams of segments above all.
extension Viewer {
  /// At each refresh: begins to play once enough is loaded, and tells why the picture stands.
  func followStream(_ showing: Showing, at now: MonotonicTime) {
    for news in showing.clip.followStream(at: now, boot: options.machine.boot()) { say(text(news)) }
    let (stream, trouble) = (showing.clip.loader, showing.clip.trouble)
    let notice = showing.buffering.notice(isWaiting: showing.clip.isShortOfMedia, trouble: trouble, at: now, words)
    if hud.wait(notice) { isStale = true }
    guard stream?.hasGivenUp != true else { return }
    let said = showing.network.notice(trouble: trouble, ahead: stream?.bufferSeconds ?? 0, at: now, words)
    if let said { say(said) }
  }

  private func text(_ news: PlayedClip.StreamNews) -> Phrase {
    switch news {
    case .movedOn(let isLive): .word(isLive ? .movedToEdge : .movedToStart)
    case .caughtUp: .word(.liveAtNormalSpeed)
    case .live: .word(.live)
    case .slept(let seconds): .slept(SleepWatch.text(seconds))
    }
  }

  /// To the live edge, at normal speed; a paused stream plays on.
  func goLive(_ showing: Showing) {
    guard !showing.clip.breakForbidsSeeks else { return say(.breakStays) }
    say(showing.clip.goLive() ? .live : .notLive)
  }

  /// Where a seek leads in a stream with breaks; nil: nowhere, which is said.
  func sought(_ place: MediaTime, _ showing: Showing) -> MediaTime? {
    switch showing.clip.userSought(place) {
    case .place(let target): return target
    case .firstBreak(let target):
      say(.breakFirst)
      return target
    case .refused:
      say(.breakStays)
      return nil
    }
  }

  /// The next higher rung; after the highest, by what the network carries.
  func chooseNextQuality() {
    guard let qualities = showing?.qualities(words), !qualities.titles.isEmpty else {
      return say(.onlyStreamsHaveQualities)
    }
    let next = qualities.fixed.map { $0 + 1 } ?? 0
    choose(quality: next < qualities.titles.count ? next : nil)
  }

  /// Chooses the rung of a stream; nil: by what the network carries.
  func choose(quality rung: Int?) {
    guard let stream = showing?.clip.loader else { return }
    stream.fixedRung = rung
    say(.quality, rung.map { showing?.qualities(words).titles[$0] ?? "" } ?? words[.auto])
  }
}

extension Showing {
  /// Empty where the clip is no stream.
  func qualities(_ words: Words) -> ControlFacts.Qualities {
    clip.loader?.qualities(at: clip.pictureTime, words) ?? ControlFacts.Qualities()
  }
}
