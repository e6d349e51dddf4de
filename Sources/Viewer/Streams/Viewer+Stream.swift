import Bench360Player
import Frames
import Playback
import Streaming

// Clips that come from the network, and streams of segments above all.
extension Viewer {
  /// At each refresh: begins to play once enough is loaded, and tells why the picture stands.
  func followStream(_ showing: Showing, at now: MonotonicTime) {
    for news in showing.clip.followStream(at: now, boot: options.machine.boot()) { say(text(news)) }
    let stream = showing.session.stream
    let notice = showing.buffering.notice(isWaiting: showing.clip.isShortOfMedia, trouble: stream?.trouble, at: now)
    if hud.wait(notice) { isStale = true }
    guard let stream, !stream.hasGivenUp else { return }
    let said = showing.network.notice(trouble: stream.trouble, ahead: stream.bufferSeconds, at: now)
    if let said { say(said) }
  }

  private func text(_ news: PlayedClip.StreamNews) -> String {
    switch news {
    case .movedOn(let isLive): "The live window has moved on: " + (isLive ? "live again" : "playing from its start")
    case .caughtUp: "Live: normal speed"
    case .live: "Live"
    case .slept(let seconds): "After \(SleepWatch.text(seconds)) of sleep: connecting anew"
    }
  }

  /// To the live edge, at normal speed; a paused stream plays on.
  func goLive(_ showing: Showing) {
    guard !showing.clip.breakForbidsSeeks else { return say(Self.keptNotice) }
    say(showing.clip.goLive() ? "Live" : "Live: this is no live stream")
  }

  /// Where a seek leads in a stream with breaks; nil: nowhere, which is said.
  func sought(_ place: MediaTime, _ showing: Showing) -> MediaTime? {
    switch showing.clip.userSought(place) {
    case .place(let target): return target
    case .firstBreak(let target):
      say("The break first: playing goes on behind it")
      return target
    case .refused:
      say(Self.keptNotice)
      return nil
    }
  }

  private static let keptNotice = "This break cannot be skipped"

  /// The next higher rung; after the highest, by what the network carries.
  func chooseNextQuality() {
    guard let qualities = showing?.qualities, !qualities.titles.isEmpty else {
      return say("Quality: only streams have several")
    }
    let next = qualities.fixed.map { $0 + 1 } ?? 0
    choose(quality: next < qualities.titles.count ? next : nil)
  }

  /// Chooses the rung of a stream; nil: by what the network carries.
  func choose(quality rung: Int?) {
    guard let stream = showing?.session.stream else { return }
    stream.fixedRung = rung
    let title = rung.map { showing?.qualities.titles[$0] ?? "" } ?? "Auto"
    say("Quality: \(title)")
  }
}

extension Showing {
  /// Empty where the clip is no stream.
  var qualities: ControlFacts.Qualities {
    session.stream?.qualities(at: clip.pictureTime) ?? ControlFacts.Qualities()
  }
}
