import Decode
import Frames
import GPU
import Media
import Overlay
import Playback
import Render
import Session

/// One clip while a player's thread plays it: carries out orders before each refresh, and tells after it what is shown.
final class PlayingClip {
  let loop: PlayerLoop
  let clip: PlayedClip
  private let ads: ClipAds?
  let desk: PlayerDesk
  /// Where to begin, once the clip can be sought in.
  private var place: MediaTime?
  /// Subtitles follow the picture: during a seek, those of the picture still on the surface stay.
  private var subtitleTime = MediaTime.zero
  /// As they were carried out last; nil: not yet.
  private var wishes: PlayerDesk.Wishes?
  /// The ad that they were carried out for, too.
  private var ad: PlayedClip?
  private var stallBegan: MonotonicTime?
  private var couldPlay = true
  /// The next view is read back, without what lies over it.
  private var isCapturing = false
  /// Of a clip of sound alone.
  private let artwork: Artwork?
  /// What does not change while the clip plays.
  private var facts = Player.State()
  /// In the queue.
  var turn: Turn

  /// - Parameter queued: what it is in the queue; nil: it is not in there.
  init(_ loop: PlayerLoop, _ clip: PlayedClip, _ place: Recovery.Place, _ ads: ClipAds?, queued: Player.Item?) {
    (self.loop, self.clip, self.ads, desk) = (loop, clip, ads, loop.desk)
    turn = Turn(item: queued)
    artwork = clip.session.reader.info.isSoundOnly ? Artwork() : nil
    // Streams begin there by themselves.
    self.place = place.time > .zero && clip.session.stream == nil ? place.time : nil
    if let notice = loop.subtitles.open(clip) { tell(notice.description) }
    readFacts()
  }

  func run() throws(Failure) {
    loop.canvas = { [unowned self] in canvas() }
    defer { loop.canvas = { Canvas() } }
    guard let ads else {
      return try clip.play.run(
        beforeTick: { before($0) }, onFrame: { clip.sound?.follow($0) }, onTick: { after($0) })
    }
    try ads.run(
      beforeTick: { before($0) }, onFrame: { clip.sound?.follow($0) },
      onTick: { after($0) })
  }

  private var isBreak: Bool { ads?.isBreak ?? false }

  /// What play and pause are for: the ad in a break, else the clip.
  var shown: PlayedClip { ads?.clip ?? clip }

  // MARK: - Before a refresh

  private func before(_ tick: DisplayTick) {
    if desk.isOver { return clip.link.stop() }
    // Before the first picture there is no place to go from.
    let hasPlace = clip.play.canSeek || clip.play.player.state != .opening
    if hasPlace, let place {
      clip.play.seek(SeekRequest(target: place))
      self.place = nil
    }
    if hasPlace || isBreak {
      for order in desk.takeOrders() { carryOut(order, at: tick.timestamp) }
    }
    if loop.look.advance(to: tick.target) { loop.isStale = true }
    if let notice = loop.subtitles.advance() { tell(notice.description) }
    followWishes()
    // A faster picture that has come to a live edge is as fast as that from now on.
    if clip.followStream(at: tick.timestamp).contains(.caughtUp) { desk.wish { $0.rate = 1 } }
    followSound()
    followArtwork()
    if subtitlesHaveChanged { loop.isStale = true }
  }

  private func carryOut(_ order: PlayerDesk.Order, at now: MonotonicTime) {
    // A seek is by the rule that was set before it.
    clip.stream.breaks.rule = desk.wishes.breakRule
    switch order {
    case .play: shown.playWhenLoaded()
    case .pause: shown.pause()
    case .seek(let request, let id): seek(request, id)
    case .image(let request, let id):
      shown.pause()
      seek(request, id, isImage: true)
    case .step(let count): if !isBreak { step(count) }
    case .skipAd: _ = ads?.skip()
    case .next: if let next = desk.upNext.first { leave(for: next, .asked) }
    case .look(let event, let size):
      loop.look.perform(event, in: size ?? clip.session.renderer.targetSize, at: now)
      if event.redraws { loop.isStale = true }
    case .goLive: if !isBreak, !tellOfBreak(clip.breakForbidsSeeks) { clip.goLive() }
    case .sound(let track): choose(sound: track)
    case .subtitles(let track): choose(subtitles: track)
    case .quality(let rung): clip.session.stream?.fixedRung = rung
    case .geometry(let projection, let stereo): show(as: projection, stereo)
    }
  }

  private func seek(_ request: SeekRequest, _ id: Int, isImage: Bool = false) {
    for other in loop.seeks.begin(id, image: isImage ? request : nil) { giveUp(other) }
    isCapturing = false
    guard clip.play.canSeek, !isBreak else { return missed() }
    var request = request
    // A picture is asked for by itself, not to play from.
    guard let target = isImage ? clip.sought(request.target) : sought(request.target) else { return missed() }
    request.target = target
    clip.play.seek(request)
  }

