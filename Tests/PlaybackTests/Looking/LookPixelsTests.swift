import Frames
import GPU
import Playback
import Render
import Session
import Support
import Testing

/// That a view shows what a hand did is read from its pixels: held against the reference in double precision that looks where
/// a slow twin of the hand does.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct LookPixelsTests {
  private static let target = PictureSize(width: 160, height: 90)

  private static func clip() throws -> String { try SharedClips.synthetic("look.mp4") }

  /// A hand that pulls the view about and lets go, then a wheel: 125 events a second, at no phase of the display's.
  private static let recording: LookRecording = {
    var moments: [LookRecording.Moment] = [.init(0.0031, .grab(x: 80, y: 45))]
    for step in 1...30 {
      moments.append(
        .init(0.0031 + Double(step) * 0.008, .drag(x: 80 - Double(step) * 1.7, y: 45 + Double(step % 7))))
    }
    moments.append(.init(0.246, .letGo))
    for step in 1...6 { moments.append(.init(0.6 + Double(step) * 0.031, .zoom(steps: 1, x: 120, y: 20))) }
    return LookRecording(size: target, moments: moments)
  }()

  private struct Refresh {
    var tick: DisplayTick
    var view: FrameRing.Finished?
    var answers: [LookReplay.Shown]
  }

  /// A second at 60 Hz; each view takes 3 ms.
  private static func play(isPaused: Bool) throws -> [Refresh] {
    var options = RenderSession.Options()
    options.targetSize = target
    options.shading = .fragment
    options.validates = true
    options.decoder.threads = 1
    let session = try RenderSession(path: try clip(), options: options)
    let link = ManualDisplayLink(rate: Ratio(60, 1), start: MonotonicTime(nanoseconds: 7_654_321))
    let source = TimedSource(session.reader, link: link, cost: .zero)
    let hand = Hand(LookReplay(recording, on: LookAround(home: Camera()), size: target), link)
    var playing = PlaySession.Options()
    playing.camera = { _ in hand.camera() }
    playing.redraws = { hand.isStale }
    playing.outlivesEnd = true
    let play = PlaySession(renderer: session.renderer, source: source, link: link, options: playing)
    var refreshes: [Refresh] = []
    var hasPicture = false
    try play.run(
      beforeTick: { tick in
        guard hasPicture else { return }
        if isPaused { play.pause() }
        hand.isStale = hand.replay.begin(tick, at: link.now)
        play.captures = hand.isStale
      },
      onTick: { tick in
        if hasPicture {
          let answers = tick.ready.map { hand.replay.drew(in: tick.tick, ready: $0) } ?? []
          refreshes.append(Refresh(tick: tick.tick, view: tick.view, answers: answers))
        }
        hasPicture = hasPicture || tick.view != nil
        if refreshes.count == 60 { link.stop() }
      })
    #expect(session.device.instance.validation.messages.isEmpty)
    return refreshes
  }

  /// What closures of a session share.
  private final class Hand {
    var replay: LookReplay
    var isStale = false
    private let link: ManualDisplayLink

    init(_ replay: LookReplay, _ link: ManualDisplayLink) { (self.replay, self.link) = (replay, link) }

    /// Asked for just before a view is drawn: as long as that takes, time passes.
    func camera() -> Camera {
      link.pass(MediaTime(seconds: 0.003))
      return replay.look.camera
    }
  }

  /// Where the view looks at each refresh, by a hand that is moved event for event.
  private static func cameras(_ ticks: [DisplayTick]) -> [Camera] {
    var look = LookAround(home: Camera())
    var taken = 0
    return ticks.map { tick in
      while taken < recording.moments.count,
        recording.moments[taken].seconds <= tick.timestamp.seconds(since: ticks[0].timestamp)
      {
        look.perform(recording.moments[taken].event, in: target, at: tick.timestamp)
        taken += 1
      }
      _ = look.advance(to: tick.target)
      return look.camera
    }
  }

  private static func psnr(_ view: FrameRing.Finished, _ camera: Camera) throws -> Double {
    let reference = ExactTwin(
      frame: view.frame, geometry: PictureGeometry(projection: .equirectangular), camera: camera, target: target)
    return ViewError(of: try #require(view.pixels), reference: reference).weightedPSNR
  }

  @Test(arguments: [false, true])
  func theViewAfterAnEventShowsIt(isPaused: Bool) throws {
    let refreshes = try Self.play(isPaused: isPaused)
    let cameras = Self.cameras(refreshes.map(\.tick))
    var before = Camera()
    var moved = 0
    for (refresh, camera) in zip(refreshes, cameras) {
      defer { before = camera }
      guard let view = refresh.view, view.pixels != nil else {
        #expect(camera == before, "what changed was not drawn")
        continue
      }
      #expect(try Self.psnr(view, camera) > 45)
      guard abs(camera.pan - before.pan) > 0.4 || abs(camera.fieldOfView - before.fieldOfView) > 1 else { continue }
      moved += 1
      #expect(try Self.psnr(view, before) < 42, "it must not be the view before")
    }
    #expect(moved > 15)
    let answers = refreshes.flatMap(\.answers)
    // Of 38 events the grab changes nothing.
    #expect(answers.count == Self.recording.moments.count - 1)
    #expect(answers.allSatisfy { !$0.isLate && $0.milliseconds >= 3 && $0.milliseconds <= 1000.0 / 60 + 3.001 })
    #expect(try #require(answers.map(\.milliseconds).max()) - 3 > 10, "events lie anywhere between two refreshes")
  }

  /// Though the clip stands still, a hand that moves sees every refresh of the display.
  @Test func aPausedViewFollowsAtTheDisplaysRate() throws {
    let refreshes = try Self.play(isPaused: true)
    let end = try #require(Self.recording.moments.first { $0.event == .letGo }).seconds
    let held = refreshes.filter {
      $0.tick.timestamp.seconds(since: refreshes[0].tick.timestamp) <= end && !$0.answers.isEmpty
    }
    #expect(held.count == Int(end * 60) && Set(held.compactMap { $0.view?.pixels }).count == held.count)
    #expect(Set(refreshes.compactMap { $0.view?.frame.index }).count == 1, "it does stand still")
  }
}
