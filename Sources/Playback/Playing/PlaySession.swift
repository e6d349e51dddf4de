import Decode
import Frames
import GPU
import Render

/// Plays decoded frames on a display's refreshes: takes what is there, asks the player what this refresh shows, draws it,
/// and waits until the GPU is done, so that it is known when it could be seen.
///
/// One thread, which is the display link's while `run` runs.
public final class PlaySession {
  public internal(set) var player: Player<VideoFrame>
  private var recorder: PlayRecorder
  private let drawing: PlayDrawing
  let source: any FrameSource
  let link: any DisplayLink
  private let options: Options
  /// What is on the display.
  private(set) var shown: (place: PacedFrame, frame: VideoFrame)?
  /// What was seen of what was played so far.
  public var log: PlayLog { recorder.log }
  /// The frame that is on the display; nil before the first.
  public var shownFrame: VideoFrame? { shown?.frame }
  /// What the GPU took for the last view; nil where it does not tell.
  public var renderMilliseconds: Double? { drawing.renderMilliseconds }
  /// The next view is read back, and drawn even if nothing else asks for it.
  public var captures: Bool {
    get { drawing.captures }
    set { drawing.captures = newValue }
  }
  var navigation = Navigation()
  var isEnding = false
  private var failure: Failure?
  private var toldFailure: Failure?

  /// What of playing is left to the caller.
  public struct Options {
    /// Where it looks, by the moment of the timeline.
    public var camera: (MediaTime) -> Camera = { _ in Camera() }
    /// Every refresh shows a view of its own while it plays; else only those that show a new frame are drawn.
    public var cameraMoves = false
    /// Asked at each refresh without a new frame, whatever it does: whether the view is to be drawn anew.
    public var redraws: () -> Bool = { false }
    /// Frames whose middle lies behind this place are not played: whatever is rounded, none is played by a hair.
    public var end: MediaTime?
    /// One new frame in so many is read back; 0: none.
    public var readbackInterval = 0
    /// A picture is ready when the GPU's clock says so, where that can be told: what is read back of it takes longer. Else
    /// when the link's clock does.
    public var readsGPUClock = false
    /// Asked for each view: what is drawn over it. A view that is captured is without.
    public var layer: () -> QuadLayer? = { nil }
    /// Draws the next frame while the last one is still shown, so that it is ready at its refresh. Offscreen, and where the
    /// view stands still: one that follows a hand would show where the hand was.
    public var drawsAhead = false
    /// Draws once before the clock runs, so that the first refreshes do not wait for what is done only once.
    public var prerolls = false
    /// Where somebody watches for hours: about so many views are logged, and those before only counted. Nil: all are.
    public var loggedViews: Int?
    /// Goes on after the end, until the link is stopped: a person may still seek.
    public var outlivesEnd = false
    /// Told once, as soon as it happens, what decoding failed with; the frames before it are still shown, and `run` does not
    /// throw it. Nil: `run` throws it. A clip of which no frame came and a lost device end `run` at once in any case.
    public var onFailure: ((Failure) -> Void)?
    public var limits = Player<VideoFrame>.Limits()
    /// Which frame is due follows from it.
    public var clock: any MediaClock = DisplayClock()
    /// Nil: offscreen.
    public var screen: Screen?

    public init() {}
  }

  /// The window that shows what is played.
  public struct Screen {
    public var swapchain: Swapchain
    /// Told each picture that is on its way to the display.
    public var onPresent: (Present) -> Void = { _ in }
    /// Gives what was seen since it was last asked; nil: nobody tells, and a picture counts as seen at the first refresh
    /// at which it is ready.
    public var takeSeen: (() -> [SeenPresent])?

    public init(swapchain: Swapchain) { self.swapchain = swapchain }
  }

  /// - Parameters:
  ///   - renderer: used by nobody else while it runs.
  ///   - source: is asked by the thread that runs, and never waited for.
  public init(renderer: ViewRenderer, source: any FrameSource, link: any DisplayLink, options: Options = Options()) {
    drawing = PlayDrawing(renderer, options, link)
    self.source = source
    self.link = link
    self.options = options
    player = Player(limits: options.limits, clock: options.clock)
    recorder = PlayRecorder(keeps: options.loggedViews)
    player.onEvent = { [unowned self] in note($0) }
  }

  /// Plays until the end, or until the link is stopped, on the calling thread.
  ///
  /// Throws what decoding or drawing failed with, once the frames before that were shown.
  ///
  /// - Parameters:
  ///   - beforeTick: called before each refresh is decided: the place for commands.
  ///   - onFrame: told each frame when it comes from the decoder.
  ///   - onTick: told what each refresh came to.
  public func run(
    beforeTick: (DisplayTick) -> Void = { _ in }, onFrame: (FedFrame) -> Void = { _ in },
    onTick: (PlayTick) -> Void = { _ in }
  ) throws(Failure) {
    player.open()
    _ = player.play()
    if options.prerolls { try preroll(onFrame) }
    link.run { tick in
      do throws(Failure) {
        beforeTick(tick)
        onTick(try play(tick, onFrame))
        if player.state == .ended, !options.outlivesEnd { link.stop() }
      } catch {
        failure = error
        link.stop()
      }
    }
    noteSeen()
    if let failure { throw failure }
  }

