import Frames
import Media
import Playback
import Render
import Synchronization

/// Plays clips and streams, flat or 360°, with their sound, on a surface: a window (`PlayerView`), a Vulkan surface of the caller's, or
/// memory.
///
/// ```swift
/// let player = Player("clip.mp4")
/// let view = try PlayerView(player)
/// player.play()
/// view.run()
/// ```
///
/// Any thread may call any member, and none waits. A player decodes and draws on threads of its own, which end when it is released; it
/// prints nothing, and several of them do not know of each other. Orders to a clip are carried out at the next refresh, in the order
/// given, and are forgotten with the clip; volume, rate, loop and overlay stay from clip to clip. `state` tells what has come of them,
/// `events` what happens.
public final class Player: Sendable {
  /// Where a player shows its pictures.
  public enum Surface: Sendable {
    /// A surface of the caller's window system, which must outlive its use here. `refresh` is the display's, in Hz.
    case vulkan(SurfaceSource, size: PictureSize, refresh: Double)
    /// Memory: `images` has each picture that is shown. `refresh` pictures a second at most.
    case offscreen(size: PictureSize, refresh: Double = 60)
  }

  /// What is drawn over a picture, and over subtitles. Called by the player's thread for each view that it draws; `redraw` asks for one.
  public typealias Overlay = @Sendable (_ state: State, _ size: PictureSize) -> Canvas

  public let options: Options
  let desk: PlayerDesk
  private let thread = Mutex<WorkerThread?>(nil)

  /// A player without a clip.
  public init(options: Options = Options()) {
    self.options = options
    desk = PlayerDesk(options)
  }

  /// A player of a file, a URL, or a playlist or manifest of HLS or DASH; it is opened as soon as there is a surface.
  ///
  /// What cannot be opened is told by `state` and `events`: `Status.failed`.
  public convenience init(_ path: String, options: Options = Options()) {
    self.init(options: options)
    load(path)
  }

  deinit {
    detach()
    desk.put(nil)
    desk.listeners.end()
  }

  /// The state as of the last refresh.
  public var state: State { desk.state }

  /// The state now, and each time it has changed; a listener that is slow gets the newest. Ends with the player.
  public var states: AsyncStream<State> { desk.listeners.states(now: desk.state) }

  /// What happens from now on, in order. Ends with the player.
  public var events: AsyncStream<Event> { desk.listeners.events() }

  /// The multiples of `interval` that playing passes, the last one of several in one refresh: places in the clip, not sought ones.
  public func times(every interval: MediaTime) -> AsyncStream<MediaTime> { desk.listeners.times(.every(interval)) }

  /// Those of these places in the clip that playing passes.
  public func times(at places: [MediaTime]) -> AsyncStream<MediaTime> { desk.listeners.times(.at(places)) }

  /// Each picture that is shown on an offscreen surface; the newest, to a listener that is slow.
  public var images: AsyncStream<PlayerImage> { desk.listeners.images() }

  // MARK: - Surface

  /// Shows the clip on a surface from now on; on another one before, it goes on at the same
  /// place; one that failed is tried again.
  ///
  /// Throws `.failed` where the system gives no thread. What the device fails with is told by `Status.failed`.
  public func attach(to surface: Surface) throws(Failure) {
    detach()
    desk.attach()
    let started = try WorkerThread { [desk, options] in PlayerLoop(desk, options, surface).run() }
    thread.withLock { $0 = started }
  }

  /// Leaves the surface, and waits until nothing uses it; another one may be attached to go on.
  public func detach() {
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let running else { return }
    desk.detach()
    // A player may be released by what its own thread calls, such as an overlay.
    if !desk.isPlayersThread { running.join() }
  }

  /// The surface has another size, in pixels; 0 × 0 while it is not to be seen.
  public func resize(width: Int, height: Int) {
    desk.wish {
      $0.isHidden = width < 1 || height < 1
      if !$0.isHidden { $0.size = PictureSize(width: width, height: height) }
    }
  }

  // MARK: - Clips

  /// Opens another clip in place of the one that is shown, which is given up at once.
  ///
  /// - Parameter plays: begins to play; else the first picture stands until `play`.
  public func load(_ path: String, plays: Bool = false) {
    desk.put(PlayerDesk.Task(item: Item(path), start: options.start, plays: plays))
  }

  /// Closes the clip.
  public func unload() { desk.put(nil) }

  /// What the caller knows of the clip: read by `PlayerView`, and told in `state`.
  public var metadata: Metadata {
    get { desk.metadata }
    set { desk.metadata = newValue }
  }

  // MARK: - Playing

  /// At the end it starts over. A stream begins once enough is loaded.
  public func play() { desk.put(.play) }

  public func pause() { desk.put(.pause) }

