import Decode
import Frames
import Media
import Playback
import Session
import Streaming
import Verdict

/// What a player makes of a stream's frames: pictures that a device draws, or nothing. One thread.
struct StreamPictures {
  let reader: any FrameReading
  let drawer: any ViewDrawer
  /// Nil of a virtual player.
  let session: RenderSession?

  /// Waits for the stream's first segment.
  ///
  /// - Parameter onPhase: as `RenderSession` tells it.
  init(
    of stream: LoadedStream, _ trial: Trial, in window: PlayWindow?, onPhase: (OpeningPhase) -> Void
  ) throws(Failure) {
    guard trial.request.settings.streaming.clients.decoding == .real else {
      let packets = try stream.packets(interruption: trial.interruption)
      onPhase(.open)
      reader = UndecodedReader(packets, packets.info)
      (drawer, session) = (UndrawnViews(), nil)
      trial.facts.presentSource = .simulated
      return
    }
    var options = trial.request.settings.sessionOptions()
    options.surface = try window?.surface()
    let opened = try RenderSession(stream, options: options, interruption: trial.interruption, onPhase: onPhase)
    trial.add(opened)
    opened.renderer.tellsInstants = true
    (reader, drawer, session) = (opened.reader, opened.renderer, opened)
  }

  /// As `Trial.display`; a timer where nothing is drawn.
  func display(
    _ trial: Trial, in window: PlayWindow?
  ) throws(Failure) -> (screen: PlaySession.Screen?, link: any DisplayLink) {
    guard let session else { return (nil, TimerDisplayLink(rate: trial.request.settings.pacing.refresh)) }
    return try trial.display(in: window, on: session.device)
  }

  /// Of the pictures; nil where none are made.
  func check(_ trial: Trial, _ stream: LoadedStream) -> RenderCheck? {
    guard let session else { return nil }
    // A stream of one rung that was taken from a ladder says which.
    let only = session.reader.info.synthetic?.rung
    return RenderCheck(session, trial, tracesInOrder: false) {
      // By its middle: the first picture of another run may begin a little before the last one of the run before ends.
      let middle = $0.presentationTime + MediaTime(nanoseconds: $0.duration.nanoseconds / 2)
      let segment = stream.segment(at: middle)
      return (only ?? segment?.rung, segment?.run ?? 0)
    }
  }
}
