import Decode
import Frames
import Media
import Support
import Testing

/// Landings on every kind of clip, against a twin that decodes everything from the start; which frame it is, is read from
/// its picture.
@Suite(.tier(.test)) struct SeekLandingTests {
  private static let far = MediaTime(nanoseconds: .max)

  @Test(arguments: SeekClip.all)
  func theTwinSeesEveryFrame(clip: SeekClip) throws {
    let truth = try clip.truth()
    let first = try #require(truth.first).number
    #expect(truth.map(\.number) == Array(first..<SeekClip.frames))
    #expect(zip(truth, truth.dropFirst()).allSatisfy { $0.time < $1.time })
  }

  /// The first frame is had at once, and all others follow.
  @Test(arguments: zip(SeekClip.all, SeekClip.threads))
  func theFirstFrameComesBeforeAllOthersAreDecoded(clip: SeekClip, threads: Int) throws {
    let truth = try clip.truth()
    let reader = try clip.open(threads: threads)
    let first = try reader.first()
    #expect(first?.number(clip.specification) == truth.first?.number && first?.presentationTime == truth.first?.time)
    // An open group's first picture is kept back for those before it, and some packets do not tell what they hold.
    if !clip.hidesSyncSamples, !["open", "edit-list", "av1"].contains(where: clip.description.hasPrefix) {
      #expect(reader.framesDecoded == 1)
    }
    var rest: [Int?] = []
    while let frame = try reader.next() { rest.append(frame.number(clip.specification)) }
    #expect(rest == truth.dropFirst().map(\.number))
  }

  /// A walk along ordered pairs of frames: all of them in one clip, those of some frames in the others.
  private static func expectReached(_ clip: SeekClip, threads: Int, every step: Int) throws {
    let truth = try clip.truth()
    let reader = try clip.open(threads: threads)
    var random = SeededGenerator(for: "framesAreReachedFromEachOther \(clip) \(threads)")
    let nodes = Array(stride(from: 0, to: truth.count, by: clip.description == "pyramid.mp4" ? step / 4 : step))
    var wrong: [String] = []
    for a in nodes {
      for b in nodes {
        for index in [a, b] {
          let frame = truth[index]
          let time = frame.time(at: [0, 0.5, 1].randomElement(using: &random) ?? 0)
          let landed = try reader.seek(SeekRequest(target: time))
          if landed?.number(clip.specification) != frame.number || landed?.contains(time) != true {
            wrong.append("from \(a) to \(b): \(landed?.number(clip.specification) ?? -1) at \(time.seconds)")
          }
        }
        guard Int.random(in: 0..<8, using: &random) == 0 else { continue }
        let next = try reader.next()?.number(clip.specification)
        if next != (b + 1 < truth.count ? truth[b + 1].number : nil) { wrong.append("after \(b): \(next ?? -1)") }
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
    #expect(reader.framesLeftOut == 0, "what seeks do not decode was not asked to be left out")
  }

  @Test(arguments: zip(SeekClip.all, SeekClip.threads))
  func framesAreReachedFromEachOther(clip: SeekClip, threads: Int) throws {
    try Self.expectReached(clip, threads: threads, every: 10)
  }

  @Test(.tier(.full), arguments: SeekClip.all, [1, 2])
  func everyFrameIsReachedFromEachOther(clip: SeekClip, threads: Int) throws {
    try Self.expectReached(clip, threads: threads, every: 5)
  }

  private static func request(
    in truth: [TrueFrame], _ random: inout SeededGenerator, wide: Bool = true
  ) -> SeekRequest {
    let end = truth.last?.time.seconds ?? 0
    let tolerances = [0, 0.005, 0.04, 0.1, 0.5, wide ? 1e12 : 0.2]
    return SeekRequest(
      target: MediaTime(seconds: .random(in: -0.1...end + 0.2, using: &random)),
      toleranceBefore: MediaTime(seconds: tolerances.randomElement(using: &random) ?? 0),
      toleranceAfter: MediaTime(seconds: tolerances.randomElement(using: &random) ?? 0))
  }

  /// Sought on the way, with a second decoder beside the first: landings and what follows are the same.
  private static func expectRightOnTheWay(_ clip: SeekClip, threads: Int, count: Int) throws {
    let truth = try clip.truth()
    let reader = try clip.open(threads: threads, cacheBytes: 0)
    var random = SeededGenerator(for: "whatIsSoughtOnTheWayIsRightToo \(clip) \(threads)")
    var wrong: [String] = []
    for _ in 0..<count {
      var request = Self.request(in: truth, &random, wide: false)
      request.isOnTheWay = Int.random(in: 0..<4, using: &random) > 0
      let landed = try #require(try reader.seek(request))
      let index = truth.firstIndex { $0.number == landed.number(clip.specification) } ?? -1
      let inside = min(max(request.target, truth[0].time), truth[truth.count - 1].time)
      let isShown =
        index >= 0 && truth[index].time <= inside && (index + 1 == truth.count || truth[index + 1].time > inside)
      let meets = request.accepts(landed) || isShown
      if !clip.hidesSyncSamples, !meets { wrong.append("\(index) for \(request)") }
      guard Bool.random(using: &random) else { continue }
      let next = try reader.next()?.number(clip.specification)
      if index >= 0, next != (index + 1 < truth.count ? truth[index + 1].number : nil) {
        wrong.append("\(next ?? -1) after \(index)")
      }
    }
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5))")
  }

  @Test(arguments: zip(SeekClip.all, SeekClip.threads))
  func whatIsSoughtOnTheWayIsRightToo(clip: SeekClip, threads: Int) throws {
    try Self.expectRightOnTheWay(clip, threads: threads, count: 20)
  }

  @Test(.tier(.full), arguments: SeekClip.all, [1, 2])
  func muchThatIsSoughtOnTheWayIsRightToo(clip: SeekClip, threads: Int) throws {
    try Self.expectRightOnTheWay(clip, threads: threads, count: 60)
  }

  /// Where nothing is at hand it is the frame that the rule names.
  private static func expectTheRule(_ clip: SeekClip, threads: Int, count: Int) throws {
    let truth = try clip.truth()
    let reader = try clip.open(threads: threads)
    var random = SeededGenerator(for: "theRuleIsReadLiterally \(clip) \(threads)")
    for _ in 0..<count {
      try reader.rewind()
      let request = Self.request(in: truth, &random)
      let landed = try #require(try reader.seek(request))
      let expected = try #require(truth.landing(request))
      if !clip.hidesSyncSamples && !clip.guessesSyncSamples || request.isExact {
        #expect(landed.number(clip.specification) == expected.number, "\(request)")
      }
      #expect(landed.presentationTime == truth.first { $0.number == landed.number(clip.specification) }?.time)
    }
  }

  @Test(arguments: zip(SeekClip.all, SeekClip.threads))
  func theRuleIsReadLiterally(clip: SeekClip, threads: Int) throws {
    try Self.expectTheRule(clip, threads: threads, count: 12)
  }

  @Test(.tier(.full), arguments: SeekClip.all, [1, 2])
  func theRuleIsReadLiterallyOften(clip: SeekClip, threads: Int) throws {
    try Self.expectTheRule(clip, threads: threads, count: 40)
  }

  /// With any index: the landing is in the window, its picture is the one of its time, and the next follows on it.
  private static func expectWindows(_ clip: SeekClip, threads: Int, count: Int) throws {
    let truth = try clip.truth()
    var random = SeededGenerator(for: "windowsAreKept \(clip) \(threads)")
    let cacheBytes = [0, 100_000, 64 << 20].randomElement(using: &random) ?? 0
    let reader = try clip.open(threads: threads, cacheBytes: cacheBytes)
    let (first, last) = (try #require(truth.first), try #require(truth.last))
    for _ in 0..<count {
      let request = Self.request(in: truth, &random)
      let landed = try #require(try reader.seek(request))
      let index = try #require(truth.firstIndex { $0.number == landed.number(clip.specification) })
      #expect(landed.presentationTime == truth[index].time)
      if request.latest < first.time {
        #expect(index == 0)
      } else if request.earliest > last.time {
        #expect(index == truth.count - 1)
      } else {
        #expect(truth[index].time <= request.latest && truth[index].end > request.earliest, "\(request) on \(index)")
      }
      if request.isExact, request.target >= first.time {
        #expect(truth[index].time <= request.target && request.target < truth[index].end)
      }
      for step in 1...Int.random(in: 1...3, using: &random) {
        let next = try reader.next()?.number(clip.specification)
        #expect(next == (index + step < truth.count ? truth[index + step].number : nil), "\(step) after \(index)")
      }
    }
  }

  @Test(arguments: zip(SeekClip.all, SeekClip.threads))
  func windowsAreKept(clip: SeekClip, threads: Int) throws {
    try Self.expectWindows(clip, threads: threads, count: 30)
  }

  @Test(.tier(.full), arguments: SeekClip.all, [1, 2])
  func manyWindowsAreKept(clip: SeekClip, threads: Int) throws {
    try Self.expectWindows(clip, threads: threads, count: 120)
  }

  /// Any distance: the nearest sync sample, from whichever place, and as the only frame that is decoded.
  @Test(arguments: zip(SeekClip.all, SeekClip.threads).filter { !$0.0.hidesSyncSamples })
  func anyDistanceCostsOneFrame(clip: SeekClip, threads: Int) throws {
    let truth = try clip.truth()
    let reader = try clip.open(threads: threads)
    // Only sync samples are ever at hand.
    _ = try reader.seek(SeekRequest(target: .zero, toleranceBefore: Self.far, toleranceAfter: Self.far))
    var random = SeededGenerator(for: "anyDistanceCostsOneFrame \(clip) \(threads)")
    for _ in 0..<30 {
      let target = MediaTime(seconds: .random(in: 0...2.2, using: &random))
      let request = SeekRequest(target: target, toleranceBefore: Self.far, toleranceAfter: Self.far)
      let before = reader.framesDecoded
      let landed = try #require(try reader.seek(request))
      let nearest = try #require(truth.landing(request))
      // Of the frame that is at hand and shown at the target there is none nearer.
      if landed.contains(target) { continue }
      if clip.guessesSyncSamples {
        let distances = [landed.presentationTime, nearest.time].map { abs($0.nanoseconds - target.nanoseconds) }
        #expect(landed.isKeyFrame && distances[0] - distances[1] < 210_000_000, "\(distances)")
      } else {
        #expect(landed.number(clip.specification) == nearest.number)
      }
      guard clip.codec != "mpeg4" else { continue }
      #expect(reader.framesDecoded - before <= 1, "\(reader.framesDecoded - before) for \(target.seconds)")
    }
  }
}
