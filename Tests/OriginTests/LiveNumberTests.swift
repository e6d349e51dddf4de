import Foundation
import Frames
import Origin
import Support
import Testing

/// Live ladders whose clients, or whose `ladder.json`, name numbers far outside.
@Suite(.tier(.test)) struct LiveNumberTests {
  private static func serving(
    _ folder: String, parts: Double? = nil, _ body: (_ status: (String) throws -> Int) throws -> Void
  ) throws {
    var options = OriginOptions()
    options.live = LiveOptions()
    options.live?.partSeconds = parts
    let origin = try Origin.start(folder, options: options)
    try body { try Connection(port: origin.port).get($0).status }
    try origin.stop()
  }

  @Test(arguments: [nil, 0.25])
  func farNumbersAreMissingAndTheServerGoesOn(parts: Double?) throws {
    try Self.serving(SharedLadders.flat().folder, parts: parts) { status in
      for path in [
        "/hls-fmp4/video-0/999999999999999.m4s", "/hls-fmp4/video-0/999999999999999.0.m4s",
        "/hls-fmp4/video-0/999999999999999.999999999999999.m4s", "/hls-ts/video-0/999999999999999.ts",
        "/hls-fmp4/audio-en/999999999999999.m4s", "/hls-fmp4/subtitles-en/999999999999999.vtt",
        "/thumbnails/999999999999.jpg",
      ] {
        let (missing, next) = (try status(path), try status("/hls-fmp4/video-0.m3u8"))
        #expect(missing == 404 && next == 200, "\(path): \(missing), then \(next)")
      }
    }
  }

  @Test(arguments: [
    ("interval", "1e308"), ("interval", "1e-300"), ("interval", "0"), ("interval", "-1e300"), ("interval", "1e400"),
    ("columns", "9223372036854775807"), ("rows", "-9223372036854775808"),
  ])
  func absurdThumbnailsAreHarmlessOrRefused(field: String, value: String) throws {
    try TestFolders.withTemporary { folder in
      let ladder = folder + "/ladder"
      try FileManager.default.copyItem(atPath: SharedLadders.flat().folder, toPath: ladder)
      let path = ladder + "/ladder.json"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let place = try #require(text.firstRange(of: "\"thumbnails\""))
      let pattern = try Regex("\"\(field)\"\\s*:\\s*[0-9.]+")
      let absurd = text[place.lowerBound...].replacing(pattern, with: "\"\(field)\":\(value)")
      #expect(absurd != text[place.lowerBound...])
      try Data((text[..<place.lowerBound] + absurd).utf8).write(to: URL(filePath: path))
      do {
        try Self.serving(ladder) { status in
          let pictures = [try status("/thumbnails/00000.jpg"), try status("/thumbnails/999999999999.jpg")]
          let texts = [try status("/manifest.mpd"), try status("/hls-fmp4/video-0.m3u8")]
          #expect(pictures.allSatisfy { [200, 404].contains($0) } && texts == [200, 200], "\(pictures) \(texts)")
        }
      } catch let failure as Failure {
        #expect(failure.kind == .input && value == "1e400", "\(failure)")
      }
    }
  }
}
