import Decode
import Frames
import Playback
import Window

// How a clip is opened while the window goes on answering.
extension Viewer {
  /// A clip on its way, on a thread of its own.
  final class Opening {
    let path: String
    private let interruption = Interruption()
    private let work: BackgroundWork<OpenedClip>
    private var isTaken = false

    init(_ path: String, _ options: RenderSession.Options, on device: DeviceOpening) {
      self.path = path
      var options = options
      options.decoder.showsFirstSoon = true
      work = BackgroundWork(onDone: { WindowSystem.wake() }) { [interruption, options] () throws(Failure) in
        try OpenedClip(path, options, on: device, interruption: interruption)
      }
    }

    /// What nobody has taken goes, once the thread has noticed.
    deinit {
      guard !isTaken else { return }
      interruption.request()
      work.wait()
    }

    /// Nil while it is being opened; a result is given once.
    func take() throws(Failure) -> OpenedClip? {
      guard let result = work.take() else { return nil }
      isTaken = true
      return try result.get()
    }
  }

  /// Nobody looks at a sign that is gone before it is read.
  private static let patience = 300.0

  /// Waits until a clip is open; nil where something else is to happen first.
  func open(_ path: String) throws(Failure) -> OpenedClip? {
    let opening = ahead?.path == path ? ahead ?? begin(path) : begin(path)
    ahead = nil
    let started = MonotonicTime.now
    var screen = startScreen
    screen.work = ("Opening \(path)", nil)
    while next == nil {
      if let clip = try opening.take() { return clip }
      for event in window.wait(timeout: 0.05) {
        if case .cancel = choice(&screen, event) { return giveUp() }
      }
      if options.shouldQuit() { next = .quit }
      if MonotonicTime.now.milliseconds(since: started) > Self.patience { try draw(screen) }
    }
    return nil
  }

  private func begin(_ path: String) -> Opening { Opening(path, options.session, on: device) }

  private func giveUp() -> OpenedClip? {
    playlist.clear()
    return nil
  }

  /// Opens the file after this one, so that it is there when it is wanted.
  func openAhead() {
    guard ahead == nil, let path = playlist.following else { return }
    ahead = begin(path)
  }
}
