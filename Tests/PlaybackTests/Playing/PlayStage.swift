import Decode
import Foundation
import Frames
import Playback
import Render
import Session
import Support
import TestPicture
import Testing

/// A display by hand, real frames and a renderer: what is on screen is read from pixels.
struct PlayStage {
  static let target = PictureSize(width: 160, height: 90)

  static func clip(_ rate: Int32) throws -> String {
    try SharedClips.synthetic("play-\(rate).mp4") {
      $0 = SharedClips.manySpecification
      ($0.rate, $0.frames) = (Ratio(rate, 1), 50)
    }
  }

  let link: ManualDisplayLink
  let source: TimedSource
  let session: RenderSession

  init(
    _ rate: Int32, on refresh: Int32, cost: Double, pauses: [Int: MediaTime] = [:],
    start: MonotonicTime = MonotonicTime(nanoseconds: 7_654_321)
  ) throws {
    try self.init(try PlayStage.clip(rate), on: refresh, cost: cost, pauses: pauses, start: start)
  }

  init(
    _ clip: String, on refresh: Int32, cost: Double, pauses: [Int: MediaTime] = [:],
    start: MonotonicTime = MonotonicTime(nanoseconds: 7_654_321), loops: Bool = true
  ) throws {
    try self.init(
      try RenderSession(path: clip, options: Self.options), on: refresh, cost: cost, pauses: pauses, start: start,
      loops: loops)
  }

  static var options: RenderSession.Options {
    var options = RenderSession.Options()
    options.targetSize = PlayStage.target
    options.validates = true
    options.decoder.threads = 1
    return options
  }

  init(
    _ session: RenderSession, on refresh: Int32, cost: Double, pauses: [Int: MediaTime] = [:],
    start: MonotonicTime = MonotonicTime(nanoseconds: 7_654_321), loops: Bool = true
  ) throws {
    self.session = session
    link = ManualDisplayLink(rate: Ratio(refresh, 1), start: start)
    source = TimedSource(session.reader, link: link, cost: MediaTime(seconds: cost), pauses: pauses, loops: loops)
  }

  /// Plays three seconds; what each tick came to, and when its view was ready.
  ///
  /// - Parameters:
  ///   - rendering: what each view takes, in seconds.
  ///   - drawer: given what draws, before it plays.
  ///   - commands: told the session and the number of each refresh before it is decided. With them the end of
  ///   the clip is not the end; `false` is.
  func play(
    rendering: @escaping (Int) -> Double = { _ in 0 }, moves: Bool = false,
    camera: @escaping (MediaTime) -> Camera = { _ in Camera() }, redraws: @escaping () -> Bool = { false },
    drawer: (TimedDrawer) -> Void = { _ in }, end: Double? = 3, canSeek: Bool = true,
    commands: ((PlaySession, Int) -> Bool)? = nil
  ) throws -> (log: PlayLog, ticks: [PlayTick], ready: [MonotonicTime]) {
    var options = PlaySession.Options()
    options.readbackInterval = 1
    options.cameraMoves = moves
    options.end = end.map { MediaTime(seconds: $0) }
    options.outlivesEnd = commands != nil
    options.canSeek = canSeek
    options.camera = camera
    options.redraws = redraws
    let timed = TimedDrawer(session.renderer, link, cost: rendering)
    drawer(timed)
    let play = PlaySession(renderer: timed, source: source, link: link, options: options)
    var ticks: [PlayTick] = []
    var ready: [MonotonicTime] = []
    try play.run(
      beforeTick: { _ in if let commands, !commands(play, ticks.count) { link.stop() } },
      onTick: { tick in
        ticks.append(tick)
        ready.append(link.now)
      })
    #expect(session.device.instance.validation.messages.isEmpty)
    return (play.log, ticks, ready)
  }

  /// Views as a display shows them: the newest that is ready at each refresh. Numbers come from pixels.
  static func screen(
    _ ticks: [PlayTick], _ ready: [MonotonicTime], _ grid: RefreshGrid
  ) throws -> [(refresh: Int64, number: Int)] {
    var screen: [(refresh: Int64, number: Int)] = []
    for (tick, ready) in zip(ticks, ready) {
      guard let number = try number(tick) else { continue }
      let first = grid.number(at: MonotonicTime(nanoseconds: ready.nanoseconds - 1)) + 1
      let refresh = max(grid.number(at: tick.tick.target), first)
      if screen.last?.refresh == refresh { screen.removeLast() }
      screen.append((refresh, number))
    }
    return screen
  }

  /// Read from the pixels of the view that was drawn; nil where none was.
  static func number(_ tick: PlayTick) throws -> Int? {
    guard let reading = reading(tick) else { return nil }
    let number: Int = try #require(reading.number)
    return number
  }

  /// The same with the rung that the pixels show.
  static func reading(_ tick: PlayTick) -> FrameCode.Reading? {
    guard let pixels = tick.view?.pixels else { return nil }
    return FrameCode.read(.flat) { u, v in
      pixels[(Int(v * Double(target.height)) * target.width + Int(u * Double(target.width))) * 4 + 1]
    }
  }
}
