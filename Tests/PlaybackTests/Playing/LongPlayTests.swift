import Foundation
import Frames
import GPU
import Media
import Playback
import Render
import Session
import Support
import Testing

/// Hours of pictures on a display that is advanced by hand, under random hands: nothing grows, and what is read back is the right picture.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"), .serialized)
struct LongPlayTests {
  private static let variable = "BENCH360_PLAY_MINUTES"
  /// `Benchmarks/soak/day` wants those of 24 hours.
  private static let minutes = ProofSize.count(variable, usual: 1)
  private static let rate: Int32 = 30

  /// Something every ten seconds; what it began is over within two.
  private struct Hands {
    var generator: SeededGenerator
    private(set) var count = 0

    init(_ generator: SeededGenerator) { self.generator = generator }

    private let wide = MediaTime(seconds: 10)

    private mutating func place() -> MediaTime { MediaTime(seconds: .random(in: 0...1.7, using: &generator)) }

    mutating func act(_ session: PlaySession, refresh: Int) {
      let since = refresh % 300
      if since == 60 {
        session.endScrubbing()
        session.setRate(1)
        session.play()
      }
      if since > 1, since < 20, session.player.state == .seeking { session.scrub(to: place()) }
      guard since == 1 else { return }
      count += 1
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: session.seek(SeekRequest(target: place()))
      case 1: session.seek(SeekRequest(target: place(), toleranceBefore: wide, toleranceAfter: wide))
      case 2: session.pause()
      case 3: session.setRate(.random(in: 0.25...2, using: &generator))
      case 4: session.stepBack()
      case 5: session.stepForward()
      default:
        session.beginScrubbing(ScrubSlider(duration: MediaTime(seconds: 50.0 / Double(LongPlayTests.rate)), width: 100))
        session.scrub(to: place())
      }
    }
  }

  private struct Sample {
    var hours: Double
    var held: Footprint
    /// B
    var device: Int
  }

  @Test func nothingGrows() throws {
    let isProof = ProofSize.isSet(Self.variable)
    var drawing = PlayStage.options
    drawing.validates = !isProof
    let stage = try PlayStage(
      try RenderSession(path: try PlayStage.clip(Self.rate), options: drawing), on: Self.rate, cost: 0.001)
    var options = PlaySession.Options()
    (options.readbackInterval, options.loggedViews, options.outlivesEnd) = (97, 1000, true)
    let timed = TimedDrawer(stage.session.renderer, stage.link, cost: { _ in 0.004 })
    let play = PlaySession(renderer: timed, source: stage.source, link: stage.link, options: options)
    var hands = Hands(SeededGenerator(for: "nothing grows"))
    let wanted = Self.minutes * 60 * Int(Self.rate)
    var (refreshes, pictures, read, wrong) = (0, 0, 0, 0)
    var samples: [Sample] = []
    try play.run(
      beforeTick: { _ in
        hands.act(play, refresh: refreshes)
        refreshes += 1
      },
      onTick: { tick in
        pictures += tick.frame == nil ? 0 : 1
        if let frame = tick.frame, tick.view?.pixels != nil {
          read += 1
          wrong +=
            PlayStage.reading(tick)?.number == Int((frame.presentationTime.seconds * Double(Self.rate)).rounded())
            ? 0 : 1
        }
        if pictures >= wanted / 24 * samples.count, let held = try? Footprint() {
          let hours = Double(pictures) / Double(Self.rate) / 3600
          samples.append(Sample(hours: hours, held: held, device: MemoryUse.held))
        }
        if pictures >= wanted { stage.link.stop() }
      })
    let log = play.log
    #expect(log.presented == pictures && wrong == 0 && read >= pictures / 200, "\(wrong) of \(read)")
    #expect(log.views.count <= 2001 && stage.session.device.instance.validation.messages.isEmpty)
    let (first, middle, last) = (samples[1], samples[samples.count / 2], samples[samples.count - 1])
    for sample in [first, middle, last] {
      let held = sample.held
      print(
        "played|\((sample.hours * 100).rounded() / 100)|\(held.resident / 1024)|\(sample.device / 1024)|\(held.descriptors)|\(held.threads)"
      )
    }
    print(
      "pictures: \(Double(pictures) / Double(Self.rate) / 3600) h, \(pictures) shown, \(read) read back, \(wrong) wrong;",
      "\(hands.count) hands, \(log.dropped) dropped, \(log.skipped) skipped, \(log.stalls.count) stalls")
    guard isProof else { return }
    // Pools grow to the most that they ever need: some pictures, some threads.
    #expect(last.held.resident - first.held.resident < 4 << 20 && last.device - first.device < 1 << 20)
    #expect(last.held.descriptors == first.held.descriptors && last.held.threads <= first.held.threads)
  }
}
