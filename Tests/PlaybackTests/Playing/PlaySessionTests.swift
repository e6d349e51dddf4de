import Decode
import Foundation
import Frames
import Media
import Playback
import Render
import Session
import Support
import TestPicture
import Testing

/// What is played is read from the pixels of every view, refresh by refresh, and the counters must say the same.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct PlaySessionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var rate: Int32
    var refresh: Int32
    /// Of the time that a frame lasts.
    var decoding: Double
    /// Of the time between refreshes, by view.
    var rendering: @Sendable (Int) -> Double
    var name: String
    var testDescription: String { "\(rate) on \(refresh), decoding \(decoding), rendering \(name)" }
  }

  static let cases: [Case] = [24, 30, 60].flatMap { rate in
    [50, 60, 144].flatMap { refresh in
      [
        Case(rate: rate, refresh: refresh, decoding: 0.1, rendering: { _ in 0.3 }, name: "quick"),
        Case(rate: rate, refresh: refresh, decoding: 1.06, rendering: { _ in 0.3 }, name: "quick"),
        Case(rate: rate, refresh: refresh, decoding: 0.1, rendering: { _ in 1.2 }, name: "slow"),
        Case(
          rate: rate, refresh: refresh, decoding: 0.9, rendering: { $0 % 7 == 3 ? 3.4 : 0.5 }, name: "with hiccups"),
      ]
    }
  }

  /// Each pair of a rate, a refresh rate and a kind once.
  private static let pairs = Sampling.pairwise([3, 3, 4]).map { cases[($0[0] * 3 + $0[1]) * 4 + $0[2]] }

  @Test(arguments: pairs)
  func countersSayWhatThePixelsShow(_ test: Case) throws { try Self.expectCounters(test) }

  @Test(.tier(.full), arguments: cases)
  func countersSayWhatThePixelsShowAtAllRates(_ test: Case) throws { try Self.expectCounters(test) }

  private static func expectCounters(_ test: Case) throws {
    let stage = try PlayStage(test.rate, on: test.refresh, cost: test.decoding / Double(test.rate))
    let (log, ticks, ready) = try stage.play(rendering: { test.rendering($0) / Double(test.refresh) })
    let grid = RefreshGrid(start: MonotonicTime(nanoseconds: 7_654_321), rate: Ratio(test.refresh, 1))
    let screen = try PlayStage.screen(ticks, ready, grid)
    #expect(log.stalls == [])

    // Numbers count on: the clip has 50 frames and starts over.
    var shown: [Int] = []
    for (_, number) in screen {
      let last = shown.last ?? -1
      shown.append(last + ((number - last - 1) % 50 + 50) % 50 + 1)
    }
    #expect(log.fates.map(\.frame.index) == Array(0..<Int(test.rate) * 3), "each frame has one fate")
    #expect(log.fates.filter { $0.fate == .presented }.map(\.frame.index) == shown)
    #expect(log.presented == screen.count && log.presented + log.dropped + log.skipped == Int(test.rate) * 3)
    #expect(log.views.map(\.frame) == shown && log.views.allSatisfy(\.isNew))
    #expect(log.views.map { grid.number(at: $0.seen.advanced(byMilliseconds: 0.001)) } == screen.map(\.refresh))

    // The frame due at a refresh, in whole numbers: a sixteenth of a refresh early, as the pacer has it.
    let start = try #require(ticks.first { $0.frame != nil }).tick.target
    let first = grid.number(at: start)
    func due(_ index: Int) -> Int64 {
      let refreshes: Double = Double(index * Int(test.refresh)) / Double(test.rate)
      return first + Int64((refreshes - 1.0 / 16).rounded(.up))
    }
    // A constant delay is the pipeline's: what is later than the median of the 31 frames before is late.
    let delays = zip(shown, screen).map { Int($1.refresh - due($0)) }
    let late = delays.indices.count { number in
      let before = delays[..<number].suffix(31).sorted()
      return delays[number] > (before.count < 8 ? 0 : min(4, before[(before.count - 1) / 2]))
    }
    #expect(log.late == late)
    var repeated = 0
    for (position, view) in screen.enumerated().dropFirst() {
      let wanted = log.fates[shown[position - 1] + 1...shown[position]].first { $0.fate != .skipped }
      let waiting = try #require(wanted).frame.index
      for refresh in screen[position - 1].refresh + 1..<max(view.refresh, screen[position - 1].refresh + 1)
      where refresh >= due(waiting) {
        repeated += 1
      }
    }
    #expect(log.repeated == repeated)
    if test.name == "quick", test.decoding < 1 {
      #expect(log.dropped == 0 && log.late == 0 && log.repeated == 0)
      let skips = (0..<Int(test.rate) * 3 - 1).count { due($0) == due($0 + 1) }
      #expect(log.skipped == skips)
    }
    if test.decoding > 1 { #expect(log.late > 0 && (log.repeated > 0 || test.refresh < test.rate)) }
  }

  /// Files whose time stamps are not what one would wish, all made from one clip of 50 numbered frames, 25 a second.
  enum OddFile: String, CaseIterable, Sendable {
    /// An edit list hides what lies before a place inside a group.
    case editList
    /// It starts with leading pictures whose group before is not there.
    case openGroup
    /// Frames are missing, and those before them last longer.
    case varying
    case withoutStamps
    /// Cut together: stamps go back in the middle.
    case goingBack

    func path() throws -> String {
      let clip = try PlayStage.clip(25)
      let name = "play-odd-\(self)"
      switch self {
      case .editList: return try SharedClips.ffmpeg("\(name).mp4", ["-ss", "0.6", "-i", clip, "-c", "copy"])
      case .openGroup:
        let open = try SharedClips.ffmpeg(
          "\(name)-whole.ts",
          [
            "-i", clip, "-c:v", "libx265", "-x265-params",
            "log-level=none:keyint=12:min-keyint=12:open-gop=1:scenecut=0",
          ])
        return try SharedClips.ffmpeg("\(name).ts", ["-ss", "0.5", "-i", open, "-c", "copy", "-copyts"])
      case .varying:
        let chosen = "not(mod(n\\,3))+lt(n\\,10)"
        return try SharedClips.ffmpeg(
          "\(name).mp4",
          ["-i", clip, "-vf", "select='\(chosen)'", "-fps_mode", "vfr", "-video_track_timescale", "12800"])
      case .withoutStamps:
        return try SharedClips.ffmpeg("\(name).h264", ["-i", clip, "-c", "copy", "-bsf:v", "h264_mp4toannexb"])
      case .goingBack:
        let first = try SharedClips.ffmpeg("\(name)-a.ts", ["-i", clip, "-c", "copy"])
        return try SharedClips.file("\(name).ts") { path in
          let bytes = try Data(contentsOf: URL(filePath: first))
          try (bytes + bytes).write(to: URL(filePath: path))
        }
      }
    }
  }

  /// FFmpeg's program says which frames there are.
  @Test(arguments: OddFile.allCases)
  func oddFilesPlayToTheirEnd(_ file: OddFile) throws {
    let path = try file.path()
    let specification = SharedClips.manySpecification
    let decoded = try CommandOutput.of(
      "ffmpeg",
      ["-v", "quiet", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "gray", "-"])
    let (width, height) = (specification.size.width, specification.size.height)
    let expected = (0..<decoded.output.count / (width * height)).map { frame in
      let start = decoded.output.startIndex + frame * width * height
      return FrameCode.read(.flat) { u, v in
        decoded.output[start + Int(v * Double(height)) * width + Int(u * Double(width))]
      }.number
    }
    #expect(expected.count > 10 && !expected.contains(nil), "\(expected)")
    let stage = try PlayStage(path, on: 50, cost: 0.001, loops: false)
    let (log, ticks, ready) = try stage.play(rendering: { _ in 0.002 }, end: nil)
    let screen = try PlayStage.screen(
      ticks, ready, RefreshGrid(start: MonotonicTime(nanoseconds: 7_654_321), rate: Ratio(50, 1)))
    #expect(screen.map(\.number) == expected.compactMap { $0 })
    #expect(log.presented == expected.count && log.dropped + log.skipped + log.late + log.repeated == 0)
    #expect(log.stalls == [])
    // At 25 a second each frame has two refreshes, those before a gap more.
    let durations = zip(screen, screen.dropFirst()).map { $1.refresh - $0.refresh }
    let gaps = zip(expected, expected.dropFirst()).map { before, next in
      (before ?? 0) > (next ?? 0) ? 2 : Int64((next ?? 0) - (before ?? 0)) * 2
    }
    #expect(durations == gaps)
  }

  @Test func framesDecodedTooLateStallOnceAndAreAllShown() throws {
    let stage = try PlayStage(30, on: 60, cost: 0.002, pauses: [40: MediaTime(seconds: 1.2)])
    let (log, ticks, _) = try stage.play()
    #expect(log.stalls.count == 1 && log.presented == 90 && log.dropped == 0 && log.repeated == 0)
    #expect(log.views.count(where: \.followsStall) == 1 && ticks.contains { $0.state == .stalled })
    #expect(log.views.first(where: \.followsStall)?.frame == 40)
  }

  /// Every refresh has a view of its own, at the moment that it shows.
  @Test func aMovingCameraMovesWithTime() throws {
    let (log, ticks, _) = try PlayStage(30, on: 60, cost: 0.001).play(rendering: { _ in 0.004 }, moves: true)
    #expect(log.views.count == 180 && log.views.count(where: \.isNew) == 90 && log.presented == 90)
    for (number, view) in log.views.enumerated() {
      #expect(view.frame == number / 2 && abs(view.moment.seconds - Double(number) / 60) < 1e-6)
    }
    #expect(ticks.count { $0.view != nil } == 180)
  }

  /// A camera that moves keeps on overtaking views that are too slow; the frames are still each seen once, or dropped.
  @Test func slowViewsOfAMovingCameraAddUp() throws {
    let (log, _, _) = try PlayStage(30, on: 60, cost: 0.001).play(
      rendering: { $0 % 5 == 1 ? 0.048 : 0.004 }, moves: true)
    #expect(log.presented + log.dropped == 90 && log.skipped == 0 && log.presented == log.views.count(where: \.isNew))
    #expect(log.late > 0)
    for (view, next) in zip(log.views, log.views.dropFirst()) {
      #expect(next.seen.milliseconds(since: view.seen) > 16 && next.frame >= view.frame)
      #expect(next.isNew == (next.frame != view.frame))
    }
  }

  /// What lies behind the end of what is played was handed over as well: the decoder gets its room back.
  @Test(arguments: [0.5, 1.001, 3])
  func everyFrameIsReleased(_ end: Double) throws {
    let stage = try PlayStage(30, on: 60, cost: 0.001)
    let (log, _, _) = try stage.play(end: end)
    #expect(log.presented == Int(end * 30) && stage.source.held == 0)
  }

  /// Real frames, then a failure.
  private final class FailingSource: FrameSource {
    private let source: TimedSource
    private let limit: Int
    private var count = 0

    init(_ source: TimedSource, after limit: Int) { (self.source, self.limit) = (source, limit) }

    func drain(_ take: (FeedItem) -> Void) -> FrameSupply {
      let supply = source.drain { item in
        count += 1
        if count <= limit { take(item) }
      }
      return count < limit ? supply : .failed(Failure(.media, "cannot decode", cause: "it is damaged"))
    }
    func release() { source.release() }
    func request(_ effort: DecodeEffort) {}
    func go(_ order: SeekOrder, id: Int, waits: Bool) {}
    func goOn() {}
    let framesLeftOut = 0
    let framesDiscarded = 0
  }

  @Test func aFailureComesAfterTheFramesBeforeIt() throws {
    let stage = try PlayStage(30, on: 60, cost: 0.001)
    let source = FailingSource(stage.source, after: 20)
    let play = PlaySession(renderer: stage.session.renderer, source: source, link: stage.link)
    let failure = #expect(throws: Failure.self) { try play.run() }
    #expect(failure?.cause == "it is damaged" && play.log.presented == 20)
  }

  /// A window stays open: the failure is told when it happens, once, also after further commands.
  @Test func aFailureIsToldAtOnce() throws {
    let stage = try PlayStage(30, on: 60, cost: 0.001)
    var options = PlaySession.Options()
    options.outlivesEnd = true
    var told: [(tick: Int, presented: Int)] = []
    var (ticks, presented) = (0, 0)
    options.onFailure = { _ in told.append((ticks, presented)) }
    let play = PlaySession(
      renderer: stage.session.renderer, source: FailingSource(stage.source, after: 20), link: stage.link,
      options: options)
    try play.run(
      beforeTick: { _ in
        ticks += 1
        if ticks == 60 { play.play() }
        if ticks == 100 { stage.link.stop() }
      }, onTick: { presented += $0.frame == nil ? 0 : 1 })
    #expect(told.count == 1 && (told.first?.presented ?? 20) < 20 && presented == 20 && ticks == 100)
  }

  /// Without a picture there is nothing to leave on screen.
  @Test func aClipWithoutAFrameEndsIt() throws {
    let stage = try PlayStage(30, on: 60, cost: 0.001)
    var options = PlaySession.Options()
    options.outlivesEnd = true
    options.onFailure = { Issue.record("told instead of thrown: \($0)") }
    let play = PlaySession(
      renderer: stage.session.renderer, source: FailingSource(stage.source, after: 0), link: stage.link,
      options: options)
    #expect(throws: Failure.self) { try play.run() }
  }

  /// Two seconds in real time: how many are late is the machine's business, but all are accounted for.
  @Test func aLiveRunAddsUp() throws {
    let interruption = Interruption()
    var options = RenderSession.Options()
    options.targetSize = PlayStage.target
    let session = try RenderSession(path: try PlayStage.clip(30), options: options, interruption: interruption)
    let feed = FrameFeed(reader: session.reader, interruption: interruption, loops: true)
    defer { feed.stop() }
    feed.fill()
    var playing = PlaySession.Options()
    playing.end = MediaTime(seconds: 2)
    let link = TimerDisplayLink(rate: Ratio(60, 1))
    let play = PlaySession(renderer: session.renderer, source: feed, link: link, options: playing)
    var (received, ticks) = (0, 0)
    let start = MonotonicTime.now
    try play.run(onFrame: { _ in received += 1 }) { tick in
      ticks += 1 + tick.tick.missed
      #expect(tick.called >= tick.tick.timestamp && tick.queueDepth <= 8)
    }
    let seconds = MonotonicTime.now.seconds(since: start)
    let log = play.log
    #expect(
      log.presented + log.dropped + log.skipped == received && received + feed.framesLeftOut >= 60 && log.presented > 0)
    #expect(log.fates.map(\.frame.index) == Array(0..<received) && log.skipped == 0)
    let stalled = log.stalls.reduce(0) { $0 + $1.seconds }
    #expect(seconds >= 1.99 + stalled - 0.02 && Double(ticks) / 60 <= seconds + 0.1, "\(ticks) in \(seconds) s")
    for (view, next) in zip(log.views, log.views.dropFirst()) { #expect(view.seen < next.seen) }
    for view in log.views { #expect(view.seen >= view.ready && view.seen >= view.due) }
  }
}
