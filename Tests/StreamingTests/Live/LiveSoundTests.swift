import Adaptation
import Decode
import Encode
import Foundation
import Frames
import Media
import Origin
import Support
import TestPicture
import Testing

import Streaming

/// The sound of live streams, over sockets, in real time: each sample is the right one at the right place of the picture's axis.
@Suite(.tier(.test), .serialized) struct LiveSoundTests {
  @Test func soundGoesWithThePictureOverSeams() throws { try Self.listenOverSeams("manifest.mpd") }

  @Test(.tier(.full), arguments: LiveStage.packagings)
  func soundGoesWithThePictureInEachPackaging(packaging: String) throws { try Self.listenOverSeams(packaging) }

  /// Two seams, with rungs drawn by chance.
  private static func listenOverSeams(_ packaging: String) throws {
    try LiveStage.with { origin in
      let listener = try LiveListener(origin.url + packaging, LiveStage.options { $0.live.latency = 4 })
      try listener.play(frames: 140)
      #expect(listener.frames == 140 && listener.truth?.wrong == 0 && listener.truth?.wrongRung == 0)
      listener.check(track: 0, packaging)
      #expect(listener.heard.breaks <= 3, "\(listener.heard.breaks)")
      #expect(abs(listener.heard.end - listener.place.seconds) < 0.1)
      listener.stream.stop()
      // Its own segments, one after the other, none twice; no picture waits for it at the start.
      let requests = listener.stream.history.requests
      let sound = requests.filter { $0.rung == nil && $0.kind == .segment }.map(\.url)
      #expect(sound.count >= 14 && Set(sound).count == sound.count && sound.allSatisfy { $0.contains("audio-en") })
      let first = try #require(requests.first { $0.kind == .segment && $0.rung != nil })
      #expect(requests.filter { $0.url.contains("audio-en") }.allSatisfy { $0.times.queued >= first.times.ended })
      // The manifest is loaded once for both.
      let manifests = requests.count { $0.kind == .manifest }
      #expect(manifests < (packaging.hasSuffix("mpd") ? 40 : 2), "\(manifests)")
    }
  }

  @Test func lowLatencySoundComesBeforeItsSegmentIsWhole() throws { try Self.listenInParts("hls-fmp4/main.m3u8") }

  @Test(.tier(.full)) func soundOfChunksComesBeforeItsSegmentIsWhole() throws { try Self.listenInParts("manifest.mpd") }

  /// Parts and chunks: sound comes while its segment is made.
  private static func listenInParts(_ packaging: String) throws {
    try LiveStage.with({ $0.partSeconds = 0.25 }) { origin in
      let listener = try LiveListener(origin.url + packaging, LiveStage.options { $0.live.latency = 0.6 })
      // Half of it would on a machine that is quick, and none where segments are loaded whole; a busy one gets a minute.
      let enough = SoundStage.rate / 2
      try listener.play(frames: 1200) { $0.frames >= 120 && $0.beforeWhole >= enough }
      #expect(listener.frames >= 120 && listener.truth?.wrong == 0)
      listener.check(track: 0, packaging)
      #expect(listener.heard.breaks <= max(3, listener.frames / 40), "\(listener.heard.breaks)")
      #expect(listener.beforeWhole >= enough, "\(listener.beforeWhole) of \(listener.heard.samples.count)")
    }
  }

  /// A jump back into the window, and to the edge again: sound begins where the picture does.
  @Test(arguments: LiveStage.packagings)
  func soundFollowsAJumpInTheWindow(packaging: String) throws {
    try LiveStage.with { origin in
      let stream = try LoadedStream(origin.url + packaging, LiveStage.options { $0.live.latency = 2 })
      defer { stream.stop() }
      let packets = try stream.packets(interruption: Interruption())
      let video = try FrameReader(packets, packets.info, options: DecoderOptions())
      let reader = try AudioReader(
        stream.audio[0], of: try stream.sound(0, interruption: Interruption()), sampleRate: SoundStage.rate,
        layout: .mono)
      let first = try #require(try video.next()).presentationTime
      for back in [3.0, 1.2, 0] {
        let target = first - MediaTime(seconds: back)
        stream.played(to: try #require(try video.seek(SeekRequest(target: target))).presentationTime)
        try reader.seek(to: target)
        // The video tells where a run of time stamps lies: it is read on.
        let heard = try SoundStage.listen(reader, seconds: 0.2)
        #expect(abs(((heard.start ?? .zero) - target).seconds) < 0.03, "\(back) s back: \(heard.start?.seconds ?? -1)")
      }
    }
  }

  /// A stream of 60.25 s to which nothing is added: playing begins at the same place on any machine.
  private static func standsStill(_ live: inout LiveOptions) {
    let now = live.clock.now
    live.clock = LiveClock(startingAt: now, speed: 1e-6)
    live.start = now - 60_250_000_000
  }

  /// Playing begins with the first segment of a run, and the sound with the last one of the run before: no video tells the time stamps of
  /// that. A player shows its first picture once it has sound, and reads no video until then.
  @Test(arguments: ["hls-fmp4/main.m3u8", "hls-ts/main.m3u8"])
  func soundBeginsWherePlayingBeginsAtASeam(packaging: String) throws {
    try LiveStage.with(Self.standsStill) { origin in
      let stream = try LoadedStream(origin.url + packaging, LiveStage.options())
      defer { stream.stop() }
      let packets = try stream.packets(interruption: Interruption())
      let video = try FrameReader(packets, packets.info, options: DecoderOptions())
      #expect(try video.next()?.presentationTime == MediaTime(seconds: 57))
      let reader = try AudioReader(
        stream.audio[0], of: try stream.sound(0, interruption: Interruption()), sampleRate: SoundStage.rate,
        layout: .mono)
      try reader.seek(to: stream.start)
      let heard = try SoundStage.listen(reader, seconds: 0.5)
      #expect(abs((heard.start ?? .zero).seconds - 57) < 0.03, "\(heard.start?.seconds ?? -1)")
    }
  }

  /// Playing begins 30 ms after the start of a picture, the first of its segment. The segment of sound begins 12 ms after that start, and
  /// the player must not wait for earlier sound.
  @Test(arguments: LiveStage.packagings)
  func soundThatBeginsWithinTheFirstPictureIsThere(packaging: String) throws {
    try LiveStage.with(Self.standsStill) { origin in
      let start = try #require(origin.liveStart)
      // The segment at 57.5 s: a frame of sound takes 21.3 ms and a picture 50 ms, so that their segments begin apart.
      let date = WallTime(nanoseconds: start + 57_530_000_000)
      let stream = try LoadedStream(origin.url + packaging, LiveStage.options { $0.live.startDate = date })
      defer { stream.stop() }
      let packets = try stream.packets(interruption: Interruption())
      let video = try FrameReader(packets, packets.info, options: DecoderOptions())
      let first = try #require(try video.next()).presentationTime
      #expect(first == MediaTime(seconds: 57.5), "\(first)")
      let sound = try stream.sound(0, interruption: Interruption())
      stream.played(to: first)
      #expect(Patience.until { stream.canPlay })
      #expect(Patience.until { sound.readiness(at: first) == .ready })
      #expect(stream.history.requests.count { $0.url.contains("audio-en/") && $0.segment == 0 } == 1)
    }
  }

  @Test func soundInsideTheVideoGoesWithIt() throws { try Self.listenInsideTheVideo(.ts) }

  @Test(.tier(.full), arguments: LadderIndex.Packaging.allCases)
  func soundInsideTheVideoGoesWithItInEachPackaging(packaging: LadderIndex.Packaging) throws {
    try Self.listenInsideTheVideo(packaging)
  }

  /// Sound in the video's segments: what is loaded once is read twice.
  private static func listenInsideTheVideo(_ packaging: LadderIndex.Packaging) throws {
    let server = try MuxedLiveServer(packaging)
    let listener = try LiveListener(server.url, LiveStage.options { $0.live.latency = 4 })
    try listener.play(frames: 180)
    #expect(listener.frames == 180)
    #expect(abs(listener.heard.end - listener.place.seconds) < 0.1)
    server.check(listener.heard, packaging.rawValue)
    listener.stream.stop()
    #expect(listener.stream.history.requests.filter { $0.kind == .segment }.allSatisfy { $0.rung != nil })
  }

  /// A live stream without sound has none, and one whose sound is not there plays its pictures.
  @Test func soundThatIsNotThereIsNoEnd() throws {
    let faults = [FaultRule(path: "**/audio-*", StatusFault(404))]
    try LiveStage.with(faults: faults) { origin in
      let stream = try LoadedStream(
        origin.url + "hls-fmp4/main.m3u8",
        LiveStage.options {
          $0.live.latency = 2
          ($0.live.stuckSeconds, $0.retries.retryLimit) = (2, 0)
        })
      defer { stream.stop() }
      let packets = try stream.packets(interruption: Interruption())
      let video = try FrameReader(packets, packets.info, options: DecoderOptions())
      let reader = try AudioReader(
        stream.audio[0], of: try stream.sound(0, interruption: Interruption()), sampleRate: SoundStage.rate)
      let failure = try HostileOrigin.failure { _ = try SoundStage.next(reader) }
      #expect(failure?.description.hasPrefix("cannot play the sound of ") == true, "\(String(describing: failure))")
      for _ in 0..<30 { stream.played(to: try #require(try video.next()).presentationTime) }
      #expect(stream.canPlay)
    }
  }
}

/// A window that slides over a ladder with sound in its video's segments, round after round, in real time.
private final class MuxedLiveServer {
  private let server: ScriptedServer
  /// How long the ladder is, of which the sound tells its place.
  private let round: Double

  init(_ packaging: LadderIndex.Packaging) throws {
    let folder = try SoundStage.muxed(packaging).folder
    let playlist = try String(contentsOfFile: folder + "/0.m3u8", encoding: .utf8)
    let durations = playlist.matches(of: /#EXTINF:([0-9.]+)/).compactMap { Double($0.output.1) }
    let ends = durations.indices.map { durations[...$0].reduce(0, +) }
    let round = try #require(ends.last)
    let start = MonotonicTime.now.nanoseconds
    server = try ScriptedServer { request, connection in
      guard let match = request.path.wholeMatch(of: /\/(\d)\.m3u8/) else {
        guard let data = FileManager.default.contents(atPath: folder + request.path) else {
          return connection.respond("404 Not Found")
        }
        return connection.serve([UInt8](data), request)
      }
      // It began 20 s ago, with the round that is played first.
      let now = 20 + Double(MonotonicTime.now.nanoseconds - start) / 1e9
      let count = durations.count
      let last = Int(now / round) * count + ends.count { $0 <= now.truncatingRemainder(dividingBy: round) }
      let first = max(0, last - 8)
      var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
      text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(first / count)\n"
      if packaging != .ts { text += "#EXT-X-MAP:URI=\"init-\(match.output.1).mp4\"\n" }
      for number in first..<last {
        if number % count == 0, number > first { text += "#EXT-X-DISCONTINUITY\n" }
        text += "#EXTINF:\(durations[number % count]),\n"
        text += "\(match.output.1)-\(number % count).\(packaging == .ts ? "ts" : "m4s")\n"
      }
      return connection.respond("200 OK", body: Array(text.utf8))
    }
    self.round = round
  }

  var url: String { server.url("/main.m3u8") }

  /// Each stretch of the sound tells a place in its round; where the first is on the axis tells all others.
  func check(_ heard: SoundStage.Heard, _ name: String) {
    let count = Int(0.25 * Double(SoundStage.rate))
    var shift: Double?
    var checked = 0
    for first in stride(from: 4096, to: heard.samples.count - count, by: 7001) {
      guard let reading = TonePosition.read(Array(heard.samples[first..<first + count]), rate: SoundStage.rate),
        reading.seconds > 0.1, reading.seconds < round - 0.35
      else { continue }
      let place = Double(first) / Double(SoundStage.rate)
      let own = (place - reading.seconds) / round
      let found = (own - own.rounded(.down)) * round
      shift = shift ?? found
      let difference = abs(found - (shift ?? 0))
      #expect(min(difference, round - difference) < 0.03, "\(name) at \(place): \(reading.seconds)")
      checked += 1
    }
    #expect(checked > 5, "\(name): \(checked)")
  }
}