  /// Media seconds per second, 0.25 … 4; sound keeps its pitch.
  public func setRate(_ rate: Double) { desk.wish { $0.rate = rate.isNaN ? 1 : rate.limited(to: 0.25...4) } }

  /// At its end the clip starts over.
  public func setLoops(_ loops: Bool) { desk.wish { $0.loops = loops } }

  /// A seek over a break of a stream that was not watched (`State.breaks`) leads to that break first, and from its end to the place that was
  /// sought; a break that forbids skipping is not left: a seek is missed then, and `Event.trouble` tells. False: seeks are free.
  public var watchesBreaks: Bool {
    get { desk.wishes.breakRule == .watch }
    set { desk.wish { $0.breakRule = newValue ? .watch : .free } }
  }

  /// To the live edge of a live stream.
  public func goLive() { desk.put(.goLive) }

  /// Pauses, and shows the picture so many after this one, or before it where that is negative.
  public func step(_ count: Int) { desk.put(.step(count)) }

  /// Goes to a place in the clip, and plays on there if it plays. The latest of several seeks wins; while an ad is shown none is
  /// possible.
  ///
  /// - Parameters:
  ///   - before: how far before it the picture may lie: 0 is the exact one, more is faster, `MediaTime.unlimited` is any.
  ///   - after: the same, behind it.
  public func seek(
    to place: MediaTime, toleranceBefore before: MediaTime = .zero, toleranceAfter after: MediaTime = .zero
  ) {
    let request = SeekRequest(target: place, toleranceBefore: before, toleranceAfter: after)
    desk.put(.seek(request, id: desk.answers.number()))
  }

  /// The same; waits until the picture is shown, or until another seek or clip takes its place. Before there is a surface, it waits for
  /// that.
  @discardableResult
  public func sought(
    to place: MediaTime, toleranceBefore before: MediaTime = .zero, toleranceAfter after: MediaTime = .zero
  ) async -> SeekOutcome {
    let request = SeekRequest(target: place, toleranceBefore: before, toleranceAfter: after)
    let id = desk.answers.number()
    return await withCheckedContinuation { (caller: CheckedContinuation<SeekOutcome, Never>) in
      desk.answers.wait(id, caller)
      if desk.put(.seek(request, id: id)) != nil { desk.answers.answer(id, .missed) }
    }
  }

  /// Pauses, goes to a place, and gives the picture as it is shown there, overlays left out.
  ///
  /// Throws `.input` where the clip has no picture there, `.usage` where there is no clip, `.cancelled` where the clip is left meanwhile, and what the clip failed with.
  public func image(
    at place: MediaTime, toleranceBefore before: MediaTime = .zero, toleranceAfter after: MediaTime = .zero
  ) async throws(Failure) -> PlayerImage {
    let request = SeekRequest(target: place, toleranceBefore: before, toleranceAfter: after)
    let id = desk.answers.number()
    let result = await withCheckedContinuation { (caller: CheckedContinuation<PlayerAnswers.ImageResult, Never>) in
      desk.answers.wait(id, caller)
      if let refusal = desk.put(.image(request, id: id)) { desk.answers.answer(id, .failure(refusal)) }
    }
    return try result.get()
  }

  /// Leaves the ad that is shown, where its server allows that already: `state.ad` tells.
  public func skipAd() { desk.put(.skipAd) }

  // MARK: - Looking and hearing

  /// Turns the view of a sphere to a direction.
  public func look(_ view: SphereView) { desk.put(.look(.look(view), in: nil)) }

  /// Draws a picture as another projection; nil: what it is already.
  public func show(as projection: Projection? = nil, stereo: StereoLayout? = nil) {
    desk.put(.geometry(projection, stereo))
  }

  /// What is drawn over the picture; nil: nothing.
  public var overlay: Overlay? {
    get { desk.overlay }
    set { desk.overlay = newValue }
  }

  /// Draws the next refresh anew, though no other picture is due: the overlay has changed.
  public func redraw() { desk.redraw() }

  /// 0 … 1, as heard; changes without a click.
  public var volume: Double {
    get { desk.wishes.volume }
    set { desk.wish { $0.volume = newValue.limited(to: 0...1) } }
  }

  public var isMuted: Bool {
    get { desk.wishes.isMuted }
    set { desk.wish { $0.isMuted = newValue } }
  }

  /// By the number in `state.sound.tracks`.
  public func choose(sound track: Int) { desk.put(.sound(track: track)) }

  /// By the number in `state.subtitles`; nil: none.
  public func choose(subtitles track: Int?) { desk.put(.subtitles(track: track)) }

  /// By the number in `state.quality`; nil: by what the network carries.
  public func choose(quality: Int?) { desk.put(.quality(quality)) }
}
