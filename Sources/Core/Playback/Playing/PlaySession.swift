import Decode
import Frames
import GPU
import Render

/// Plays decoded frames on a display's refreshes: takes queued frames, asks the player which one this refresh shows,
/// draws it unless it was drawn ahead, and waits for the GPU, to know when it could be seen. Then it begins the view of
/// the next refresh, where that is known, and does not wait for it.
///
/// One thread, which is the display link's while `run` runs.
public final class PlaySession {
  public internal(set) var player: PlayMachine<VideoFrame>
  private var recorder: PlayRecorder
  private let drawing: PlayDrawing
  let source: any FrameSource
  let link: any DisplayLink
  let options: Options
  /// The frame on the display.
  private(set) var shown: (place: PacedFrame, frame: VideoFrame)?
  /// Which frames and views were seen so far.
  public var log: PlayLog { recorder.log }
  /// The frame that is on the display; nil before the first.
  public var shownFrame: VideoFrame? { shown?.frame }
  /// GPU time of the last view; nil where the device has no timestamps.
  public var renderMilliseconds: Double? { drawing.renderMilliseconds }
  /// The next view is read back, and drawn even if nothing else asks for it.
  public var captures: Bool {
    get { drawing.captures }
    set { drawing.captures = newValue }
  }
  var navigation = Navigation()
  /// What playing ends with, once no frame follows; nil: more may come.
  var ending: PlaybackState?
  private var hasBegun = false
  private var failure: Failure?
  private var toldFailure: Failure?

  /// The caller's choices for playing.
  public struct Options {
    /// Where it looks, by the moment of the timeline.
    public var camera: (MediaTime) -> Camera = { _ in Camera() }
    /// Every refresh shows a view of its own while it plays, and where it looks follows from the moment alone; else only
    /// refreshes that show a new frame are drawn, and where it looks may change at any time.
    public var cameraMoves = false
    /// Asked once at each refresh that has a picture: whether the view is to be drawn anew. One that was made ahead is not shown
    /// then, and a refresh without a new frame shows one of its own.
    public var redraws: () -> Bool = { false }
    /// Frames whose middle lies behind this place are not played, so that rounding plays no extra frame.
    public var end: MediaTime?
    /// One new frame in so many is read back; 0: none.
    public var readbackInterval = 0
    /// A picture is ready when the GPU had drawn it by its own clock, where the driver says how that and the CPU's agree: what
    /// is read back of it takes longer. Else when its completion was noticed, by the link's clock: a view that was made ahead
    /// is then ready at the call of its refresh at the earliest, which is before the refresh.
    public var readsGPUClock = false
    /// Called for each view: the layer drawn over it. A captured view has none.
    /// Nil: nothing ever is.
    public var layer: (() -> QuadLayer?)?
    public var start = Start.atOnce
    /// For sessions of hours: about so many views are logged, earlier ones only counted. Nil: all are logged.
    public var loggedViews: Int?
    /// Goes on after the end, until the link is stopped: a person may still seek.
    public var outlivesEnd = false
    /// Whether the clip has other places to go to: live streams do not.
    public var canSeek = true
    /// Told once, as soon as it happens, what decoding failed with; the frames before it are still shown, and `run` does not
    /// throw it. Nil: `run` throws it. A clip of which no frame came and a lost device end `run` at once in any case.
    public var onFailure: ((Failure) -> Void)?
    public var limits = PlayMachine<VideoFrame>.Limits()
    /// Which frame is due follows from it.
    public var clock: any MediaClock = DisplayClock()
    /// Nil: offscreen.
    public var screen: Screen?

    public init() {}

    /// When the clock begins to run.
    public enum Start: Sendable {
      case atOnce
      /// Once a view was drawn, so that the first refreshes do not wait for one-time work.
      case prerolled
      /// With `play`: until then the first frame stands.
      case whenAsked
    }
  }

