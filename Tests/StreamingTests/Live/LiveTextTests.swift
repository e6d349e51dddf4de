import Decode
import Frames
import HTTP
import Media
import Origin
import Support
import Synchronization
import Testing

import Streaming

/// The subtitles of live streams, over sockets, in real time: each line is shown while the picture is that it names.
@Suite(.tier(.test), .serialized) struct LiveTextTests {
  /// What came of a track while the picture played.
  private struct Read: Sendable {
    /// Where the segments begin.
    var starts: [MediaTime] = []
    /// Where the lines begin, in milliseconds, and their texts.
    var lines: [Int64: String] = [:]
    var failure: Failure?
  }

  /// Plays until `isEnough` came of the text, which has its own requests; for a minute at most.
  private static func read(_ url: String, latency: Double, until isEnough: (Read) -> Bool) throws -> Read {
    let stream = try LoadedStream(url, LiveStage.options { $0.live.latency = latency })
    defer { stream.stop() }
    let packets = try stream.packets(interruption: Interruption())
    let video = try FrameReader(packets, packets.info, options: DecoderOptions(threads: 1))
    #expect(stream.subtitles.map(\.language) == [Language("en")] && stream.subtitles[0].refusal == nil)
    let read = Mutex(Read())
    let interruption = Interruption()
    // Its own thread, as a player's: the picture does not wait for it.
    let text = try stream.text(0, interruption: interruption)
    let track = stream.subtitles[0]
    let thread = try WorkerThread {
      do throws(Failure) {
        while let piece = try text.next() {
          read.withLock { $0.starts.append(piece.start) }
          let events = try SubtitleReader(track, piece: piece.bytes, of: "live")
          while let event = try events.next() {
            let start = event.start + piece.shift
            read.withLock { $0.lines[(start.nanoseconds + 500_000) / 1_000_000] = "\(event.text)" }
          }
        }
      } catch {
        read.withLock { $0.failure = error }
      }
    }
    var frames = 0
    while frames < 1200, !read.withLock({ isEnough($0) }) {
      stream.played(to: try #require(try video.next()).presentationTime)
      frames += 1
    }
    interruption.request()
    thread.join()
    #expect(stream.trouble == nil)
    return read.withLock { $0 }
  }

  /// The origin's axis begins with a round of 3 s: a line says which second of it is shown.
  private static func check(_ read: Read, _ name: String) {
    #expect(read.failure == nil, "\(name): \(String(describing: read.failure))")
    #expect(Set(read.starts).count == read.starts.count, "\(name): a segment came twice")
    for (place, text) in read.lines {
      let second = (place % 3000 + 500) / 1000 % 3
      #expect(abs(place % 1000 - (place % 1000 > 500 ? 1000 : 0)) <= 2, "\(name): \(text) at \(place)")
      #expect(text == "en 00:00:0\(second).000 frame \(second * 20)", "\(name) at \(place)")
    }
    let seconds = read.lines.keys.map { ($0 + 500) / 1000 }.sorted()
    #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(name): \(seconds)")
  }

  @Test func linesGoWithThePictureOverSeams() throws { try Self.readOverSeams("hls-ts/main.m3u8") }

  @Test(.tier(.full), arguments: LiveStage.packagings)
  func linesGoWithThePictureInEachPackaging(packaging: String) throws { try Self.readOverSeams(packaging) }

  private static func readOverSeams(_ packaging: String) throws {
    try LiveStage.with { origin in
      let read = try Self.read(origin.url + packaging, latency: 4) { $0.lines.count >= 6 }
      Self.check(read, packaging)
      #expect(read.lines.count >= 6, "\(packaging): \(read.lines.keys.sorted())")
    }
  }

  @Test func linesFollowAStreamInParts() throws { try Self.readInParts("hls-fmp4/main.m3u8") }

  @Test(.tier(.full)) func linesFollowAStreamInChunks() throws { try Self.readInParts("manifest.mpd") }

  /// With parts the edge of text is a segment behind that of the picture.
  private static func readInParts(_ packaging: String) throws {
    try LiveStage.with({ $0.partSeconds = 0.25 }) { origin in
      let read = try Self.read(origin.url + packaging, latency: 1.5) { $0.lines.count >= 3 }
      Self.check(read, packaging)
      #expect(read.lines.count >= 3, "\(packaging): \(read.lines.keys.sorted())")
    }
  }

  /// Segments of text that the server lacks are left out; the picture is in no trouble.
  @Test func textThatIsNotThereIsNoTrouble() throws {
    try LiveStage.with(faults: [FaultRule(path: "**/subtitles-en/*[02468].vtt", StatusFault(404))]) { origin in
      let read = try Self.read(origin.url + "hls-fmp4/main.m3u8", latency: 3) { $0.starts.count >= 3 }
      #expect(read.failure == nil && read.starts.count >= 3)
    }
  }
}