  private func noteSeen() {
    for present in options.screen?.takeSeen?() ?? [] { recorder.seen(present) }
  }

  /// Draws once before the clock runs.
  private func preroll(_ onFrame: (FedFrame) -> Void) throws(Failure) {
    _ = drain(onFrame)
    guard !player.queue.isEmpty else { return }
    try drawing.preroll(player.queue.picture(0), at: player.position)
  }

  private func play(_ tick: DisplayTick, _ onFrame: (FedFrame) -> Void) throws(Failure) -> PlayTick {
    var result = PlayTick(tick: tick, called: link.now)
    scrub { $0.tick(at: tick.timestamp) }
    noteSeen()
    result.framesFed = drain(onFrame)
    result.queueDepth = player.queue.count
    let outcome = player.tick(tick)
    recorder.decided(tick, position: player.position, rate: player.rate)
    switch outcome {
    case .show(let place, let frame):
      shown = (place, frame)
      result.frame = frame
      let early = try drawing.takeAhead(place, at: player.position)
      let view = if let early { early } else { try drawing.draw(frame, at: player.position, isNew: true) }
      result.show(view)
      note(view, of: place, in: tick, isNew: true)
      showed(frame)
    case .hold:
      if let shown, options.redraws() || captures || options.cameraMoves && player.state == .playing {
        let view = try drawing.draw(shown.frame, at: player.position, isNew: false)
        result.show(view)
        note(view, of: shown.place, in: tick, isNew: false)
      } else if options.drawsAhead, player.state == .playing, let next = player.queue.first {
        try drawing.drawAhead(next, player.queue.picture(0), at: player.position)
      }
    }
    result.place = shown?.place
    result.state = player.state
    result.position = player.position
    return result
  }

  /// Gives how many came.
  private func drain(_ onFrame: (FedFrame) -> Void) -> Int {
    guard !isEnding else { return 0 }
    var count = 0
    let orders = navigation.orders
    let supply = source.drain { fed in
      // After the end, and where the frame before made it go elsewhere, the rest is not played.
      guard !isEnding, navigation.orders == orders else { return drop(fed) }
      if let frame = fed.frame {
        if isBehindEnd(frame.place) {
          isEnding = true
          return drop(fed)
        }
        count += 1
        onFrame(frame)
      }
      switch fed {
      case .frame(let frame): player.add(frame.place, frame.frame)
      case .landing(let landing): landed(landing)
      }
    }
    switch supply {
    case .flowing: break
    case .ended: isEnding = true
    case .failed(let failure):
      if !isEnding { fail(failure) }
      isEnding = true
    }
    if isEnding { player.end() }
    return count
  }

  /// It was handed over and is not played.
  func drop(_ fed: Fed) {
    if fed.frame != nil { source.release() }
  }

  private func fail(_ failure: Failure) {
    guard let onFailure = options.onFailure, failure.kind != .deviceLost, player.state != .opening else {
      self.failure = failure
      if options.onFailure != nil { link.stop() }
      return
    }
    guard toldFailure != failure else { return }
    toldFailure = failure
    onFailure(failure)
  }

  private func isBehindEnd(_ place: PacedFrame) -> Bool {
    options.end.map { place.time + MediaTime(nanoseconds: place.duration.nanoseconds / 2) > $0 } ?? false
  }

  private func note(_ drawn: PlayDrawing.Drawn, of place: PacedFrame, in tick: DisplayTick, isNew: Bool) {
    recorder.add(
      place, moment: player.position, ready: drawn.ready, in: tick, isNew: isNew,
      present: options.screen?.takeSeen == nil ? nil : drawn.view?.present?.number)
  }

  private func note(_ event: PlaybackEvent) {
    recorder.note(event)
    switch event {
    case .fate: source.release()
    case .effort(let effort): source.request(effort)
    default: break
    }
  }
}

/// What one refresh came to.
public struct PlayTick {
  public var tick: DisplayTick
  /// When the call was really made.
  public var called: MonotonicTime
  /// Frames that came from the decoder since the last one.
  public var framesFed = 0
  /// Frames that waited when the refresh was decided.
  public var queueDepth = 0
  /// The frame that this refresh was the first to show.
  public var frame: VideoFrame?
  /// What is on the display.
  public var place: PacedFrame?
  /// What this refresh shows anew; nil when nothing.
  public var view: FrameRing.Finished?
  /// When that was begun, and when the GPU was done with it; nil when nothing was.
  public var taken: MonotonicTime?
  public var ready: MonotonicTime?
  public var state = PlaybackState.idle
  /// The moment of the timeline that the refresh shows.
  public var position = MediaTime.zero

  fileprivate mutating func show(_ drawn: PlayDrawing.Drawn) {
    (view, taken, ready) = (drawn.view, drawn.taken, drawn.ready)
  }
}