  private func step(_ count: Int) {
    for _ in 0..<Int(min(count.magnitude, 1000)) { count > 0 ? clip.play.stepForward() : clip.play.stepBack() }
  }

  private func choose(sound track: Int) {
    guard let sound = clip.sound, sound.tracks.indices.contains(track), track != sound.chosen else { return }
    do throws(Failure) { try sound.choose(track) } catch { desk.listeners.tell(.trouble(error)) }
  }

  private func choose(subtitles track: Int?) {
    _ = loop.subtitles.choose(track)
    loop.isStale = true
  }

  private func show(as projection: Projection?, _ stereo: StereoLayout?) {
    let renderer = clip.session.renderer
    var geometry = renderer.geometry
    if let projection, projection != geometry.projection {
      (geometry.projection, geometry.bounds, geometry.pose) = (projection, nil, .none)
    }
    if let stereo { geometry.stereo = stereo }
    do throws(Failure) { try renderer.change(to: geometry) } catch { desk.listeners.tell(.trouble(error)) }
    loop.isStale = true
  }

  private func followWishes() {
    let wanted = desk.wishes
    // Another ad has another sound.
    if ads?.clip !== ad { (ad, wishes) = (ads?.clip, nil) }
    guard wanted != wishes else { return }
    if let wishes, wishes.isMuted != wanted.isMuted { ads?.noteMuted(wanted.isMuted) }
    if wanted.rate != wishes?.rate { clip.setRate(wanted.rate) }
    if wanted.size != wishes?.size || wanted.isHidden != (wishes?.isHidden ?? false) {
      for clip in [clip, ad].compactMap(\.self) { loop.resize(clip) }
    }
    clip.feed.loops = wanted.loops
    clip.stream.breaks.rule = wanted.breakRule
    for clip in [clip, ad] { clip?.sound?.set(volume: wanted.volume, isMuted: wanted.isMuted) }
    wishes = wanted
  }

  private func followSound() {
    guard let sound = shown.sound else { return }
    let camera = loop.look.camera
    sound.player.turn(pan: camera.pan, tilt: camera.tilt, roll: camera.roll)
    if let failure = sound.takeFailure() {
      desk.listeners.tell(.trouble(SoundRefuge.told(failure, goesOnAt: sound.player.outputName)))
    }
  }

  private func followArtwork() {
    guard let artwork else { return }
    do throws(Failure) {
      if try artwork.follow(desk.metadata.artwork) { loop.isStale = true }
    } catch {
      desk.listeners.tell(.trouble(error))
    }
  }

  // MARK: - After a refresh

  private func after(_ tick: PlayTick) {
    if let view = tick.view, tick.frame != nil, let pixels = view.pixels, desk.listeners.wantsImages {
      desk.listeners.tell(image(view, pixels))
    }
    // The end of a clip that another one follows is no end of playing.
    let isFollowed = tick.state.isAtEnd && desk.follower != nil
    desk.publish {
      fill(&$0, tick)
      if isFollowed { $0.status = .loading }
    }
    // An ad is nothing that happens to the clip.
    guard !isBreak else { return }
    if desk.listeners.hasLogs {
      let wanted = desk.wishes
      let sample = clip.sample(
        tick, subtitles: loop.subtitles.chosen, volume: wanted.volume, isMuted: wanted.isMuted)
      desk.listeners.note { $0.observe(sample) }
    }
    tellOfBuffer(tick)
    answer(tick)
    follow(tick)
  }

  private func fill(_ state: inout Player.State, _ tick: PlayTick) {
    let metadata = state.metadata
    state = facts
    state.metadata = metadata
    state.status = Player.Status(tick.state)
    (state.isPlaying, state.position, state.rate) = (clip.willPlay, clip.place, clip.stream.pace.speed)
    if let ads, ads.isBreak {
      (state.ad, state.isPlaying) = (Player.Ad(ads), ads.clip?.willPlay ?? true)
      if ads.clip == nil { state.status = .stalled }
    }
    state.loaded.start = clip.place
    state.loaded.end = clip.loadedTo
    state.view = loop.look.camera
    state.projection = clip.session.renderer.geometry.projection
    state.sound.tracks.chosen = clip.sound?.chosen
    state.subtitles.chosen = loop.subtitles.chosen
    if let stream = clip.session.stream {
      state.breaks = clip.breaks(of: stream)
      (state.quality.fixed, state.quality.shown) = (stream.fixedRung, stream.segment(at: clip.pictureTime)?.rung)
    }
    let log = clip.log
    (state.counts.presented, state.counts.dropped) = (log.presented, log.dropped)
    state.counts.skipped = log.skipped + clip.framesLeftOut
    (state.counts.stalls, state.counts.stallSeconds) = (
      clip.stream.stalls.count, clip.stream.stalls.seconds(at: tick.called)
    )
  }

