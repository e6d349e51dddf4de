import Decode
import Frames
import Media
import Support
import Testing

/// Steps of one frame, back and on, and what they cost.
@Suite(.tier(.test)) struct SeekStepTests {
  private static let rooms = [0, 150_000, 64 << 20]

  private static func expectStepsBack(_ clip: SeekClip, cacheBytes: Int) throws {
    let truth = try clip.truth()
    let reader = try clip.open(cacheBytes: cacheBytes)
    #expect(try reader.previous() == nil, "nothing was delivered yet")
    while try reader.next() != nil {}
    for frame in truth.dropLast().reversed() {
      #expect(try reader.previous()?.number(clip.specification) == frame.number)
    }
    for _ in 0..<2 { #expect(try reader.previous() == nil, "it was the first") }
    #expect(try reader.next()?.number(clip.specification) == truth[1].number)
    #expect(try reader.previous()?.number(clip.specification) == truth[0].number)
    #expect(try reader.allFrames().map { $0.number(clip.specification) } == truth.dropFirst().map(\.number))
  }

  /// With no room, little, and enough for all frames, by turns.
  @Test(arguments: SeekClip.all.indices)
  func everyFrameIsSteppedBackTo(clip number: Int) throws {
    try Self.expectStepsBack(SeekClip.all[number], cacheBytes: Self.rooms[number % 3])
  }

  @Test(.tier(.full), arguments: SeekClip.all, rooms)
  func everyFrameIsSteppedBackToWithAnyRoom(clip: SeekClip, cacheBytes: Int) throws {
    try Self.expectStepsBack(clip, cacheBytes: cacheBytes)
  }

  /// Steps, seeks and leaps at random against a number that moves.
  private static func expectWalks(_ clip: SeekClip, threads: Int, steps: Int) throws {
    let truth = try clip.truth()
    var random = SeededGenerator(for: "walksFollowTheirTwin \(clip) \(threads)")
    for cacheBytes in [0, 100_000, 64 << 20] {
      let reader = try clip.open(threads: threads, cacheBytes: cacheBytes)
      var at = try #require(try reader.next()).number(clip.specification).map { $0 - truth[0].number } ?? -1
      var trail: [Int] = []
      for _ in 0..<steps {
        let landed: VideoFrame?
        var expected: Int?
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
          expected = Int.random(in: truth.indices, using: &random)
          landed = try reader.seek(SeekRequest(target: truth[expected ?? 0].time(at: 0.5)))
        case 1...4:
          expected = at > 0 ? at - 1 : nil
          landed = try reader.previous()
        default:
          expected = at + 1 < truth.count ? at + 1 : nil
          landed = try reader.next()
        }
        trail.append(expected ?? -1)
        guard landed?.number(clip.specification) == expected.map({ truth[$0].number }) else {
          Issue.record("\(landed?.number(clip.specification) ?? -1) at the end of \(trail.suffix(8)), \(cacheBytes)")
          break
        }
        if let landed, let expected { #expect(landed.presentationTime == truth[expected].time) }
        at = expected ?? at
      }
    }
  }

  @Test(arguments: zip(SeekClip.all, SeekClip.threads))
  func walksFollowTheirTwin(clip: SeekClip, threads: Int) throws {
    try Self.expectWalks(clip, threads: threads, steps: 40)
  }

  @Test(.tier(.full), arguments: SeekClip.all, [1, 2])
  func longWalksFollowTheirTwin(clip: SeekClip, threads: Int) throws {
    try Self.expectWalks(clip, threads: threads, steps: 150)
  }

  /// All of a group is decoded once, whichever way it is stepped through, where there is room for it.
  @Test(arguments: [1, 2])
  func aGroupIsDecodedOnce(threads: Int) throws {
    let clip = try #require(SeekClip.all.first { $0.description == "gop-60.mp4" })
    let reader = try clip.open(threads: threads)
    let truth = try clip.truth()
    _ = try reader.seek(SeekRequest(target: truth[50].time))
    let before = reader.framesDecoded
    for number in (0..<50).reversed() { #expect(try reader.previous()?.number(clip.specification) == number) }
    #expect(reader.framesDecoded - before <= 50 + 8, "\(reader.framesDecoded - before) decoded")
    let back = reader.framesDecoded
    for number in 1..<50 { #expect(try reader.next()?.number(clip.specification) == number) }
    for number in [12, 40, 3] {
      #expect(try reader.seek(SeekRequest(target: truth[number].time(at: 0.4)))?.number(clip.specification) == number)
    }
    #expect(reader.framesDecoded == back, "all of them are at hand")
  }

  /// Room for ten frames: the group is decoded again with every tenth step, and not more is held.
  @Test func roomIsKept() throws {
    let clip = try #require(SeekClip.all.first { $0.description == "gop-60.mp4" })
    let frame = try #require(try clip.open().next())
    let bytes = frame.picture.planes.reduce(0) { $0 + $1.bytesPerRow * $1.rows }
    let allocator = HostAllocator(extraPitch: 0)
    do {
      let reader = try FrameReader(
        path: try clip.path(), options: DecoderOptions(threads: 1, cacheBytes: 10 * bytes), allocator: allocator)
      let truth = try clip.truth()
      _ = try reader.seek(SeekRequest(target: truth[55].time))
      var misses = 0
      for number in (0..<55).reversed() {
        let before = reader.framesDecoded
        #expect(try reader.previous()?.number(clip.specification) == number)
        if reader.framesDecoded > before { misses += 1 }
        // Ten, the one that is shown, and what H.264 itself holds.
        #expect(allocator.books.lent - allocator.books.released <= 10 + 1 + 16)
      }
      #expect(misses >= 5 && misses <= 8, "\(misses)")
    }
    #expect(allocator.books.lent == allocator.books.released && allocator.books.releasedTwice == 0)
  }

  /// Playing holds nothing; playing on from a seek holds what is sought until it has gone by.
  @Test func playingHoldsNothing() throws {
    let clip = try #require(SeekClip.all.first { $0.description == "gop-60.mp4" })
    let allocator = HostAllocator()
    let reader = try FrameReader(
      path: try clip.path(), options: DecoderOptions(threads: 1, cacheBytes: 300_000), allocator: allocator)
    var most = 0
    for _ in 0..<20 {
      _ = try reader.next()
      most = max(most, allocator.books.lent - allocator.books.released)
    }
    _ = try reader.seek(SeekRequest(target: MediaTime(seconds: 0.5)))
    for _ in 0..<40 { _ = try reader.next() }
    #expect(allocator.books.lent - allocator.books.released <= most, "as many as before")
  }

  /// Non-references before the target are left out: two of three B-frames, for the middle one is referred to.
  @Test(arguments: ["gop-60.mp4", "gop-60.ts"])
  func invisibleFramesAreNotDecoded(name: String) throws {
    let clip = try #require(SeekClip.all.first { $0.description == name })
    let truth = try clip.truth()
    let reader = try clip.open()
    for number in [41, 52, 59, 33] {
      try reader.rewind()
      _ = try reader.seek(SeekRequest(target: .zero))
      try reader.rewind()
      let before = reader.framesDecoded
      #expect(try reader.seek(SeekRequest(target: truth[number].time))?.number(clip.specification) == number)
      let decoded = reader.framesDecoded - before
      #expect(decoded <= number / 2 + 6, "\(decoded) for \(number)")
      #expect(try reader.next()?.number(clip.specification) == number + 1)
    }
  }

  /// A target a little ahead is decoded on to; one far ahead, in another group, is not.
  @Test func decodingGoesOnWhereThatIsCheaper() throws {
    let clip = try #require(SeekClip.all.first { $0.description == "gop-250.mp4" })
    let truth = try clip.truth()
    let reader = try clip.open()
    _ = try reader.seek(SeekRequest(target: truth[20].time))
    let before = reader.framesDecoded
    for number in 21..<60 {
      #expect(try reader.seek(SeekRequest(target: truth[number].time(at: 0.3)))?.number(clip.specification) == number)
    }
    #expect(reader.framesDecoded - before <= 39 + 8, "each frame once: \(reader.framesDecoded - before)")
    let short = try #require(SeekClip.all.first { $0.description == "gop-12.mp4" })
    let other = try short.open()
    _ = try other.seek(SeekRequest(target: truth[1].time))
    let start = other.framesDecoded
    #expect(try other.seek(SeekRequest(target: truth[61].time))?.number(short.specification) == 61)
    #expect(other.framesDecoded - start <= 8)
  }

  /// With non-references left out, seeks are exact nevertheless, and the count holds.
  @Test func seeksAreExactWithFramesLeftOut() throws {
    let clip = try #require(SeekClip.all.first { $0.description == "gop-12.mp4" })
    let truth = try clip.truth()
    for threads in [1, 2] {
      let reader = try clip.open(threads: threads)
      reader.skipsNonReferences = true
      for number in [30, 31, 33, 35, 2, 1, 63, 62] {
        #expect(try reader.seek(SeekRequest(target: truth[number].time))?.number(clip.specification) == number)
      }
      let left = reader.framesLeftOut
      try reader.rewind()
      let frames = try reader.allFrames().count
      #expect(frames < SeekClip.frames && frames + reader.framesLeftOut - left == SeekClip.frames)
    }
  }

  /// Leaps go on from what a seek has decoded alone, or ahead.
  @Test func leapsGoOnFromStepsAndSyncSamples() throws {
    let clip = try #require(SeekClip.all.first { $0.description == "gop-12.mp4" })
    let truth = try clip.truth()
    let far = MediaTime(nanoseconds: .max)
    for threads in [1, 2] {
      let reader = try clip.open(threads: threads)
      _ = try reader.seek(SeekRequest(target: truth[13].time, toleranceBefore: far, toleranceAfter: far))
      try reader.leap(toSyncSampleAfter: truth[40].time)
      #expect(try reader.next()?.number(clip.specification) == 48)
      #expect(reader.framesLeftOut == 48 - 13)
      for number in [47, 46, 45] { #expect(try reader.previous()?.number(clip.specification) == number) }
      try reader.leap(toSyncSampleAfter: truth[46].time)
      #expect(try reader.next()?.number(clip.specification) == 48)
      #expect(reader.framesLeftOut == 48 - 13 + 2)
      #expect(try reader.next()?.number(clip.specification) == 49)
    }
  }
}
