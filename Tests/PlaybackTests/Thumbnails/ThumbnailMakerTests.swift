import Decode
import Encode
import Foundation
import Frames
import Media
import Playback
import Support
import Testing

@Suite(.tier(.test)) struct ThumbnailMakerTests {
  private typealias Control = MadeUpThumbnails.Control

  private static func maker(
    _ control: Control, starts: [Double], bad: Set<Double> = [], isVague: Bool = false, byteLimit: Int = 1 << 20,
    bell: Bell
  ) -> ThumbnailMaker {
    let maker = ThumbnailMaker(byteLimit: byteLimit, onChange: bell.ring) { () throws(Failure) in
      MadeUpThumbnails(control, starts: starts, bad: bad, isVague: isVague)
    }
    bell.wait()
    return maker
  }

  private static func ask(_ maker: ThumbnailMaker, _ seconds: Double) -> Thumbnail {
    maker.thumbnail(at: MediaTime(seconds: seconds))
  }

  /// Asks as a loop does, until there is an answer.
  private static func answer(_ maker: ThumbnailMaker, _ seconds: Double, _ bell: Bell) -> Thumbnail {
    while true {
      let thumbnail = ask(maker, seconds)
      if thumbnail.status != .coming { return thumbnail }
      bell.wait()
    }
  }

  @Test func theNewestAskIsServedFirst() {
    let (control, bell) = (Control(), Bell())
    let maker = Self.maker(control, starts: [0, 10, 20, 30, 40], bell: bell)
    #expect(Self.ask(maker, 0) == Thumbnail(picture: nil, status: .coming))
    control.waitUntilOneIsBegun()
    for time in [10.0, 20, 30, 40, 21] { #expect(Self.ask(maker, time).status == .coming) }
    #expect(maker.askCount == 5)
    control.release(5)
    // Asking again would change the order.
    while maker.askCount > 0 { bell.wait() }
    for time in [0.0, 10, 20, 30, 40] {
      let answer = Self.answer(maker, time, bell)
      #expect(answer.status == .ready && answer.picture?.time.seconds == time)
    }
    // 20 was asked for once more, as 21, and so became the newest.
    #expect(control.times == [0, 20, 40, 30, 10])
    #expect(maker.askCount == 0)
  }

  @Test func timesThatShareAPictureAreServedOnce() {
    let (control, bell) = (Control(), Bell())
    let maker = Self.maker(control, starts: [0, 100], bell: bell)
    control.release(1000)
    for number in 0..<1000 { _ = Self.ask(maker, Double(number) / 10.1) }
    #expect(Self.answer(maker, 50, bell).status == .ready)
    for number in 0..<1000 {
      let answer = Self.ask(maker, Double(number) / 10.1)
      #expect(answer.status == .ready && answer.picture?.time == .zero)
    }
    #expect(control.times.count == 1)
  }

  /// Where places are unknown, answers tell them: between two equal ones lies the same picture.
  @Test func answersTellUnknownPlaces() {
    let (control, bell) = (Control(), Bell())
    let maker = Self.maker(control, starts: [0, 100], isVague: true, bell: bell)
    control.release(1000)
    for time in [10.0, 90, 150, 101] { #expect(Self.answer(maker, time, bell).status == .ready) }
    for time in stride(from: 10.0, through: 90, by: 1) {
      #expect(Self.ask(maker, time).picture?.time == .zero && Self.ask(maker, time).status == .ready)
    }
    #expect(Self.ask(maker, 120).picture?.time.seconds == 100)
    #expect(control.times.count == 3, "101 lies between what the picture stands for and 150")
    #expect(Self.ask(maker, 95).status == .coming, "it may be either")
  }

  @Test func theNearestStandsInUntilThePictureComes() {
    let (control, bell) = (Control(), Bell())
    let maker = Self.maker(control, starts: [0, 10, 20], bell: bell)
    control.release(1)
    #expect(Self.answer(maker, 0, bell).status == .ready)
    let coming = Self.ask(maker, 19)
    #expect(coming.status == .coming && coming.picture?.time == .zero)
    control.release(1)
    #expect(Self.answer(maker, 19, bell).picture?.time.seconds == 10)
  }

  @Test func asksCanBeTakenBack() {
    let (control, bell) = (Control(), Bell())
    let maker = Self.maker(control, starts: [0, 10, 20, 30], bell: bell)
    _ = Self.ask(maker, 0)
    control.waitUntilOneIsBegun()
    for time in [10.0, 20, 30] { _ = Self.ask(maker, time) }
    maker.cancel(at: MediaTime(seconds: 25))
    #expect(maker.askCount == 3)
    maker.cancelAll()
    #expect(maker.askCount == 1, "one is being served")
    _ = Self.ask(maker, 10)
    control.release(9)
    #expect(Self.answer(maker, 10, bell).status == .ready)
    #expect(control.times == [0, 10])
    #expect(Self.answer(maker, 0, bell).status == .ready)
  }

  /// A server that was out of order may give the picture later; a damaged one stays damaged.
  @Test func whatAServerDidNotGiveIsAskedForAgain() {
    for (kind, isAskedAgain) in [(Failure.Kind.input, true), (.media, false)] {
      var desk = ThumbnailDesk(byteLimit: 1 << 20)
      let (start, time) = (MonotonicTime.now, MediaTime(seconds: 3))
      func ask(after seconds: Double) -> Bool {
        desk.thumbnail(at: time, now: start.advanced(byMilliseconds: seconds * 1000)).isNew
      }
      #expect(ask(after: 0) && desk.next() == time)
      desk.answer(.failure(Failure(kind, "cannot load it", cause: "an outage")), at: time, now: start)
      #expect(!ask(after: 4))
      #expect(ask(after: 6) == isAskedAgain && desk.next() == (isAskedAgain ? time : nil), "\\(kind)")
    }
  }

  @Test func bytesAreBoundAndWhatIsGoneIsMadeAnew() {
    let (control, bell) = (Control(), Bell())
    let maker = Self.maker(control, starts: (0..<20).map(Double.init), byteLimit: 5 * 64, bell: bell)
    control.release(1000)
    for time in 0..<20 {
      #expect(Self.answer(maker, Double(time), bell).status == .ready)
      #expect(maker.byteCount <= 5 * 64)
    }
    #expect(control.times.count == 20)
    for time in 15..<20 { #expect(Self.ask(maker, Double(time)).status == .ready) }
    #expect(Self.answer(maker, 3, bell).picture?.time.seconds == 3)
    #expect(control.times.count == 21)
  }

  @Test func whatThereIsNoPictureOfIsToldAndNotTriedAgain() {
    let (control, bell) = (Control(), Bell())
    let maker = Self.maker(control, starts: [0, 10, 20], bad: [10], bell: bell)
    control.release(1000)
    for _ in 0..<3 {
      let answer = Self.answer(maker, 15, bell)
      guard case .missing(let failure) = answer.status else {
        Issue.record("\(answer)")
        return
      }
      #expect(answer.picture == nil && failure.cause == "it is bad")
    }
    #expect(control.times.count == 1)
    #expect(Self.answer(maker, 25, bell).status == .ready && maker.failure == nil)
  }

  @Test func aPictureLargerThanAllTheRoomIsToldMissing() {
    let (control, bell) = (Control(), Bell())
    let maker = Self.maker(control, starts: [0], byteLimit: 10, bell: bell)
    control.release(1000)
    for _ in 0..<3 {
      guard case .missing = Self.answer(maker, 0, bell).status else {
        Issue.record("it was held")
        return
      }
    }
    #expect(control.times.count == 1)
  }

  @Test func itStopsWhileMuchIsAskedFor() throws {
    let (control, bell, interruption) = (Control(), Bell(), Interruption())
    let maker = ThumbnailMaker(interruption: interruption, onChange: bell.ring) { () throws(Failure) in
      MadeUpThumbnails(control, starts: (0..<1000).map(Double.init))
    }
    bell.wait()
    for time in 0..<1000 { _ = Self.ask(maker, Double(time)) }
    #expect(maker.askCount <= 257, "old asks are dropped")
    control.waitUntilOneIsBegun()
    // A thread of its own: the pool's are all taken by tests.
    let stopping = try WorkerThread { maker.stop() }
    while !interruption.shouldStop { sched_yield() }
    // It is told to stop by now, and finishes the one that it makes.
    control.release(1)
    stopping.join()
    #expect(control.times.count == 1)
    #expect(Self.ask(maker, 5).status == .coming)
  }

  // MARK: - With clips

  @Test func aFileThatCannotBeOpenedIsToldForEveryTime() throws {
    let bell = Bell()
    let maker = ThumbnailMaker(track: "missing.vtt", onChange: bell.ring)
    for time in [0.0, 7] {
      guard case .missing(let failure) = Self.answer(maker, time, bell).status else {
        Issue.record("there is a picture")
        return
      }
      #expect(failure.kind == .input && failure == maker.failure)
    }
  }

  /// A thousand places in each group: one picture each, the one of its sync sample.
  @Test(arguments: ["mp4", "mkv", "ts"])
  func aClipsGroupsHaveAPictureEach(container: String) throws {
    let path = try SharedClips.synthetic("maker.\(container)") {
      $0.projection = .flat
      ($0.size, $0.frames, $0.gop, $0.noise) = (PictureSize(width: 640, height: 360), 48, 12, 0)
    }
    let judge = try ThumbnailJudge(path, size: PictureSize(width: 160, height: 90))
    let bell = Bell()
    let maker = ThumbnailMaker(of: try ProbedClip(path: path), onChange: bell.ring)
    var random = SeededGenerator(for: "aClipsGroupsHaveAPictureEach \(container)")
    for number in 0..<200 {
      let time = number == 0 ? 99 : Double.random(in: 0..<1.6, using: &random)
      let answer = Self.answer(maker, time, bell)
      let picture = try #require(answer.picture)
      let found = judge.nearest(to: picture, among: [0, 12, 24, 36])
      let wanted = min(3, Int((time / 0.4 - 1e-6).rounded())) * 12
      #expect(answer.status == .ready && found?.number == wanted, "\(time): \(String(describing: found))")
    }
    #expect(maker.byteCount == 4 * 160 * 90 * 4)
  }

  @Test func aTracksImagesServeAsWell() throws {
    try TestFolders.withTemporary { folder in
      var rgba: [UInt8] = []
      for pixel in 0..<400 {
        let red: Int = pixel % 40 / 10 * 60
        rgba += [UInt8(red), 0, 0, 255]
      }
      try writePNG(rgba: rgba, size: PictureSize(width: 40, height: 10), to: folder + "/s.png")
      let cues = (0..<4).map { (number: Int) -> ThumbnailTrack.Cue in
        ThumbnailTrack.Cue(
          start: MediaTime(seconds: Double(number)), end: MediaTime(seconds: Double(number + 1)), image: "s.png",
          region: .pixels(x: number * 10, y: 0, width: 10, height: 10))
      }
      try Data(ThumbnailTrack(cues).text.utf8).write(to: URL(filePath: folder + "/t.vtt"))
      let bell = Bell()
      let maker = ThumbnailMaker(track: folder + "/t.vtt", onChange: bell.ring)
      for number in [2, 0, 3, 1] {
        let answer = Self.answer(maker, Double(number) + 0.5, bell)
        #expect(answer.status == .ready && answer.picture?.rgba.first == UInt8(number * 60))
      }
    }
  }
}
