import Adaptation
import Decode
import Encode
import Foundation
import Frames
import Media
import Origin
import Playback
import Session
import Streaming
import Support
import Testing

/// Thumbnails that a stream's manifest names.
@Suite(.tier(.test)) struct StreamThumbnailTests {
  private static func with<Result>(
    _ kind: LadderIndex.Presentation.Kind, _ ladder: SharedLadders.Ladder, _ body: (StreamThumbnails) throws -> Result
  ) throws -> Result {
    let file = try #require(ladder.index.presentations.first { $0.kind == kind }?.file)
    let origin = try Origin.start(ladder.folder)
    let lowest = try #require(ControllerChoice("lowest"))
    let stream = try LoadedStream(origin.url + file, StreamOptions(controller: lowest))
    #expect(stream.hasPreviews)
    let result = try body(
      try StreamThumbnails(of: stream, options: ThumbnailOptions(width: 120), interruption: Interruption()))
    stream.stop()
    try origin.stop()
    return result
  }

  /// The sync samples of the playlist of their own are the ones that a reader of the whole file finds.
  @Test(arguments: [LadderIndex.Presentation.Kind.hlsFMP4, .hlsTS])
  func syncSamplesAreThoseOfTheVideo(kind: LadderIndex.Presentation.Kind) throws {
    let ladder = try SharedLadders.flat()
    // The smallest picture that is large enough.
    let rung = try #require(ladder.index.rungs.first { $0.height >= 160 } ?? ladder.index.rungs.last)
    let rendition = try #require(rung.renditions.first { $0.packaging == (kind == .hlsTS ? .ts : .fmp4) })
    let clip = try #require(try FrameReader(path: try ladder.joined(rendition)).clip)
    let judge = try KeyFrameReader(of: clip, options: ThumbnailOptions(width: 120))
    let candidates = try (0..<5).map { try #require(try judge.picture(at: MediaTime(seconds: Double($0)))) }
    try Self.with(kind, ladder) { thumbnails in
      for (time, start) in [(0.0, 0), (1.2, 1), (2.9, 2), (4.4, 4), (100, 4), (-1, 0)] {
        let picture = try #require(try thumbnails.picture(at: MediaTime(seconds: time)))
        #expect(picture.time == MediaTime(seconds: Double(start)) && picture.size == candidates[start].size)
        // The judge decodes without loop filters.
        let likeness = candidates.map { $0.rgba.psnr(to: picture.rgba) }
        #expect(likeness[start] > 35 && likeness[start] == likeness.max(), "\(kind) at \(time) s: \(likeness)")
      }
      #expect(thumbnails.places == .starts((0..<5).map { MediaTime(seconds: Double($0)) }))
    }
  }

  /// Of the tiles of an image each is the one whose picture is nearest to the frame at its time.
  @Test func tilesAreThoseOfTheirTimes() throws {
    let ladder = try SharedLadders.flat()
    let thumbnails = try #require(ladder.index.thumbnails)
    let sheet = try TrackReader(
      path: ladder.path("thumbnails/thumbnails.vtt"), options: ThumbnailOptions(width: 120))
    try Self.with(.dash, ladder) { source in
      for (time, start) in [(0.0, 0.0), (0.99, 0), (1, 1), (2.5, 2), (4.49, 4), (90, 4)] {
        let picture = try #require(try source.picture(at: MediaTime(seconds: time)))
        let expected = try #require(try sheet.picture(at: MediaTime(seconds: start)))
        #expect(picture.rgba == expected.rgba && picture.time == MediaTime(seconds: start), "at \(time) s")
        #expect(picture.size.width == min(120, thumbnails.width))
      }
      #expect(source.places == .starts((0..<5).map { MediaTime(seconds: Double($0)) }))
    }
  }

  /// As the viewer asks for them: at once, and again once one has come.
  @Test func aMakerShowsThemWhileTheStreamPlays() throws {
    let ladder = try SharedLadders.flat()
    let origin = try Origin.start(ladder.folder)
    let lowest = try #require(ControllerChoice("lowest"))
    let stream = try LoadedStream(origin.url + "manifest.mpd", StreamOptions(controller: lowest))
    let interruption = Interruption()
    let maker = ThumbnailMaker(
      interruption: interruption,
      open: { () throws(Failure) in
        try StreamThumbnails(of: stream, options: ThumbnailOptions(width: 120), interruption: interruption)
      })
    let place = MediaTime(seconds: 3.3)
    #expect(Patience.until { maker.thumbnail(at: place).status == .ready })
    #expect(maker.thumbnail(at: place).picture?.time == MediaTime(seconds: 3))
    let images = origin.log.count { $0.path.hasSuffix(".jpg") }
    #expect(Patience.until { maker.thumbnail(at: MediaTime(seconds: 1)).status == .ready })
    #expect(origin.log.count { $0.path.hasSuffix(".jpg") } == images, "an image is loaded once")
    stream.stop()
    maker.stop()
    try origin.stop()
  }
}
