import Adaptation
import Decode
import Encode
import Foundation
import Frames
import Media
import Origin
import Support
import Testing

import Streaming

/// The subtitles of streams: each cue is shown while the picture is that it names.
@Suite(.tier(.test)) struct StreamTextTests {
  /// Reads a track to the end of the stream while the picture moves on; the places of its cues by their texts.
  private static func cues(
    _ stream: LoadedStream, _ number: Int, _ video: FrameReader
  ) throws -> [String: MediaTime] {
    let interruption = Interruption()
    let text = try stream.text(number, interruption: interruption)
    var cues: [String: MediaTime] = [:]
    while let frame = try video.next() { stream.played(to: frame.presentationTime) }
    stream.played(to: .zero)
    while cues.count < 5, let piece = try text.next() {
      let reader = try SubtitleReader(stream.subtitles[number], piece: piece.bytes, of: stream.path)
      while let event = try reader.next() { cues["\(event.text)"] = event.start + piece.shift }
    }
    interruption.request()
    #expect(try text.next() == nil)
    return cues
  }

  /// The ladder's cues tell their second and the frame that begins it; its transport streams begin at ten seconds.
  @Test(arguments: [
    (LadderIndex.Presentation.Kind.hlsFMP4, nil), (.hlsTS, nil), (.dash, nil),
    (.hlsTS, LadderSpecification.Encryption.aes128(rotation: 2)),
  ])
  func cuesLieWhereTheyBelong(
    kind: LadderIndex.Presentation.Kind, encryption: LadderSpecification.Encryption?
  ) throws {
    let ladder = try StreamStage.flat(encryption)
    let file = try #require(ladder.index.presentations.first { $0.kind == kind }?.file)
    let origin = try Origin.start(ladder.folder)
    let stream = try LoadedStream(origin.url + file, StreamStage.options(RandomController.choice(seed: 5)))
    let packets = try stream.packets(interruption: Interruption())
    let video = try FrameReader(packets, packets.info, options: DecoderOptions(threads: 1))
    #expect(stream.subtitles.map(\.language) == [Language("en"), Language("de")])
    #expect(stream.subtitles.allSatisfy { $0.refusal == nil && $0.codec == "webvtt" })
    let cues = try Self.cues(stream, 1, video)
    var expected: [String: MediaTime] = [:]
    for second in 0..<5 {
      expected["de 00:00:0\(second).000 frame \(second * 30)"] = MediaTime(seconds: Double(second))
    }
    #expect(cues == expected, "\(kind)")
    let requests = stream.statistics.requests
    #expect(requests > stream.history.requests.count, "subtitles are counted, and are no requests of the video")
    stream.stop()
    try origin.stop()
  }

  /// What fails is asked for again; then the next ones are shown, and the picture is in no trouble.
  @Test func aSegmentThatIsGoneIsLeftOut() throws {
    let ladder = try SharedLadders.flat()
    var options = OriginOptions()
    options.faults = try FaultFile.rules(
      Data(
        """
        {"schema": "bench360-faults/1", "faults": [
          {"kind": "status", "path": "**/subtitles-en/00001.vtt", "status": 404},
          {"kind": "reset", "path": "**/subtitles-en/00002.vtt", "nth_of_path": 1, "after": 10}
        ]}
        """.utf8))
    let origin = try Origin.start(ladder.folder, options: options)
    let stream = try LoadedStream(
      origin.url + "hls-fmp4/main.m3u8", StreamStage.options(RandomController.choice(seed: 5)))
    let packets = try stream.packets(interruption: Interruption())
    let video = try FrameReader(packets, packets.info, options: DecoderOptions(threads: 1))
    _ = try video.next()
    let interruption = Interruption()
    let text = try stream.text(0, interruption: interruption)
    var starts: Set<Int> = []
    while starts.count < 4, let piece = try text.next() { starts.insert(Int(piece.start.seconds.rounded())) }
    #expect(starts == [0, 2, 3, 4])
    #expect(stream.trouble == nil && stream.statistics.failed == 2 && stream.statistics.retries == 1)
    stream.stop()
    #expect(try text.next() == nil)
    try origin.stop()
  }

  /// A jump loads the text from there on, and gives no segment twice.
  @Test func aJumpBackLoadsWhatIsMissing() throws {
    let ladder = try SharedLadders.flat()
    let origin = try Origin.start(ladder.folder)
    var options = StreamStage.options(RandomController.choice(seed: 5))
    options.startTime = 3
    let stream = try LoadedStream(origin.url + "hls-fmp4/main.m3u8", options)
    _ = try stream.packets(interruption: Interruption())
    let text = try stream.text(0, interruption: Interruption())
    var starts: [Int] = []
    func read(_ count: Int) throws {
      while starts.count < count, let piece = try text.next() { starts.append(Int(piece.start.seconds.rounded())) }
    }
    try read(2)
    #expect(starts == [3, 4])
    #expect(stream.store.seek(to: .zero))
    try read(5)
    #expect(starts == [3, 4, 0, 1, 2])
    stream.stop()
    #expect(try text.next() == nil)
    try origin.stop()
  }

  /// Formats that are not read are named.
  @Test func otherFormatsAreRefused() throws {
    let manifest = """
      <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT4S">
        <Period>
          <AdaptationSet mimeType="video/mp4"><Representation id="v" codecs="avc1.42c00b" bandwidth="1000">
            <BaseURL>v.mp4</BaseURL></Representation></AdaptationSet>
          <AdaptationSet mimeType="application/ttml+xml" lang="en"><Representation id="t" bandwidth="1">
            <BaseURL>t.xml</BaseURL></Representation></AdaptationSet>
          <AdaptationSet mimeType="application/mp4" lang="fr"><Representation id="w" codecs="wvtt" bandwidth="1">
            <BaseURL>w.mp4</BaseURL></Representation></AdaptationSet>
          <AdaptationSet mimeType="text/vtt" lang="de"><Role schemeIdUri="urn:mpeg:dash:role:2011" value="main"/>
            <Representation id="d" bandwidth="1"><BaseURL>d.vtt</BaseURL></Representation></AdaptationSet>
        </Period>
      </MPD>
      """
    let presentation = try Manifest.parse(Array(manifest.utf8), at: try StreamAddress(url: "http://web.test/a.mpd"))
    let tracks = presentation.subtitleTracks
    #expect(tracks.map(\.language) == [Language("en"), Language("fr"), Language("de")])
    #expect(tracks[0].refusal == "subtitles of type 'application/ttml+xml' are not read, only WebVTT")
    #expect(tracks[1].refusal == "subtitles of type 'wvtt' are not read, only WebVTT")
    #expect(tracks[2].refusal == nil && tracks[2].isDefault)
  }
}
