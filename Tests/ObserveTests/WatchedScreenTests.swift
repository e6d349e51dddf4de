import Foundation
import Frames
import Host
import Support
import TestPicture
import Testing
import Verdict

import Observe

/// Tests that start processes, one after the other: at the end of a watched program all child processes end that were started meanwhile.
@Suite(.tier(.test), .serialized) struct ProcessTests {}

extension ProcessTests {
  /// A player with planted faults on a real X server: what it did and when is in its own log.
  @Suite(.enabled("there is no Xvfb") { VirtualDisplay.isAvailable })
  struct WatchedScreenTests {
    private static let size = PictureSize(width: 640, height: 360)
    private static let clip = ObservedMeasures.Clip(frames: 1_000_000, rate: 24)
    private static let player = TestFolders.products + "/PlantedPlayer"

    /// One painting of the schedule.
    private struct Step {
      var time: Double
      var number: Int
      var tiles = 0...8
    }

    /// A painting of the player, and the span of time in which the server carried it out.
    private struct Done {
      var number: Int
      var isWhole: Bool
      var began: MonotonicTime
      var end: MonotonicTime
    }

    private func watch(_ steps: [Step]) throws -> (result: Observation.Result, done: [Done]) {
      try TestFolders.withTemporary { folder in
        let lines = steps.map { "\($0.time) \($0.number) \($0.tiles.lowerBound) \($0.tiles.upperBound)\n" }
        try Data(lines.joined().utf8).write(to: URL(filePath: folder + "/schedule"))
        let observation = Observation(
          player: ObservedPlayer(command: [Self.player, folder + "/schedule", folder + "/log", "{}"]),
          input: "clip.mp4",
          clip: Self.clip, screen: try XvfbScreen(size: Self.size), graceSeconds: 60)
        let result = try observation.run { _ in }
        let log = try String(contentsOfFile: folder + "/log", encoding: .utf8)
        let done = try log.split(separator: "\n").map { line in
          let words = line.split(separator: " ").compactMap { Int64($0) }
          try #require(words.count == 5)
          return Done(
            number: Int(words[0]), isWhole: words[1] == 0 && words[2] == 8, began: MonotonicTime(nanoseconds: words[3]),
            end: MonotonicTime(nanoseconds: words[4]))
        }
        return (result, done)
      }
    }

    @Test func whatThePlayerDidIsSeen() throws {
      var generator = SeededGenerator(for: #function)
      let count = Tier.selected == .full ? 3000 : 100
      let period = 1000.0 / Self.clip.rate
      var steps: [Step] = []
      var time = 0.0
      for number in 0..<count {
        switch (3..<count - 3).contains(number) ? Int.random(in: 0..<12, using: &generator) : 11 {
        case 0: break
        case 1: steps.append(Step(time: time, number: number, tiles: 0...Int.random(in: 0...7, using: &generator)))
        case 2: steps.append(Step(time: time + Double.random(in: 1..<12, using: &generator), number: number))
        case 3:
          steps.append(Step(time: time, number: number))
          time += 300
        default: steps.append(Step(time: time, number: number))
        }
        time += period
      }
      let (result, done) = try watch(steps)
      // Where the machine held the sampler up for longer than a frame stays, the record says so, and frames may be missing.
      guard result.longestGap < 15 else {
        #expect(result.isCoarse)
        return
      }
      let timeline = try #require(result.timeline)
      let shown = timeline.shown
      let whole = done.filter(\.isWhole)
      // A busy machine lets the player paint two frames at once: only one that stayed for longer than a sample takes must be seen.
      let next = done.dropFirst().map(\.began) + [MonotonicTime(nanoseconds: .max)]
      let lasting = zip(done, next).filter { $1.milliseconds(since: $0.end) > result.longestGap }.map(\.0)
      let numbers = shown.map(\.number)
      #expect(numbers == whole.map(\.number).filter(Set(numbers).contains))
      #expect(Set(lasting.filter(\.isWhole).map(\.number)).isSubset(of: numbers))
      for frame in shown {
        let painted = try #require(whole.first { $0.number == frame.number })
        #expect(frame.complete.after <= painted.end && painted.began <= frame.complete.by, "frame \(frame.number)")
      }
      let counters = result.measures.counters
      let partial = timeline.partial
      #expect(Set(lasting.filter { !$0.isWhole }.map(\.number)).isSubset(of: partial))
      #expect(partial.isSubset(of: Set(done.map(\.number)).subtracting(numbers)))
      #expect(counters[.presented] == numbers.count && counters[.outOfOrder] == 0)
      #expect(counters[.dropped] == count - numbers.count - partial.count)
      #expect(result.watched.legibleTiles == 9 && result.watched.ending == "ended with status 0")
      #expect(result.watched.frames.map(\.number) == shown.map(\.number))
    }

    @Test func aProgramThatShowsNothingIsRefused() throws {
      let screen = try XvfbScreen(size: Self.size)
      func refusal(_ command: [String]) throws -> String {
        let observation = Observation(
          player: ObservedPlayer(command: command), input: "clip.mp4", clip: .init(frames: 1, rate: 30), screen: screen,
          graceSeconds: 0.5)
        return try #require(throws: Failure.self) { try observation.run { _ in } }.description
      }
      #expect(try refusal(["/bin/false", "{}"]).contains("ended with status 1 before it showed a frame"))
      #expect(try refusal(["/nowhere/player", "{}"]).contains("there is no program '/nowhere/player'"))
      #expect(try refusal(["sleep", "60"]).contains("showed nothing on the screen of 640x360"))
      #expect(try refusal(["sh", "-c", "echo no codec >&2; exit 3"]).contains("'no codec'"))
    }

    /// Nothing of a display is left: neither its processes nor its folder.
    @Test func aDisplayLeavesNothing() throws {
      var screen: XvfbScreen? = try XvfbScreen(size: Self.size)
      let folder = try #require(screen?.folder)
      let display = try #require(screen?.display)
      #expect(FileManager.default.fileExists(atPath: folder))
      screen = nil
      #expect(!FileManager.default.fileExists(atPath: folder))
      #expect(!FileManager.default.fileExists(atPath: "/tmp/.X11-unix/X" + display.dropFirst()))
    }
  }
}
