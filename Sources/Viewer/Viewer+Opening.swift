import Decode
import Frames
import Playback
import Session
import Window

// How a clip is opened while the window goes on answering.
extension Viewer {
  /// A clip on its way, on a thread of its own.
  final class Opening {
    let path: String
    private let interruption = Interruption()
    private let work: BackgroundWork<OpenedClip>
    private var isTaken = false

    init(_ path: String, _ options: Viewer.Options, on device: DeviceOpening) {
      self.path = path
      var session = options.session
      session.decoder.showsFirstSoon = true
      work = BackgroundWork(onDone: { WindowSystem.wake() }) {
        [interruption, session, check = options.checkInput] () throws(Failure) in
        try check?(path) { interruption.isRequested }
        return try OpenedClip(path, session, on: device, interruption: interruption)
      }
    }

    /// Tells the thread to stop; it may go on for as long as a look-up of a name takes, which nothing ends.
    deinit {
      if !isTaken { interruption.request() }
    }

    /// Stops it and waits, at most `seconds`, until the thread holds nothing any more; false where it goes on.
    func stop(withinSeconds seconds: Double) -> Bool {
      guard !isTaken else { return true }
      interruption.request()
      return work.wait(seconds: seconds)
    }

    /// Nil while it is being opened; a result is given once.
    func take() throws(Failure) -> OpenedClip? {
      guard let result = work.take() else { return nil }
      isTaken = true
      return try result.get()
    }
  }

  /// Milliseconds: a sign that goes before it is read is not shown.
  private static let patience = 300.0

  /// Waits until a clip is open; nil where something else is to happen first.
  func open(_ path: String) throws(Failure) -> OpenedClip? {
    let opening = openings.take(path) { begin(path) }
    defer { openings.abandon(opening) }
    let started = MonotonicTime.now
    var screen = startScreen
    screen.work = ("Opening \(ShownClip(path).text)", nil)
    while next == nil {
      if let clip = try opening.take() { return clip }
      if MonotonicTime.now.seconds(since: started) > Self.limit { throw overdue(path) }
      for event in window.wait(timeout: 0.05) {
        if case .cancel = choice(&screen, event) { return giveUp() }
      }
      if options.shouldQuit() { next = .quit }
      if MonotonicTime.now.milliseconds(since: started) > Self.patience { try draw(screen) }
    }
    return nil
  }

  private func begin(_ path: String) -> Opening { Opening(path, options, on: drawing.device) }

  /// Seconds: libavformat's own limit has passed by then.
  private static let limit = 75.0

  private func overdue(_ path: String) -> Failure {
    Failure(
      .timeout, "cannot open '\(path)'", cause: "opening did not end within \(Int(Self.limit)) s",
      remedy: "the file or playlist is damaged, or its server does not answer")
  }

  private func giveUp() -> OpenedClip? {
    files.playlist.clear()
    return nil
  }

  /// Opens the file after this one, so that it is there when it is wanted.
  func openAhead() {
    guard openings.ahead == nil, let path = files.playlist.following else { return }
    openings.ahead = begin(path)
  }
}

/// Clips on their way. The main thread's.
struct Openings {
  /// The file after the one that is shown.
  var ahead: Viewer.Opening?
  /// Openings whose threads may still hold the device.
  private var abandoned: [Viewer.Opening] = []

  /// The opening of a file that is wanted now: the one that was begun ahead, else a new one.
  mutating func take(_ path: String, begin: () -> Viewer.Opening) -> Viewer.Opening {
    defer { ahead = nil }
    if let ahead, ahead.path == path { return ahead }
    if let ahead { abandon(ahead) }
    return begin()
  }

  /// It is not wanted any more: its thread is waited for when what it holds has to go.
  mutating func abandon(_ opening: Viewer.Opening) {
    abandoned.append(opening)
    abandoned.removeAll { $0.stop(withinSeconds: 0) }
  }

  /// Ends all of them, and waits for a moment until nothing holds the device.
  mutating func stopAll() {
    if let ahead { abandoned.append(ahead) }
    ahead = nil
    for opening in abandoned { _ = opening.stop(withinSeconds: 0.5) }
    abandoned = []
  }
}
