import Foundation
import Frames
import Host
import Playback
import Run
import Support
import Testing
import Verdict

/// What hands do: made from a seed, and of the shape that its name says.
@Suite struct ScrubPatternTests {
  private static let drags = ScrubPattern.allCases.filter { $0.kind == .drag }

  @Test func placesLieInTheClipAndFollowFromTheSeed() {
    var random = SeededGenerator(for: "placesLieInTheClipAndFollowFromTheSeed")
    for _ in 0..<200 {
      let seed = UInt64.random(in: 0...UInt64.max, using: &random)
      let last = MediaTime(nanoseconds: Int64.random(in: 0...10_000_000_000_000, using: &random))
      let places = ScrubPattern.places(24, last: last, seed: seed)
      #expect(places.count == 24 && places.allSatisfy { $0 >= .zero && $0 <= last })
      #expect(places == ScrubPattern.places(24, last: last, seed: seed))
      // A longer trial goes on where a shorter one ends.
      #expect(Array(places.prefix(7)) == ScrubPattern.places(7, last: last, seed: seed))
      if last.seconds > 1 { #expect(places != ScrubPattern.places(24, last: last, seed: seed &+ 1)) }
    }
  }

  /// 1000 places in tenths of a clip: 100 each, give or take five standard deviations of 9.5.
  @Test func placesAreSpreadEvenly() {
    let places = ScrubPattern.places(1000, last: MediaTime(seconds: 10), seed: 1)
    let counts = Dictionary(grouping: places) { Int($0.seconds) }.mapValues(\.count)
    #expect(counts.count == 10 && counts.values.allSatisfy { (53...147).contains($0) }, "\(counts)")
  }

  @Test(arguments: drags)
  func handsStayOnTheSliderAndFollowFromTheSeed(pattern: ScrubPattern) {
    var random = SeededGenerator(for: "handsStayOnTheSliderAndFollowFromTheSeed")
    for _ in 0..<100 {
      let seed = UInt64.random(in: 0...UInt64.max, using: &random)
      let (count, width) = (Int.random(in: 30...400, using: &random), Int.random(in: 2...4000, using: &random))
      let pixels = pattern.pixels(count, width: width, seed: seed)
      #expect(pixels.count == count && pixels.allSatisfy { (0..<width).contains($0) })
      #expect(pixels == pattern.pixels(count, width: width, seed: seed))
      // From one end nearly to the other, on the way or at its end.
      let way = (pixels.max() ?? 0) - (pixels.min() ?? 0)
      #expect(Double(way) >= 0.8 * Double(width - 1) - 1, "\(way) of \(width)")
    }
  }

  @Test(arguments: [1, 2, 3, 99])
  func handsGoWhereTheirNameSays(seed: UInt64) {
    func steps(_ pattern: ScrubPattern) -> [Int] {
      let pixels = pattern.pixels(240, width: 1280, seed: seed)
      return zip(pixels, pixels.dropFirst()).map { $1 - $0 }
    }
    #expect(steps(.dragForward).allSatisfy { $0 >= 0 } && steps(.dragBack).allSatisfy { $0 <= 0 })
    let turns = steps(.pingPong).filter { $0 != 0 }.map { $0.signum() }
    #expect(zip(turns, turns.dropFirst()).count { $0 != $1 } == 2 && turns.first == 1 && turns.last == 1)
    let fling = steps(.fling)
    // Slower and slower, but for rounding to pixels, then at rest for a quarter of the time.
    #expect(fling.allSatisfy { $0 >= 0 } && zip(fling, fling.dropFirst()).allSatisfy { $1 <= $0 + 1 })
    #expect((fling.first ?? 0) > 20 && fling.suffix(59).allSatisfy { $0 == 0 })
  }

  @Test func whatIsNoDragHasNoHand() {
    for pattern in ScrubPattern.allCases where pattern.kind != .drag {
      #expect(pattern.pixels(10, width: 100, seed: 1).isEmpty)
    }
    #expect(ScrubPattern.dragBack.pixels(0, width: 100, seed: 1).isEmpty)
  }
}

@Suite struct ScrubVariantTests {
  @Test func everyVariantHasANameOfItsOwn() {
    let names = ScrubVariant.all.map(\.name)
    #expect(Set(names).count == names.count)
    for variant in ScrubVariant.all { #expect(ScrubVariant(name: variant.name) == variant) }
    for name in ["random/exact", "drag-back/half-pixel/long", "ping-pong/0.1s", "fling/infinite", "step-back/exact"] {
      #expect(names.contains(name))
    }
    for name in ["", "random", "random/", "random/2s", "step-back/1s", "random/exact/", "random/exact/longer"] {
      #expect(ScrubVariant(name: name) == nil, "\(name)")
    }
    #expect(Set(ScrubVariant.usual).isSubset(of: ScrubVariant.all) && ScrubVariant.usual.count <= 8)
  }

  @Test func tolerancesAreWhatTheirNamesSay() {
    let slider = ScrubSlider(duration: MediaTime(seconds: 600), width: 1280)
    let times = ScrubVariant.Tolerance.allCases.map { $0.time(on: slider) }
    #expect(times == [0, 0.234375, 0.1, 1, .infinity].map { MediaTime(seconds: $0) } + [nil])
  }

  @Test(
    arguments: [
      (10, 60), (9.99, 61), (119.9, 6), (1, 600), (120, nil), (7200, nil), (0, nil), (-1, nil), (nil, nil),
    ] as [(Double?, Int?)])
  func shortClipsAreRepeatedForTenMinutes(seconds: Double?, times: Int?) {
    #expect(ScrubVariant.repetitions(ofSeconds: seconds) == times)
  }
}

@Suite struct JobTests {
  private static func titles(_ names: String...) throws -> [String] { try Scenarios.jobs(named: names).map(\.title) }

