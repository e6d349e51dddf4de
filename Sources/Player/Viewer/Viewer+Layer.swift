import Bench360Player
import Frames
import Overlay

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
    guard let clip = showing?.clip, let painter = painter() else { return nil }
    var canvas = Canvas()
    drawSubtitles(on: &canvas)
    for item in hud.canvas(hudRoom(clip), measure: { painter.measure($0, $1) }).items { canvas.add(item) }
    drawPanel(on: &canvas, clip.size) { painter.measure($0, $1) }
    controls.picture?.draw(on: &canvas) { painter.measure($0, $1) }
    return canvas.items.isEmpty ? nil : painter.paint(canvas)
  }

  private func hudRoom(_ clip: PlayedClip) -> HUDRoom {
    var room = HUDRoom(clip.regions)
    room.subtitles = subtitles.boxes(in: clip.regions)
    (room.bottom, room.textSize) = (controls.height, options.settings.textSize)
    room.colors = options.settings.isHighContrast ? .highContrast : .usual
    return room
  }

  func painter() -> CanvasPainter? {
    let painter = drawing.painter { options.onMessage($0.description) }
    if let painter { checkLetters(painter.texts) }
    return painter
  }

  func facts(_ showing: Showing) -> HUD.Facts {
    var facts = HUD.Facts()
    let (clip, log) = (showing.clip, showing.clip.log)
    facts.file = showing.title
    facts.gap = files.gap
    facts.stream = clip.loader?.facts(at: clip.pictureTime, words)
    facts.network = clip.loader.map { showing.networkFacts($0, words) }
    (facts.presented, facts.dropped, facts.late) = (log.presented, log.dropped, log.late)
    facts.queueDepth = clip.queueDepth
    let milliseconds = clip.milliseconds
    (facts.milliseconds.render, facts.milliseconds.read, facts.milliseconds.decode) = (
      milliseconds.render, milliseconds.read, milliseconds.decode
    )
    facts.milliseconds.input = hands.inputMilliseconds
    facts.frameTimes = log.frameTimes(HUDGraph.frameCount)
    facts.device = clip.deviceName
    let decoder = clip.decoder
    facts.decoder =
      decoder.choice == .software
      ? words[.threads(decoder.threads, of: decoder.name)]
      : words[.runsOn(decoder.choice.rawValue, decoder: decoder.name)]
    facts.upload = clip.upload.rawValue
    facts.rate = showing.clip.speed
    facts.camera = clip.geometry.projection.usesCamera ? hands.look.camera : nil
    return facts
  }
}
