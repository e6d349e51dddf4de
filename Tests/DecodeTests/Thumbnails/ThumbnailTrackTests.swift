import Decode
import Foundation
import Frames
import Support
import Testing

@Suite struct ThumbnailTrackTests {
  private static func read(_ text: String) throws -> (track: ThumbnailTrack, problems: [ThumbnailTrack.Problem]) {
    try ThumbnailTrack.read(Array(text.utf8), path: "x.vtt")
  }

  private static func cue(_ start: Double, _ end: Double, _ image: String, _ region: [Int]? = nil) -> ThumbnailTrack.Cue
  {
    ThumbnailTrack.Cue(
      start: MediaTime(seconds: start), end: MediaTime(seconds: end), image: image,
      region: region.map { .pixels(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) })
  }

  @Test func whatIsWrittenIsRead() throws {
    var random = SeededGenerator(for: "whatIsWrittenIsRead")
    for _ in 0..<200 {
      var start: Int64 = 0
      let cues = (0..<Int.random(in: 0...30, using: &random)).map { number in
        start += Int64.random(in: 1...(Bool.random(using: &random) ? 5_000 : 50_000_000), using: &random)
        let end = start + Int64.random(in: 1...100_000, using: &random)
        let region: ImageRegion? =
          switch Int.random(in: 0..<3, using: &random) {
          case 0: nil
          case 1:
            .percent(
              x: Double.random(in: 0...99, using: &random).rounded(), y: 12.5, width: 33.25,
              height: Double(Int.random(in: 1...100, using: &random)))
          default:
            .pixels(
              x: Int.random(in: 0...9999, using: &random), y: Int.random(in: 0...9, using: &random),
              width: Int.random(in: 1...999, using: &random), height: Int.random(in: 1...999, using: &random))
          }
        return ThumbnailTrack.Cue(
          start: MediaTime(nanoseconds: start * 1_000_000), end: MediaTime(nanoseconds: end * 1_000_000),
          image: imageReference(toFile: "ä #\(number)%41?.jpg"), region: region)
      }
      let track = ThumbnailTrack(cues)
      let (read, problems) = try Self.read(track.text)
      #expect(read == track && problems.isEmpty, "seed \(random.seed)")
    }
  }

