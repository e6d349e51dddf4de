import Bench360Player
import Frames
import GPU
import Overlay
import Playback
import Render

// The layer over the view, and messages to the user.
extension Viewer {
  /// Shows the user a message for a moment.
  func say(_ text: String) {
    hud.say(printable(redactingSecrets(text)), at: .now)
    isStale = true
  }

  /// Shows the user a message for a moment, and reports it to the caller.
  func tell(_ message: String) {
    say(message)
    options.onMessage(message)
  }

  /// Statistics, below them subtitles, above them the controls.
  func layer() -> QuadLayer? {
    guard let renderer = showing?.session.renderer, let painter = painter(on: renderer.device) else { return nil }
    var canvas = Canvas()
    drawSubtitles(on: &canvas)
    for item in hud.canvas(hudRoom(renderer), measure: { painter.measure($0, $1) }).items { canvas.add(item) }
    drawPanel(on: &canvas, showing?.session.renderer.targetSize) { painter.measure($0, $1) }
    controls.picture?.draw(on: &canvas) { painter.measure($0, $1) }
    return canvas.items.isEmpty ? nil : painter.paint(canvas)
  }

  private func hudRoom(_ renderer: ViewRenderer) -> HUDRoom {
    let regions = renderer.geometry.regions(in: renderer.targetSize)
    var room = HUDRoom(regions)
    room.subtitles = subtitles.boxes(in: regions)
    (room.bottom, room.textSize) = (controls.height, options.settings.textSize)
    room.colors = options.settings.isHighContrast ? .highContrast : .usual
    return room
  }

  func painter(on device: GPUDevice) -> CanvasPainter? {
    let painter = drawing.painter(on: device) { options.onMessage($0.description) }
    if let painter { checkLetters(painter.texts) }
    return painter
  }

  func facts(_ showing: Showing) -> HUD.Facts {
    var facts = HUD.Facts()
    let (play, session, log) = (showing.play, showing.session, showing.play.log)
    facts.file = showing.title
    facts.gap = files.gap
    facts.stream = session.stream?.facts(at: showing.clip.pictureTime, words)
    facts.network = session.stream.map { showing.networkFacts($0, words) }
    (facts.presented, facts.dropped, facts.late) = (log.presented, log.dropped, log.late)
    facts.queueDepth = play.player.queue.count
    facts.milliseconds.render = play.renderMilliseconds
    facts.milliseconds.read = play.shownFrame?.timing.demuxMilliseconds
    facts.milliseconds.decode = play.shownFrame?.timing.decodeLatencyMilliseconds
    facts.milliseconds.input = hands.inputMilliseconds
    facts.frameTimes = log.frameTimes(HUDGraph.frameCount)
    facts.device = session.device.info.name
    let decoder = session.reader.decoder
    facts.decoder =
      decoder.choice == .software
      ? words[.threads(decoder.threads, of: decoder.name)]
      : words[.runsOn(decoder.choice.rawValue, decoder: decoder.name)]
    facts.upload = session.upload.rawValue
    facts.rate = showing.clip.stream.pace.speed
    facts.camera = session.renderer.geometry.projection.usesCamera ? hands.look.camera : nil
    return facts
  }
}
