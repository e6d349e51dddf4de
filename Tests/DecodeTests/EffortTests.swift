import Decode
import Encode
import Foundation
import Frames
import Media
import Support
import Testing

/// Decoding less: every frame is delivered as it should be, or counted.
@Suite(.tier(.test)) struct EffortTests {
  /// What a reader does at random, frame by frame, and what must hold for it.
  private struct Walk {
    let reader: FrameReader
    let syncSamples: [Int]
    var delivered: [Int] = []
    var mistakes: [String] = []
    /// Numbers that the frame after a leap may have.
    private var awaited: ClosedRange<Int>?

    init(_ reader: FrameReader, syncSamples: [Int]) {
      (self.reader, self.syncSamples) = (reader, syncSamples)
    }

    mutating func leap(to number: Int) throws {
      let last = delivered.last ?? -1
      if let next = syncSamples.first(where: { $0 >= number && $0 > last }) {
        awaited = next...next
      } else if last + 1 < EffortClip.frames {
        awaited = last + 1...EffortClip.frames - 1
      }
      // Half a frame early: a frame's own time is at or after it.
      try reader.leap(toSyncSampleAfter: MediaTime(seconds: (Double(number) - 0.5) / 30))
    }

    /// False at the end.
    mutating func step() throws -> Bool {
      guard let frame = try reader.next() else {
        // Where it stays, frames that were skipped may have been the last.
        if let awaited, awaited.count == 1, syncSamples.contains(awaited.lowerBound) {
          mistakes.append("no \(awaited)")
        }
        return false
      }
      let number = frame.trueNumber
      if number < 0 { mistakes.append("a wrong picture at \(frame.presentationTime.seconds)") }
      if number <= delivered.last ?? -1 { mistakes.append("\(number) after \(delivered.last ?? -1)") }
      if let awaited, !awaited.contains(number) { mistakes.append("\(number) instead of \(awaited)") }
      awaited = nil
      delivered.append(number)
      return true
    }
  }

  private static func expectDeliveredOrCounted(_ clip: EffortClip, threads: Int, passes: Int) throws {
    let syncSamples = try clip.syncSamples().map(\.number)
    var random = SeededGenerator(for: "everyFrameIsDeliveredOrCounted \(clip) \(threads)")
    let reader = try clip.reader(threads: threads)
    for pass in 0..<passes {
      let before = reader.framesLeftOut
      var walk = Walk(reader, syncSamples: syncSamples)
      var isAtEnd = false
      while !isAtEnd {
        if Int.random(in: 0..<5, using: &random) == 0 { reader.skipsNonReferences.toggle() }
        if Int.random(in: 0..<16, using: &random) == 0 {
          try walk.leap(to: max(0, (walk.delivered.last ?? 0) + .random(in: -10...30, using: &random)))
        }
        isAtEnd = try !walk.step()
      }
      #expect(walk.mistakes.isEmpty, "pass \(pass): \(walk.mistakes.prefix(4))")
      #expect(walk.delivered.count + reader.framesLeftOut - before == EffortClip.frames, "pass \(pass)")
      try reader.rewind()
    }
    #expect(reader.damagedPackets == 0)
  }

  @Test(arguments: zip(EffortClip.all, EffortClip.threads))
  func everyFrameIsDeliveredOrCounted(clip: EffortClip, threads: Int) throws {
    try Self.expectDeliveredOrCounted(clip, threads: threads, passes: 3)
  }

  @Test(.tier(.full), arguments: EffortClip.all, [1, 2])
  func everyFrameOfManyPassesIsDeliveredOrCounted(clip: EffortClip, threads: Int) throws {
    try Self.expectDeliveredOrCounted(clip, threads: threads, passes: 12)
  }

  @Test(arguments: zip(EffortClip.all, EffortClip.threads))
  func whatIsLeftChangesByNoSample(clip: EffortClip, threads: Int) throws {
    let all = try clip.reader().allFrames()
    let reader = try clip.reader(threads: threads)
    reader.skipsNonReferences = true
    let frames = try reader.allFrames()
    for frame in frames {
      #expect(frame.trueNumber >= 0 && frame.packedBytes == all[frame.trueNumber].packedBytes)
    }
    #expect(frames.count + reader.framesLeftOut == EffortClip.frames)
    let canSkip = ["h264", "hevc", "mpeg4", "mpeg2"].contains(clip.codec)
    #expect(canSkip ? reader.framesLeftOut > 30 : reader.framesLeftOut == 0, "\(reader.framesLeftOut) left out")
    reader.skipsNonReferences = false
    let left = reader.framesLeftOut
    try reader.rewind()
    #expect(try reader.allFrames().count == EffortClip.frames && reader.framesLeftOut == left)
  }

  private static func expectLandings(_ clip: EffortClip, threads: Int, every step: Int) throws {
    let syncSamples = try clip.syncSamples()
    #expect(syncSamples.count > 4)
    let far = syncSamples.filter { $0.number > 8 }
    for index in stride(from: 0, to: far.count, by: step) {
      let sync = far[index]
      let reader = try clip.reader(threads: threads)
      for _ in 0..<5 { _ = try reader.next() }
      try reader.leap(toSyncSampleAfter: sync.time)
      let frames = try reader.allFrames()
      #expect(frames.map(\.trueNumber) == Array(sync.number..<EffortClip.frames))
      #expect(frames.first?.isKeyFrame == true && frames.first?.index == 5)
      #expect(reader.framesLeftOut == sync.number - 5)
    }
  }

  @Test(arguments: zip(EffortClip.all, EffortClip.threads))
  func leapsLandOnSyncSamples(clip: EffortClip, threads: Int) throws {
    try Self.expectLandings(clip, threads: threads, every: 3)
  }

  @Test(.tier(.full), arguments: EffortClip.all, [1, 2])
  func leapsLandOnEverySyncSample(clip: EffortClip, threads: Int) throws {
    try Self.expectLandings(clip, threads: threads, every: 1)
  }

  /// Where there is no such sync sample: on to the last one, and from there nowhere.
  @Test(arguments: EffortClip.closed)
  func leapsPastTheEndStay(clip: EffortClip) throws {
    let last = try #require(try clip.syncSamples().last).number
    let reader = try clip.reader()
    let end = MediaTime(seconds: 100)
    #expect(try reader.next()?.trueNumber == 0)
    try reader.leap(toSyncSampleAfter: end)
    #expect(try reader.next()?.trueNumber == last && reader.framesLeftOut == last - 1)
    try reader.leap(toSyncSampleAfter: end)
    try reader.leap(toSyncSampleAfter: .zero)
    #expect(try reader.allFrames().map(\.trueNumber) == Array(last + 1..<EffortClip.frames))
    try reader.leap(toSyncSampleAfter: end)
    #expect(try reader.next() == nil && reader.framesLeftOut == last - 1)
    try reader.rewind()
    #expect(try reader.allFrames().count == EffortClip.frames && reader.framesLeftOut == last - 1)
  }

  /// Packets that a leap has read ahead are not those of the clip's start.
  @Test(arguments: EffortClip.closed)
  func whatWasReadAheadIsForgottenOnTheWayBack(clip: EffortClip) throws {
    let reader = try clip.reader()
    for place in [MediaTime(seconds: 1), MediaTime(seconds: 100)] {
      try reader.leap(toSyncSampleAfter: place)
      try reader.rewind()
      #expect(try reader.allFrames().map(\.trueNumber) == Array(0..<EffortClip.frames), "\(place)")
      try reader.rewind()
    }
  }

  /// Real encoders' clips, and one of VP8 whose later frames go on with the segments of one that no frame refers to.
  private static func expectTheirPictures(_ clips: [MediaIndex.Clip]) throws {
    let media = try #require(TestFolders.media)
    let small = clips.filter { $0.byteCount < 15_000 && $0.name.hasSuffix(".mp4") }.map { media + "/" + $0.name }
    let segments = TestFolders.clip("debian+firefox-esr-140.12.0esr/dom/media/test/bug1535980.webm")
    var left = 0
    for path in small + [segments].compactMap({ $0 }) {
      guard let whole = try? FrameReader(path: path, options: DecoderOptions(threads: 1)),
        let all = try? whole.allFrames(), whole.damagedPackets == 0
      else { continue }
      let reader = try FrameReader(path: path, options: DecoderOptions(threads: 1))
      reader.skipsNonReferences = true
      let frames = try reader.allFrames()
      #expect(frames.count + reader.framesLeftOut == all.count, "\(path)")
      let wrong = frames.filter { frame in
        !all.contains { $0.presentationTime == frame.presentationTime && $0.packedBytes == frame.packedBytes }
      }
      #expect(wrong.isEmpty, "\(path) at \(wrong.map(\.presentationTime.seconds))")
      left += reader.framesLeftOut
    }
    #expect(left > 0)
  }

  @Test(.enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
  func realClipsKeepTheirPictures() throws { try Self.expectTheirPictures(MediaIndex.sample) }

  @Test(.tier(.full), .enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
  func allRealClipsKeepTheirPictures() throws { try Self.expectTheirPictures(MediaIndex.clips) }

  @Test func leapsGoOnFromSeeks() throws {
    let clip = EffortClip(codec: "h264", container: "mkv")
    let reader = try clip.reader()
    // Between two frames, for the clock is coarse: the one after it has been read and is kept.
    let gap = SeekRequest(target: MediaTime(seconds: 0.6665))
    #expect(try reader.seek(gap)?.trueNumber == 19)
    try reader.leap(toSyncSampleAfter: MediaTime(seconds: 30 / 30))
    #expect(try reader.next()?.trueNumber == 36 && reader.framesLeftOut == 16)
    _ = try reader.seek(SeekRequest(target: .zero))
    #expect(try reader.next()?.trueNumber == 1 && reader.framesLeftOut == 16)
  }

  /// The remaining frames would have no known place: all are decoded, and leaps count frames.
  @Test(arguments: [1, 2])
  func withoutTimeStampsFramesAreCounted(threads: Int) throws {
    let clip = EffortClip(codec: "h264", container: "h264")
    let reader = try clip.reader(threads: threads)
    reader.skipsNonReferences = true
    let rate = try #require(reader.info.video.frameRate.value)
    for number in 0..<7 { #expect(try reader.next()?.number(EffortClip.specification) == number) }
    try reader.leap(toSyncSampleAfter: MediaTime(seconds: 29.5 / rate))
    for number in 36..<40 {
      let frame = try #require(try reader.next())
      #expect(frame.number(EffortClip.specification) == number)
      #expect(Int((frame.presentationTime.seconds * rate).rounded()) == number)
    }
    try reader.leap(toSyncSampleAfter: MediaTime(seconds: 59.5 / rate))
    let rest = try reader.allFrames()
    #expect(rest.map { $0.number(EffortClip.specification) } == (60..<96).map { $0 })
    #expect(rest.map { Int(($0.presentationTime.seconds * rate).rounded()) } == Array(60..<96))
    #expect(reader.framesLeftOut == 36 - 7 + 60 - 40)
  }

  /// Where two clips were put behind each other stamps go back; what comes late is not left out.
  @Test(arguments: [1, 2])
  func stampsThatGoBackAreNoLoss(threads: Int) throws {
    let once = try Data(contentsOf: URL(filePath: try EffortClip(codec: "h264", container: "ts").path()))
    let path = try SharedClips.file("twice.ts") { path in
      try (once + once).write(to: URL(filePath: path))
    }
    let reader = try FrameReader(path: path, options: DecoderOptions(threads: threads))
    let all = try reader.allFrames().count
    for skips in [true, false] {
      try reader.rewind()
      let left = reader.framesLeftOut
      reader.skipsNonReferences = skips
      #expect(try reader.allFrames().count + reader.framesLeftOut - left == all)
      #expect((reader.framesLeftOut > left) == skips)
    }
  }

  private static func expectEnd(ofDamaged clips: [EffortClip], rounds: Range<Int>) throws {
    var random = SeededGenerator(for: "damageIsNoEndlessLoop")
    for clip in clips where clip.codec != "mjpeg" {
      let whole = try Data(contentsOf: URL(filePath: try clip.path()))
      for round in rounds {
        var data = round % 4 == 0 ? whole.prefix(Int.random(in: 1000..<whole.count, using: &random)) : whole
        for _ in 0..<round * 4 {
          data[Int.random(in: 400..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        try TestFolders.withTemporary { folder in
          let path = folder + "/broken." + clip.container
          try data.write(to: URL(filePath: path))
          _ = failure {
            let reader = try FrameReader(path: path, options: DecoderOptions(threads: 1 + round % 2))
            var count = 0
            while count < 1000, let frame = try reader.next() {
              count += 1
              if count % 3 == 0 { reader.skipsNonReferences.toggle() }
              if count % 7 == 0 {
                try reader.leap(toSyncSampleAfter: frame.presentationTime + MediaTime(seconds: 0.2))
              }
            }
            #expect(
              count < 1000 && reader.framesLeftOut >= 0 && count + reader.framesLeftOut < 1000, "\(clip) \(round)")
          }
        }
      }
    }
  }

  @Test func damageIsNoEndlessLoop() throws {
    try Self.expectEnd(ofDamaged: EffortClip.closed, rounds: 3..<5)
  }

  @Test(.tier(.full)) func muchDamageIsNoEndlessLoop() throws {
    try Self.expectEnd(ofDamaged: EffortClip.all, rounds: 0..<16)
  }
}