  /// The window that shows the clip.
  public struct Screen {
    public var swapchain: Swapchain
    /// Told each picture that is on its way to the display.
    public var onPresent: (Present) -> Void = { _ in }
    /// Returns the presents seen since the last call; nil: the display does not report them, and a picture counts as
    /// seen at the first refresh at which it is ready.
    public var takeSeen: (() -> [SeenPresent])?

    public init(swapchain: Swapchain) { self.swapchain = swapchain }
  }

  /// - Parameters:
  ///   - renderer: a `ViewRenderer`; used by nothing else while it runs.
  ///   - source: is asked by the thread that runs, and never waited for.
  public init(renderer: any ViewDrawer, source: any FrameSource, link: any DisplayLink, options: Options = Options()) {
    drawing = PlayDrawing(renderer, options, link)
    self.source = source
    self.link = link
    self.options = options
    player = PlayMachine(limits: options.limits, clock: options.clock)
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
  ///   - onTick: told the result of each refresh.
  public func run(
    beforeTick: (DisplayTick) -> Void = { _ in }, onFrame: (QueuedFrame) -> Void = { _ in },
    onTick: (PlayTick) -> Void = { _ in }
  ) throws(Failure) {
    if !hasBegun { try begin(onFrame: onFrame) }
    link.run { tick in
      do throws(Failure) {
        beforeTick(tick)
        onTick(try refresh(tick, onFrame: onFrame))
        if player.state.isAtEnd, !options.outlivesEnd { link.stop() }
      } catch {
        failure = error
        link.stop()
      }
    }
    try finish()
  }

  // MARK: - Refresh by refresh

  /// Before the first refresh. For several sessions that share a link, one after the other, `run` is these three; for one that begins
  /// when others are ready, it goes on from there.
  package func begin(onFrame: (QueuedFrame) -> Void = { _ in }) throws(Failure) {
    hasBegun = true
    player.open()
    if options.start != .whenAsked { _ = player.play() }
    if options.start == .prerolled { try preroll(onFrame) }
  }

  /// After the last one. Throws what decoding failed with.
  package func finish() throws(Failure) {
    noteSeen()
    if let failure { throw failure }
  }

  private func noteSeen() {
    for present in options.screen?.takeSeen?() ?? [] { recorder.seen(present) }
  }

  /// Draws once before the clock runs.
  private func preroll(_ onFrame: (QueuedFrame) -> Void) throws(Failure) {
    _ = drain(onFrame)
    guard !player.queue.isEmpty else { return }
    try drawing.preroll(player.queue[0], player.queue.picture(0), at: player.position)
  }

  /// One refresh.
  package func refresh(
    _ tick: DisplayTick, onFrame: (QueuedFrame) -> Void = { _ in }
  ) throws(Failure) -> PlayTick {
    var result = PlayTick(tick: tick, called: link.now)
    scrub { $0.tick(at: tick.timestamp) }
    noteSeen()
    result.framesReceived = drain(onFrame)
    result.queueDepth = player.queue.count
    let outcome = player.tick(tick)
    result.position = player.position
    recorder.decided(tick, position: player.position, rate: player.rate)
    if case .show(let place, let frame) = outcome {
      shown = (place, frame)
      result.frame = frame
    }
    let isStale = shown != nil && options.redraws()
    if let shown, result.frame != nil || isStale || captures || options.cameraMoves && player.state == .playing {
      try show(shown, isStale: isStale, in: tick, &result)
    }
    if let frame = result.frame { showed(frame) }
    try prepare(after: tick, rests: !isStale)
    result.place = shown?.place
    result.state = player.state
    return result
  }

  private func show(
    _ shown: (place: PacedFrame, frame: VideoFrame), isStale: Bool, in tick: DisplayTick, _ result: inout PlayTick
  ) throws(Failure) {
    let isNew = result.frame != nil
    let view = try drawing.show(
      shown.place, shown.frame, at: player.position, step: step(tick), isNew: isNew, isStale: isStale)
    result.show(view)
    recorder.add(
      shown.place, moment: view.moment, ready: view.ready, in: tick, isNew: isNew,
      present: options.screen?.takeSeen == nil ? nil : view.view?.present?.number)
  }

  /// Media time from one refresh to the next.
  private func step(_ tick: DisplayTick) -> MediaTime {
    player.rate == 1 ? tick.period : MediaTime(seconds: tick.period.seconds * player.rate)
  }

  /// Begins what the next refresh shows.
  private func prepare(after tick: DisplayTick, rests: Bool) throws(Failure) {
    let now = link.now
    guard let upcoming = player.upcoming(after: tick, now: now, redraws: options.cameraMoves) else { return }
    switch upcoming.picture {
    case .queued(let place):
      try drawing.prepare(
        player.queue[place], player.queue.picture(place), at: upcoming.moment, step: step(tick), isNew: true,
        rests: rests)
    case .shown:
      guard let shown else { return }
      try drawing.prepare(
        shown.place, shown.frame, at: upcoming.moment, step: step(tick), isNew: false, rests: rests)
    }
  }

  /// Gives how many came.
  private func drain(_ onFrame: (QueuedFrame) -> Void) -> Int {
    guard ending == nil else { return 0 }
    var count = 0
    let orders = navigation.orders
    let supply = source.drain { item in
      // After the end, and after a seek caused by the frame before, the rest is not played.
      guard ending == nil, navigation.orders == orders else { return drop(item) }
      if let frame = item.frame {
        if isBehindEnd(frame.place) {
          ending = .ended
          return drop(item)
        }
        count += 1
        onFrame(frame)
      }
      switch item {
      case .frame(let frame): player.add(frame.place, frame.frame)
      case .landing(let landing): landed(landing)
      }
    }
    switch supply {
    case .flowing: break
    case .ended: ending = ending ?? .ended
    case .endedEarly(let failure):
      if ending == nil { tell(failure) }
      ending = ending ?? .endedEarly
    case .failed(let failure):
      if ending == nil { fail(failure) }
      ending = ending ?? .ended
    }
    if let ending { player.end(as: ending) }
    return count
  }

  /// Releases a frame that was handed over and is not played.
  func drop(_ item: FeedItem) {
    if item.frame != nil { source.release() }
  }

  private func fail(_ failure: Failure) {
    guard options.onFailure != nil, failure.kind != .deviceLost, player.state != .opening else {
      self.failure = failure
      if options.onFailure != nil { link.stop() }
      return
    }
    tell(failure)
  }

  /// Once, however often the end is played again.
  private func tell(_ failure: Failure) {
    guard toldFailure != failure else { return }
    toldFailure = failure
    options.onFailure?(failure)
  }

  private func isBehindEnd(_ place: PacedFrame) -> Bool {
    options.end.map { place.time + MediaTime(nanoseconds: place.duration.nanoseconds / 2) > $0 } ?? false
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

/// The result of one refresh.
public struct PlayTick {
  public var tick: DisplayTick
  /// When the call was really made.
  public var called: MonotonicTime
  /// Frames that came from the decoder since the last one.
  public var framesReceived = 0
  /// Frames that waited when the refresh was decided.
  public var queueDepth = 0
  /// The frame that this refresh was the first to show.
  public var frame: VideoFrame?
  /// The frame on the display.
  public var place: PacedFrame?
  /// What this refresh shows anew; nil when nothing.
  public var view: FrameRing.Finished?
  /// When that was begun, maybe at a refresh before, and when the GPU was done with it; nil when nothing was.
  public var taken: MonotonicTime?
  public var ready: MonotonicTime?
  public var state = PlaybackState.idle
  /// The moment of the timeline that the refresh shows; of a view made ahead, the one it was made for, which is the same but for a
  /// part of a refresh.
  public var position = MediaTime.zero

  fileprivate mutating func show(_ drawn: PlayDrawing.Drawn) {
    (view, taken, ready, position) = (drawn.view, drawn.taken, drawn.ready, drawn.moment)
  }
}