  @Test func aNameMeansAScenarioOrOneOfItsVariants() throws {
    #expect(try Self.titles("decode") == ["decode"])
    #expect(try Self.titles("startup") == ["startup/warm", "startup/cold", "startup/no-pipeline-cache"])
    #expect(
      try Self.titles("upload/copy", "decode", "upload") == ["upload/copy", "decode", "upload/direct", "upload/staged"])
    #expect(try Self.titles("scrub/fling/1s/long") == ["scrub/fling/1s/long"], "though it is none of the usual ones")
    #expect(try Self.titles("scrub") == ScrubVariant.usual.map { "scrub/\($0.name)" })
  }

  @Test(arguments: [
    ("nonsense", "decode"), ("scrub/random", "scrub/random/exact"), ("decode/fast", "without a variant"),
    ("", "startup"),
    ("startup/", "startup/cold"), ("nonsense/warm", "decode"),
  ])
  func othersAreRefusedWithWhatThereIs(name: String, word: String) {
    let failure = #expect(throws: Failure.self) { try Scenarios.jobs(named: [name]) }
    #expect(failure?.kind == .usage && failure?.remedy?.contains(word) == true, "\(failure as Any)")
  }

  @Test func usualVariantsAreThereAndEverySuiteCanRun() throws {
    for scenario in Scenario.runnable {
      #expect(Set(scenario.usualVariants).isSubset(of: scenario.variants) && !scenario.usualVariants.isEmpty)
    }
    for suite in Suite.allCases { #expect(try !Scenarios.jobs(named: suite.scenarios).isEmpty) }
  }
}

@Suite struct PageCacheTests {
  private static func share(_ path: String) throws -> Double? {
    let file = try FileHandle(forReadingFrom: URL(filePath: path))
    return PageCache.residentShare(file.fileDescriptor)
  }

  @Test func aFileIsLetGoOfOrItIsSaidThatItWasNot() throws {
    try TestFolders.withTemporary { folder in
      let path = folder + "/file"
      try Data(repeating: 7, count: 1 << 20).write(to: URL(filePath: path))
      #expect(try Self.share(path) == 1, "just written, so in memory")
      let dropping = PageCache.drop(path)
      #expect(try dropping.left == Self.share(path) && dropping.obstacle == nil)
      let left = try #require(dropping.left)
      #expect(dropping.reason.contains(left < 0.01 ? "let go" : "stayed in the page cache"), "\(left)")
    }
  }

  /// A file system in memory has nowhere to read the file from again.
  @Test(.enabled("there is no /dev/shm") { FileManager.default.isWritableFile(atPath: "/dev/shm") })
  func whatLivesInMemoryStaysThere() throws {
    let path = "/dev/shm/bench360-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(repeating: 7, count: 1 << 20).write(to: URL(filePath: path))
    #expect(PageCache.drop(path).reason.hasPrefix("100 % of the input stayed in the page cache"))
  }

  @Test func whatIsNoFileIsNamed() {
    #expect(PageCache.drop("http://localhost/x.mp4").reason.contains("not a file that can be opened"))
  }
}
