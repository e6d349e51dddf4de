import Desktop
import Frames
import Window

/// What the window and the desktop have told each other. Main thread only.
struct DesktopLink {
  /// Nil: no desktop is to control the window.
  private let controls: MediaControls?
  private var follower = PlaceFollower()
  /// The clip that is shown, or was last.
  private var track = PlayerState.Track(number: 0, title: "", url: "", length: nil, canSeek: false)
  /// A client stopped the clip, and it stands at its start.
  private var isStopped = false

  /// - Parameter bus: the session's, by its address; nil: none.
  init(bus: String?) {
    controls = bus.map { MediaControls(address: $0) { WindowSystem.wake() } }
  }

  /// Another clip is shown, or the same one again.
  ///
  /// - Parameter url: without secrets.
  mutating func begin(title: String, url: @autoclosure () -> String) {
    guard controls != nil else { return }
    track = PlayerState.Track(number: track.number + 1, title: title, url: url(), length: nil, canSeek: false)
    isStopped = false
  }

  /// A client wants the clip stopped.
  mutating func noteStopped() { isStopped = true }

  func takeRequests() -> [PlayerRequest] { controls?.takeRequests() ?? [] }

  /// - Parameter state: called if a desktop listens.
  mutating func tell(at now: MonotonicTime, _ state: (PlayerState.Track) -> PlayerState) {
    guard let controls else { return }
    var state = state(track)
    // At the start; a picture is not always at the very first instant.
    isStopped = isStopped && state.status == .paused && state.place.seconds < 0.5
    if isStopped { state.status = .stopped }
    controls.tell(state, jump: follower.isJump(state, at: now))
  }

  func close() { controls?.stop() }
}