  /// Answers who waits for a seek or a picture.
  private func answer(_ tick: PlayTick) {
    guard loop.seeks.isWaiting, tick.state != .seeking, tick.state != .opening else { return }
    if tick.state.isAtEnd, tick.frame == nil, clip.play.shownFrame == nil || loop.seeks.wantedImage != nil {
      return missed()
    }
    if let request = loop.seeks.wantedImage {
      // Behind the end the last picture is shown, which is not the one that is wanted.
      if let frame = clip.play.shownFrame, !request.accepts(frame) { return missed() }
      // A captured view has nothing over it; nor has one that needed nothing.
      guard let view = tick.view, let pixels = view.pixels, isCapturing || loop.isBare else { return capture() }
      isCapturing = false
      if let id = loop.seeks.takeImage() { desk.answers.answer(id, .success(image(view, pixels))) }
    } else if let id = loop.seeks.takeSeek() {
      finish(id, .landed(clip.pictureTime))
    }
  }

  private func capture() { (isCapturing, clip.play.captures) = (true, true) }

  private func finish(_ id: Int, _ outcome: Player.SeekOutcome) {
    desk.answers.answer(id, outcome)
    desk.listeners.tell(.sought(outcome))
  }

  private func giveUp(_ id: Int) {
    finish(id, .superseded)
    desk.answers.answer(
      id, .failure(Failure(.cancelled, "cannot take a picture", cause: "another place was sought meanwhile")))
  }

  private func missed() {
    if let id = loop.seeks.takeSeek() { finish(id, .missed) }
    guard let id = loop.seeks.takeImage() else { return }
    desk.answers.answer(
      id,
      .failure(
        Failure(
          .input, "cannot take a picture of '\(ShownClip(clip.path).text)'",
          cause: isBreak ? "an ad is shown" : "the clip has none at that place",
          remedy: isBreak ? "ask again after it" : "ask for a place before its end")))
  }

  private func image(_ view: FrameRing.Finished, _ pixels: [UInt8]) -> PlayerImage {
    PlayerImage(time: view.frame.presentationTime, size: clip.session.renderer.targetSize, pixels: pixels)
  }

  private func tellOfBuffer(_ tick: PlayTick) {
    if tick.state == .stalled, stallBegan == nil {
      stallBegan = tick.called
      desk.listeners.tell(.bufferEmpty)
    } else if tick.state == .playing, let began = stallBegan {
      stallBegan = nil
      desk.listeners.tell(.recovered(seconds: tick.called.seconds(since: began)))
    }
    let canPlay = clip.session.stream?.canPlay ?? true
    if canPlay, !couldPlay { desk.listeners.tell(.likelyToKeepUp) }
    couldPlay = canPlay
  }

  // MARK: - What is known of the clip

  private func readFacts() {
    let info = clip.session.reader.info
    facts.duration = info.isLive ? nil : clip.duration
    facts.pictureSize = info.isSoundOnly ? nil : info.video.size
    facts.subtitles.names = loop.subtitles.tracks.map(\.name)
    facts.sound.tracks.names = clip.sound?.tracks.map(\.name) ?? []
    guard let stream = clip.session.stream else { return }
    (facts.quality.bitrates, facts.quality.heights) = (stream.rungs.map(\.bitrate), stream.rungs.map(\.height))
    couldPlay = false
  }

  private func tell(_ message: String) {
    desk.listeners.tell(.trouble(Failure(.media, "cannot show subtitles", cause: message)))
  }

  private var subtitlesHaveChanged: Bool {
    if clip.play.player.state != .seeking { subtitleTime = clip.place }
    guard ads?.clip == nil else { return false }
    let renderer = clip.session.renderer
    let size = renderer.geometry.regions(in: renderer.targetSize).first.size
    return loop.subtitles.hasChanged(at: subtitleTime, in: size)
  }

  /// Artwork and subtitles, and over them what the caller draws.
  private func canvas() -> Canvas {
    let renderer = clip.session.renderer
    var canvas = Canvas()
    if ads?.clip == nil {
      let regions = renderer.geometry.regions(in: renderer.targetSize)
      artwork?.draw(on: &canvas, in: regions)
      loop.subtitles.draw(on: &canvas, at: subtitleTime, in: regions)
    }
    guard let overlay = desk.overlay else { return canvas }
    for item in overlay(desk.state, renderer.targetSize).items { canvas.add(item) }
    return canvas
  }
}
