import Decode
import Dispatch
import Foundation
import Frames
import Media
import Support
import Synchronization
import Testing

/// Every clip that is at hand opens, or is refused in a sentence.
@Suite(.tier(.test), .enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
struct MediaSweepTests {
  private struct Outcome {
    var path: String
    var frames = 0
    var failure: Failure?
    var milliseconds = 0.0
  }

  private static func paths(of clips: [MediaIndex.Clip], areBroken: Bool) throws -> [String] {
    let media = try #require(TestFolders.media)
    return clips.filter { $0.byteCount <= 100_000_000 && $0.category.hasPrefix("9-") == areBroken }.map {
      media + "/" + $0.name
    }
  }

  /// Live ones wait for their next segment for ever: there the deadline is what ends them.
  private static func isPlaylist(_ path: String) -> Bool { path.hasSuffix(".m3u8") || path.hasSuffix(".mpd") }

  private static func decode(_ path: String, frames limit: Int) -> Outcome {
    var outcome = Outcome(path: path)
    let started = MonotonicTime.now
    let interruption = Interruption()
    interruption.setDeadline(started.advanced(byMilliseconds: isPlaylist(path) ? 1500 : 20_000))
    do throws(Failure) {
      let reader = try FrameReader(path: path, options: DecoderOptions(threads: 1), interruption: interruption)
      while outcome.frames < limit, try reader.next() != nil { outcome.frames += 1 }
    } catch {
      outcome.failure = error
    }
    outcome.milliseconds = MonotonicTime.now.milliseconds(since: started)
    return outcome
  }

  private static func sweep(_ name: String, _ paths: [String], frames limit: Int) -> [Outcome] {
    let outcomes = Mutex<[Outcome]>([])
    DispatchQueue.concurrentPerform(iterations: paths.count) { number in
      let outcome = decode(paths[number], frames: limit)
      outcomes.withLock { $0.append(outcome) }
    }
    let all = outcomes.withLock { $0 }
    let kinds = Dictionary(grouping: all.compactMap(\.failure), by: \.kind.rawValue).mapValues(\.count)
    let slowest = all.max { $0.milliseconds < $1.milliseconds }
    print(
      "sweep of \(name): \(all.count) clips, \(all.count { $0.failure == nil }) decoded, refused \(kinds),",
      "slowest \(Int(slowest?.milliseconds ?? 0)) ms: \(slowest?.path.split(separator: "/").last ?? "")")
    return all
  }

  private static func check(_ outcome: Outcome) {
    guard let failure = outcome.failure else {
      #expect(outcome.frames > 0, "\(outcome.path) ends without a frame and without a word")
      return
    }
    let sentence = failure.description
    let kinds: [Failure.Kind] =
      [.media, .encrypted, .unsupported, .input] + (isPlaylist(outcome.path) ? [.cancelled] : [])
    #expect(kinds.contains(failure.kind), "\(failure.kind): \(sentence)")
    #expect(outcome.milliseconds < 60_000, "took too long: \(sentence)")
    #expect(sentence.contains("'\(outcome.path)'") && !failure.cause.isEmpty, "\(sentence)")
    #expect(!sentence.contains("\n") && sentence.count < outcome.path.count + 400, "\(sentence)")
    #expect(!sentence.contains("-1094995529") && !failure.cause.hasPrefix("error number"), "\(sentence)")
  }

  private static func expectAnswers(of clips: [MediaIndex.Clip]) throws {
    let outcomes = sweep("clips", try paths(of: clips, areBroken: false), frames: 10)
    outcomes.forEach(check)
    #expect(outcomes.count { $0.failure == nil } > outcomes.count / 3)
    sweep("broken clips", try paths(of: clips, areBroken: true), frames: 500).forEach(check)
  }

  @Test func clipsOpenOrSayWhyNot() throws { try Self.expectAnswers(of: MediaIndex.sample) }

  @Test(.tier(.full)) func everyClipOpensOrSaysWhyNot() throws { try Self.expectAnswers(of: MediaIndex.clips) }
}
