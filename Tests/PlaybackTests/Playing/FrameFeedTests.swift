import Decode
import Encode
import Foundation
import Frames
import Media
import Playback
import Support
import Testing

/// Frames decoded ahead on a thread: none lost, none too many.
@Suite(.tier(.test)) struct FrameFeedTests {
  private func feed(
    _ path: String, loadControl: LoadControl = LoadControl(), loops: Bool = false
  ) throws -> FrameFeed {
    let interruption = Interruption()
    return FrameFeed(
      reader: try FrameReader(path: path, interruption: interruption), interruption: interruption,
      loadControl: loadControl, loops: loops)
  }

  /// Takes and releases until there are so many frames, or no more.
  private func take(_ limit: Int, from feed: FrameFeed) -> (frames: [QueuedFrame], supply: FrameSupply) {
    var frames: [QueuedFrame] = []
    while true {
      feed.fill()
      let before = frames.count
      let supply = feed.drain { frames += $0.frame.map { [$0] } ?? [] }
      for _ in before..<frames.count { feed.release() }
      if supply != .flowing || frames.count >= limit { return (frames, supply) }
    }
  }

  @Test func framesComeInOrderAndThenTheEnd() throws {
    let (frames, supply) = take(1000, from: try feed(try SharedClips.many("mp4")))
    #expect(supply == .ended && frames.map(\.place.index) == Array(0..<64))
    #expect(frames.map(\.frame.index) == Array(0..<64))
    #expect(frames.allSatisfy { $0.place.time == $0.frame.presentationTime && $0.frame.timing.queued != nil })
    for (frame, next) in zip(frames, frames.dropFirst()) {
      #expect(abs((frame.place.end - next.place.time).nanoseconds) <= 1)
    }
  }

  @Test func framesCountUntilTheyAreReleased() throws {
    let feed = try feed(try SharedClips.many("mp4"), loadControl: LoadControl(frames: 5))
    func received() -> [Int] {
      var indices: [Int] = []
      feed.fill()
      #expect(feed.drain { indices += $0.frame.map { [$0.place.index] } ?? [] } == .flowing)
      return indices
    }
    #expect(received() == [0, 1, 2, 3, 4])
    #expect(received() == [], "they are held by the player")
    feed.release()
    #expect(received() == [5])
    feed.release()
    feed.release()
    #expect(received() == [6, 7])
  }

  /// 160 × 90 pixels of 4:2:0 take 21,600 bytes and what lies between their rows.
  @Test(arguments: [(1, 2), (21_600 * 2, 2), (1 << 30, 20)])
  func bytesAreLimitedToo(_ bytes: Int, _ count: Int) throws {
    let feed = try feed(try SharedClips.many("mp4"), loadControl: LoadControl(frames: 20, bytes: bytes))
    var received = 0
    feed.fill()
    _ = feed.drain { _ in received += 1 }
    #expect(received == count)
  }

  /// Thirty frames a second: a tenth of a second is three of them.
  @Test func mediaTimeIsLimitedToo() throws {
    let feed = try feed(
      try SharedClips.many("mp4"), loadControl: LoadControl(frames: 20, time: MediaTime(seconds: 0.0999)))
    var received = 0
    feed.fill()
    _ = feed.drain { _ in received += 1 }
    #expect(received == 3)
  }

  @Test func loopsGoOnWithoutAGap() throws {
    let (frames, supply) = take(200, from: try feed(try SharedClips.many("mp4"), loops: true))
    #expect(supply == .flowing && frames.map(\.place.index) == Array(0..<frames.count))
    for frame in frames {
      let turn = Double(frame.place.index / 64) * 64 / 30
      #expect(abs(frame.place.time.seconds - frame.frame.presentationTime.seconds - turn) < 1e-6)
      #expect(frame.frame.presentationTime == frames[frame.place.index % 64].frame.presentationTime)
    }
  }

  @Test func aFailureComesAfterTheFramesBeforeIt() throws {
    try TestFolders.withTemporary { folder in
      // The index comes first, and knows of all that is missing.
      let path = try SharedClips.ffmpeg(
        "index-first.mp4", ["-i", try SharedClips.many("mp4"), "-c", "copy", "-movflags", "+faststart"])
      let whole = try Data(contentsOf: URL(filePath: path))
      try whole.prefix(whole.count / 2).write(to: URL(filePath: folder + "/half.mp4"))
      let (frames, supply) = take(1000, from: try feed(folder + "/half.mp4", loops: true))
      guard case .failed(let failure) = supply else {
        Issue.record("it did not fail but \(supply)")
        return
      }
      let reader = try FrameReader(path: folder + "/half.mp4")
      var readable = 0
      while try reader.next() != nil { readable += 1 }
      #expect(failure.attempt.hasPrefix("cannot loop") && frames.count == readable && (10..<64).contains(readable))
      #expect(frames.map(\.place.index) == Array(0..<frames.count))
    }
  }

  @Test func whatIsLeftOutIsCounted() throws {
    let feed = try feed(try SharedClips.many("mp4"), loadControl: LoadControl(frames: 4))
    feed.fill()
    feed.request(.references)
    var (frames, supply) = take(20, from: feed)
    #expect(supply == .flowing && frames.count >= 20)
    feed.request(.everything)
    let rest = take(1000, from: feed)
    frames += rest.frames
    supply = rest.supply
    #expect(supply == .ended && frames.count + feed.framesLeftOut == 64 && feed.framesLeftOut > 0)
    #expect(frames.map(\.place.index) == Array(0..<frames.count))
    for (frame, next) in zip(frames, frames.dropFirst()) { #expect(frame.place.time < next.place.time) }
  }

  /// No frame comes after them that could bring their number along.
  @Test func whatIsLeftOutAtTheVeryEndIsCounted() throws {
    let reader = EarlyEnd(of: try FrameReader(path: try SharedClips.many("mp4")), after: 60, leavingOut: 4)
    let feed = FrameFeed(reader: reader, interruption: Interruption())
    let (frames, supply) = take(1000, from: feed)
    #expect(supply == .ended && frames.count == 60 && feed.framesLeftOut == 4)
  }

  /// Sent about at random while it decodes ahead: each landing is the one asked for last, what follows goes on from
  /// there, and every frame is handed over, left out or thrown away once.
  @Test func seeksLoseNoFrame() throws {
    var random = SeededGenerator(for: "seeksLoseNoFrame")
    let feed = try feed(try SharedClips.many("mp4"), loadControl: LoadControl(frames: 4))
    var (taken, index, last) = (0, -1, -1)
    var going: (id: Int, number: Int)?
    for round in 0..<300 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let number = Int.random(in: 0..<64, using: &random)
        going = (round, number)
        let request = SeekRequest(target: MediaTime(seconds: (Double(number) + 0.5) / 30))
        feed.go(.seek(request), id: round, waits: Bool.random(using: &random))
      case 1: feed.goOn()
      case 2: feed.fill()
      default: if going != nil { feed.wait() }
      }
      let supply = feed.drain { item in
        if case .landing(let landing) = item {
          #expect(landing.id == going?.id)
          last = (going?.number ?? 0) - 1
          going = nil
        } else {
          #expect(going == nil, "a frame from before the landing")
        }
        guard let frame = item.frame else { return }
        taken += 1
        let number = Int((frame.frame.presentationTime.seconds * 30).rounded())
        #expect(number == last + 1 && frame.place.index == index + 1)
        #expect(frame.place.time == frame.frame.presentationTime)
        (last, index) = (number, frame.place.index)
        feed.release()
      }
      #expect(supply == .flowing || last == 63)
    }
    #expect(taken > 100)
  }

  @Test func stoppingEndsItInEveryState() throws {
    let path = try SharedClips.many("mp4")
    for fills in [true, false] {
      let feed = try feed(path, loadControl: LoadControl(frames: 3), loops: true)
      if fills { feed.fill() }
      var frames: [QueuedFrame] = []
      _ = feed.drain { frames += $0.frame.map { [$0] } ?? [] }
      feed.stop()
      feed.stop()
      #expect(frames.allSatisfy { $0.frame.picture.planes[0].rows == 90 }, "frames outlive it")
      #expect(feed.drain { _ in Issue.record("nothing comes after it was stopped") } != .ended)
    }
    _ = try feed(path, loops: true)
  }
}

/// A reader whose clip ends with frames that are left out.
private final class EarlyEnd: FrameReading {
  private let reader: FrameReader
  private let count: Int
  private let leftOut: Int
  private var given = 0

  init(of reader: FrameReader, after count: Int, leavingOut leftOut: Int) {
    (self.reader, self.count, self.leftOut) = (reader, count, leftOut)
  }

  var framesLeftOut = 0
  var framesDecoded: Int { reader.framesDecoded }
  var prematureEnd: Failure? { nil }
  var skipsNonReferences = false

  func next() throws(Failure) -> VideoFrame? {
    guard given < count else {
      framesLeftOut = leftOut
      return nil
    }
    given += 1
    return try reader.next()
  }

  func first() throws(Failure) -> VideoFrame? { try next() }
  func rewind() throws(Failure) { try reader.rewind() }
  func seek(_ request: SeekRequest) throws(Failure) -> VideoFrame? { try reader.seek(request) }
  func previous(to time: MediaTime) throws(Failure) -> VideoFrame? { try reader.previous(to: time) }
  func leap(toSyncSampleAfter place: MediaTime) throws(Failure) { try reader.leap(toSyncSampleAfter: place) }
}
