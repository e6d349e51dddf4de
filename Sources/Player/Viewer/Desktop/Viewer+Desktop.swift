import Bench360Player
import Desktop
import Frames
import Playlists

// The desktop: media keys, panels and lock screens.
extension Viewer {
  /// Carries out what a desktop and the caller want, and tells the desktop what is shown: at each refresh, and again and again while a
  /// screen waits.
  func attend(at now: MonotonicTime = .now) {
    for request in desktop.takeRequests() where next == nil { carryOut(request) }
    desktop.tell(at: now) { playerState($0) }
    if options.shouldQuit() { next = .quit }
  }

  private func carryOut(_ request: PlayerRequest) {
    isStale = true
    switch request {
    case .quit: next = .quit
    case .raise: raise()
    case .open(let input): play([input])
    case .next: perform(.next)
    case .previous: perform(.previous)
    case .setFullscreen(let isWanted): window.setFullscreen(isWanted)
    case .setVolume(let volume): set(volume: volume)
    case .setLoop(let loop):
      let wanted = PlayQueue.Repeat(loop)
      if options.settings.repeats != wanted { change(repeats: wanted) }
    case .setShuffle(let isWanted): if options.settings.isShuffled != isWanted { perform(.shuffle) }
    case .play, .pause, .playOrPause, .stop, .move, .go, .setRate: if let showing { transport(request, showing) }
    }
  }

  private func transport(_ request: PlayerRequest, _ showing: Showing) {
    switch request {
    case .play: if !isPlaying(showing) { perform(.playOrPause) }
    case .pause: if isPlaying(showing) { perform(.playOrPause) }
    case .playOrPause: perform(.playOrPause)
    case .stop:
      if isPlaying(showing) { perform(.playOrPause) }
      if !showing.clip.info.isLive { seek(.zero, showing) }
      desktop.noteStopped()
    case .move(let way): seek(showing.place + way, showing)
    case .go(let place): seek(place, showing)
    case .setRate(let rate): change(rate: rate, showing)
    default: break
    }
  }

  private func raise() {
    if window.isMinimised { window.restore() }
    window.show()
    window.focus()
  }

  /// As the control bar shows it.
  private func isPlaying(_ showing: Showing) -> Bool {
    showing.clip.willPlay && !showing.clip.state.isAtEnd
  }

  private func playerState(_ track: PlayerState.Track) -> PlayerState {
    var state = PlayerState()
    state.volume = isMuted ? 0 : options.settings.volume
    (state.loop, state.isShuffled) = (options.settings.repeats.loop, options.settings.isShuffled)
    state.isFullscreen = window.isFullscreen
    (state.canGoNext, state.canGoPrevious) = (fileFacts.hasNext, fileFacts.hasPrevious)
    guard let showing else { return state }
    state.status = isPlaying(showing) ? .playing : .paused
    var track = track
    (track.length, track.canSeek) = (showing.duration, showing.clip.canSeek)
    state.track = track
    (state.place, state.rate) = (showing.place, showing.clip.speed)
    return state
  }
}

extension PlayQueue.Repeat {
  fileprivate init(_ loop: PlayerState.Loop) {
    self =
      switch loop {
      case .none: .off
      case .track: .one
      case .playlist: .all
      }
  }

  fileprivate var loop: PlayerState.Loop {
    switch self {
    case .off: .none
    case .one: .track
    case .all: .playlist
    }
  }
}

extension ShownClip {
  /// A clip's URI, without secrets: any program of the user can read it.
  static func uri(_ path: String) -> String {
    path.contains("://") ? ShownClip(path).text : MediaControls.uri(ofFile: absolute(path))
  }
}