  /// As the tools and manuals of players write them.
  @Test(arguments: [
    // JW Player's manual.
    "WEBVTT\n\n00:00:00.000 --> 00:00:05.000\nthumbs.jpg#xywh=0,0,160,90\n\n00:00:05.000 --> 00:00:10.000\nthumbs.jpg#xywh=160,0,160,90\n",
    // Brightcove's: no hours, settings, names of cues.
    "WEBVTT\r\n\r\n1\r\n00:00.000 --> 00:05.000 line:0 position:20%\r\nthumbs.jpg#xywh=0,0,160,90\r\n\r\n2\r\n00:05.000 --> 00:10.000\r\nthumbs.jpg#xywh=160,0,160,90",
    // A byte order mark, a title, notes, styles, regions, a bare CR at line ends.
    "\u{FEFF}WEBVTT - made by hand\rKind: metadata\r\rNOTE\rseveral lines\rof it\r\rSTYLE\r::cue { color: red }\r\rREGION\rid:a\r\r00:00.000 --> 00:05.000\rthumbs.jpg#xywh=pixel:0,0,160,90\r\rNOTE x\r\r\r\r00:00:05.000\t-->\t00:00:10.000\r  thumbs.jpg#t=1&xywh=160,0,160,90  \rmore text\r",
    // No blank line between cues; no space around the arrow; hours of three digits; escapes in the fragment.
    "WEBVTT\n00:00.000-->00:05.000\nthumbs.jpg#%78ywh=pixel%3A0,0,160,90\n000:00:05.000 --> 00:10.000\nthumbs.jpg#xywh=9,9,9,9&xywh=bad&xywh=160,0,160,90\n",
  ])
  func playersFormsAreRead(text: String) throws {
    let (track, problems) = try Self.read(text)
    #expect(problems.isEmpty, "\(problems)")
    #expect(
      track.cues == [Self.cue(0, 5, "thumbs.jpg", [0, 0, 160, 90]), Self.cue(5, 10, "thumbs.jpg", [160, 0, 160, 90])])
  }

  @Test(arguments: [
    ("00:00 --> 00:01.000\na.jpg", 3, "times"), ("00:00.000 -> 00:01.000 -->\na.jpg", 3, "times"),
    ("00:60.000 --> 01:01.000\na.jpg", 3, "times"), ("00:01.0000 --> 00:02.000\na.jpg", 3, "times"),
    ("0:00:01.000 --> 00:02.000\na.jpg", 3, "times"), ("99999999999:00:01.000 --> 00:02.000\na.jpg", 3, "times"),
    ("-00:01.000 --> 00:02.000\na.jpg", 3, "times"), ("00:01,000 --> 00:02,000\na.jpg", 3, "times"),
    ("00:00.000 --> 00:01.000x\na.jpg", 3, "times"), ("name\n-->\na.jpg", 4, "times"),
    ("00:02.000 --> 00:01.000\na.jpg", 3, "ends before"), ("00:01.000 --> 00:01.000\na.jpg", 3, "ends before"),
    ("00:00.000 --> 00:01.000\n", 3, "no image"), ("00:00.000 --> 00:01.000\n   \n", 3, "no image"),
    ("00:00.000 --> 00:01.000\n#xywh=0,0,1,1", 3, "no image"),
    ("00:00.000 --> 00:01.000\na#xywh=0,0,0,1", 3, "malformed"),
    ("00:00.000 --> 00:01.000\na#xywh=0,0,1", 3, "malformed"),
    ("00:00.000 --> 00:01.000\na#xywh=0,0,1,1,1", 3, "malformed"),
    ("00:00.000 --> 00:01.000\na#xywh=-1,0,1,1", 3, "malformed"),
    ("00:00.000 --> 00:01.000\na#xywh=1.5,0,1,1", 3, "malformed"),
    ("00:00.000 --> 00:01.000\na#xywh=1e1,0,1,1", 3, "malformed"), ("00:00.000 --> 00:01.000\na#xywh=", 3, "malformed"),
    ("00:00.000 --> 00:01.000\na#xywh=99999999999999999999,0,1,1", 3, "malformed"),
    ("00:00.000 --> 00:01.000\na#xywh=percent:0,0,101,1", 3, "malformed"),
    ("00:00.000 --> 00:01.000\na#xywh=percent:nan,0,1,1", 3, "malformed"),
    ("00:00.000 --> 00:01.000\n" + String(repeating: "a", count: 5000), 3, "too long"),
  ])
  func aBadCueIsLeftOutAndToldWithItsLine(cue: String, line: Int, word: String) throws {
    let (track, problems) = try Self.read("WEBVTT\n\n\(cue)\n\n00:07.000 --> 00:08.000\ngood.jpg\n")
    #expect(track.cues == [Self.cue(7, 8, "good.jpg")])
    #expect(problems.map(\.line) == [line] && problems.first?.cause.contains(word) ?? false, "\(problems)")
  }

  @Test(arguments: ["", "WEBVTTX\n", "webvtt\n", "\nWEBVTT\n", "1\n00:00:00,000 --> 00:00:01,000\n", " WEBVTT"])
  func whatIsNoTrackIsRefused(text: String) throws {
    #expect(failure { _ = try Self.read(text) }?.kind == .media)
  }

  @Test func anythingIsReadInItsTurn() throws {
    var random = SeededGenerator(for: "anythingIsReadInItsTurn")
    let pieces = [
      "-->", "\n", "\r\n", "\r", "00:00.000", "00:01.000 --> 00:02.000\n", "a.jpg", "#xywh=", "1,2,3,4", "NOTE", "\0",
      "%", "%4",
      "é", "STYLE\n", " ", "\u{FEFF}", "\n\n",
    ]
    for _ in 0..<2000 {
      var bytes = Array("WEBVTT\n\n".utf8)
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        bytes += Array((pieces.randomElement(using: &random) ?? "").utf8)
        if Int.random(in: 0..<10, using: &random) == 0 { bytes.append(UInt8.random(in: 0...255, using: &random)) }
      }
      let (track, problems) = try ThumbnailTrack.read(bytes, path: "x.vtt")
      #expect(track.cues.allSatisfy { $0.end > $0.start && !$0.image.isEmpty } && problems.count <= 100)
      #expect(zip(track.starts, track.starts.dropFirst()).allSatisfy { $0 <= $1 }, "seed \(random.seed)")
    }
  }

  /// Megabytes of what would be slow if anything were looked at more than a few times.
  @Test(arguments: ["\n", "-->\n", "-->-->", "a\n", "--", "00:00.000 --> 00:01.000\n", "\r", "#xywh=&"])
  func longTracksTakeLittle(piece: String) throws {
    let body = String(repeating: piece, count: (4 << 20) / piece.utf8.count)
    let (track, problems) = try Self.read("WEBVTT\n\n" + body)
    #expect(track.cues.count < 1 << 20 && problems.count <= 100)
    let tooLong = [UInt8](repeating: 0x0A, count: ThumbnailTrack.byteLimit + 1)
    #expect(failure { _ = try ThumbnailTrack.read(tooLong, path: "x.vtt") }?.cause.contains("16 MiB") ?? false)
  }

  @Test func theCueThatBeganLastIsTheOne() throws {
    let track = ThumbnailTrack([Self.cue(20, 30, "c"), Self.cue(5, 10, "a"), Self.cue(10, 12, "b")])
    for (time, image) in [(0.0, "a"), (5, "a"), (9.999, "a"), (10, "b"), (15, "b"), (20, "c"), (99, "c")] {
      #expect(track.cue(at: MediaTime(seconds: time))?.image == image, "\(time)")
    }
    #expect(ThumbnailTrack([]).cue(at: .zero) == nil)
    #expect(ThumbnailTrack([Self.cue(0, 1, "a"), Self.cue(0, 2, "b")]).cue(at: .zero)?.image == "b")
  }

  @Test func partsAreClippedToTheImage() {
    let image = PictureSize(width: 100, height: 50)
    func part(_ text: String) -> [Int]? {
      ImageRegion(text)?.part(of: image).map { [$0.column, $0.row, $0.size.width, $0.size.height] }
    }
    #expect(part("10,20,30,30") == [10, 20, 30, 30])
    #expect(part("90,40,30,30") == [90, 40, 10, 10])
    #expect(part("100,0,1,1") == nil && part("0,50,1,1") == nil)
    #expect(part("999999999,999999999,999999999,999999999") == nil)
    #expect(part("percent:50,0,50,100") == [50, 0, 50, 50])
    #expect(part("percent:12.5,50,25,50") == [13, 25, 25, 25])
    #expect(part("percent:0,0,0.1,0.1") == nil)
  }
}
