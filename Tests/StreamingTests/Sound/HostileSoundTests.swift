import Adaptation
import Decode
import Foundation
import Frames
import Media
import Support
import Testing

import Streaming

/// Sound that cannot be had, or never ends: the picture plays on, and stopping waits for nothing.
@Suite(.tier(.test)) struct HostileSoundTests {
  private static func stage(
    _ options: StreamOptions, _ isHostile: @escaping @Sendable (String) -> Bool, _ hostility: Hostility
  ) throws -> (SoundStage, HostileOrigin) {
    let origin = try HostileOrigin(try SharedLadders.flat().folder) { request in
      guard isHostile(request.path) else { return nil }
      return { hostility.answer($0, $1) }
    }
    return (try SoundStage(origin.server.url("/hls-fmp4/main.m3u8"), options), origin)
  }

  /// One sentence, and all pictures.
  @Test(
    arguments: [
      ("audio-en.m3u8", Hostility.missing, "the server answered 404 Not Found"),
      ("audio-en.m3u8", .empty, "it does not begin with #EXTM3U"),
      ("audio-en/init.mp4", .missing, "the server answered 404 Not Found"),
      ("audio-en/00002.m4s", .endless, "is longer than"),
      ("audio-en/00002.m4s", .missing, "past 2 s: the server answered 404 Not Found"),
      ("audio-en/init.mp4", .page, "a web page came in place of the media"),
    ])
  func thePicturePlaysOn(path: String, hostility: Hostility, cause: String) throws {
    let (stage, origin) = try Self.stage(hostility.options, { $0.hasSuffix(path) }, hostility)
    let reader = try stage.reader(0)
    let failure = try #require(HostileOrigin.failure { _ = try SoundStage.listen(reader) }, "it is heard")
    #expect(failure.description.hasPrefix("cannot ") && failure.description.contains(cause), "\(failure)")
    #expect(stage.stream.canPlay)
    while let frame = try stage.video.next() { try stage.see(frame) }
    #expect(stage.truth?.checked == 135 && stage.truth?.wrong == 0)
    withExtendedLifetime(origin) {}
  }

  /// A server that does not answer for sound: the stream says that it waits, and ends at once.
  @Test func aSilentServerHoldsNothingUp() throws {
    let (stage, origin) = try Self.stage(HostileOrigin.options, { $0.hasSuffix("audio-en/00000.m4s") }, .silent)
    let reader = try stage.reader(0)
    #expect(try reader.next() == nil && reader.isStarving)
    #expect(Patience.until { origin.server.requests.contains { $0.path.hasSuffix("audio-en/00000.m4s") } })
    #expect(stage.stream.isStarving && !stage.stream.canPlay)
    let before = MonotonicTime.now
    stage.stream.stop()
    #expect(MonotonicTime.now.seconds(since: before) < Patience.seconds / 2)
    #expect(stage.stream.history.requests.contains { $0.outcome == .cancelled })
  }

  /// What the manifest tells of its tracks, and which of them the user's wish takes.
  @Test func tracksAreThoseOfTheManifest() throws {
    let text = """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="low",NAME="English",LANGUAGE="en",DEFAULT=YES,CHANNELS="2",URI="audio-en.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high",NAME="English",LANGUAGE="en",DEFAULT=YES,CHANNELS="6",URI="high.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high",NAME="Described",LANGUAGE="en",CHARACTERISTICS="public.accessibility.describes-video",CHANNELS="2",URI="d.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="high",NAME="Deutsch",LANGUAGE="de",CHANNELS="2",URI="audio-de.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="other",NAME="Klingon",LANGUAGE="tlh",CHANNELS="2",URI="k.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.64000C,mp4a.40.2",AUDIO="low"
      video-0.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS="avc1.64000C,ec-3",AUDIO="high"
      video-1.m3u8
      """
    let origin = try HostileOrigin(try SharedLadders.flat().folder) { request in
      guard request.path.hasSuffix("main.m3u8") else { return nil }
      return { $1.respond(body: Array(text.utf8)) }
    }
    let stream = try LoadedStream(origin.server.url("/hls-fmp4/main.m3u8"), HostileOrigin.options)
    defer { stream.stop() }
    let tracks = stream.audio
    #expect(tracks.map(\.language) == ["en", "en", "de"].map { Language($0) })
    #expect(tracks.map(\.channels) == [6, 2, 2] && tracks.map(\.isDescriptive) == [false, true, false])
    #expect(
      tracks.map(\.layout) == [.surround51, .stereo, .stereo] && tracks.map(\.codec) == ["eac3", "eac3", "eac3"])
    #expect(tracks.map(\.title) == [nil, "Described", "Deutsch"])
    #expect(AudioWish.auto.choose(tracks, locale: Language("de")) == 2)
    #expect(AudioWish.auto.choose(tracks, locale: nil) == 0)
  }
}
