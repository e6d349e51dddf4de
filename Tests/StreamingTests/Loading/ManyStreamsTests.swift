import Decode
import Dispatch
import Encode
import Frames
import Media
import Origin
import Support
import TestPicture
import Testing

import Streaming

/// Eight streams at once in one process, of one origin: each as if it were alone. `Scripts/sanitize` runs it too.
@Suite(.tier(.test)) struct ManyStreamsTests {
  private static let count = 8

  /// Of which presentation each is: of the plain ladder and of the encrypted one by turns.
  private static func files() throws -> [(ladder: SharedLadders.Ladder, file: String)] {
    let plain = try StreamStage.pictures()
    let encrypted = try StreamStage.pictures(.aes128(rotation: 15))
    let kinds: [LadderIndex.Presentation.Kind] = [.hlsFMP4, .hlsTS, .dash]
    return try (0..<count).map { number in
      let ladder = number % 4 == 3 ? encrypted : plain
      let kind = number % 4 == 3 ? kinds[number / 4] : kinds[number % 4]
      return (ladder, try #require(ladder.index.presentations.first { $0.kind == kind }?.file))
    }
  }

  /// Each is played to its end, while the link fails now and then; another one loads beside each, jumps, and is stopped by another
  /// thread while it is read.
  @Test func eachIsAsIfItWereAlone() throws {
    var generator = SeededGenerator(for: "eight streams at once")
    let seed = generator.next()
    let seeds = (0..<Self.count).map { _ in generator.next() }
    let files = try Self.files()
    let folders = Set(files.map(\.ladder.folder)).sorted()
    var options = OriginOptions()
    options.faults = [
      FaultRule(path: "*.m4s", nthInAll: Set((1...40).map { $0 * 37 }), ResetFault(after: 900)),
      FaultRule(path: "*.ts", nthInAll: Set((1...40).map { $0 * 41 }), StatusFault(503, retryAfter: 0)),
    ]
    let origins = try folders.map { try Origin.start($0, options: options) }
    DispatchQueue.concurrentPerform(iterations: Self.count) { number in
      let (ladder, file) = files[number]
      let origin = origins[folders.firstIndex(of: ladder.folder) ?? 0]
      do {
        let jumping = try Jumping(origin.url + file, seed: seeds[number] &+ 1)
        try Self.play(origin.url + file, seed: seeds[number])
        let failure = jumping.stop()
        #expect(failure?.kind == .cancelled, "stream \(number), seed \(seed): \(failure?.description ?? "")")
      } catch {
        Issue.record("stream \(number), seed \(seed): \(error)")
      }
    }
    for origin in origins { try origin.stop() }
  }

  private static func play(_ url: String, seed: UInt64) throws {
    var options = StreamStage.options(RandomController.choice(seed: seed))
    (options.retries.firstWaitSeconds, options.retries.longestWaitSeconds) = (0.01, 0.05)
    let played = try StreamStage.play(url, options)
    #expect(played.frames == StreamStage.frames && played.disordered == 0, "\(url), seed \(seed)")
    #expect(played.truth?.wrong == 0 && played.truth?.wrongRung == 0, "\(url): \(played.truth?.firstWrong ?? "")")
  }

  /// A stream that a thread of its own reads and jumps in, until it is stopped.
  private final class Jumping {
    private let stream: LoadedStream
    private let thread: WorkerThread
    private let end: Monitor<Failure?>

    init(_ url: String, seed: UInt64) throws {
      var options = StreamStage.options(RandomController.choice(seed: seed))
      options.retries.firstWaitSeconds = 0.01
      let stream = try LoadedStream(url, options)
      let packets = try stream.packets(interruption: Interruption())
      var decoding = DecoderOptions()
      decoding.threads = 1
      let reader = ReaderOfOneThread(try FrameReader(packets, packets.info, options: decoding))
      let end = Monitor<Failure?>(nil)
      (self.stream, self.end) = (stream, end)
      thread = try WorkerThread {
        var generator = SeededGenerator(seed: seed)
        do throws(Failure) {
          while true {
            let place = Double.random(in: 0..<Double(StreamStage.frames) / 20, using: &generator)
            guard let frame = try reader.reader.seek(SeekRequest(target: MediaTime(seconds: place))) else { continue }
            stream.played(to: frame.presentationTime)
            for _ in 0..<20 { _ = try reader.reader.next() }
          }
        } catch {
          end.withLock { $0 = error }
        }
      }
    }

    /// How reading ended.
    func stop() -> Failure? {
      stream.stop()
      thread.join()
      return end.withLock { $0 }
    }
  }

  /// Made by one thread, used by another.
  private struct ReaderOfOneThread: @unchecked Sendable {
    let reader: FrameReader
    init(_ reader: FrameReader) { self.reader = reader }
  }
}
