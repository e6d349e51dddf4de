import Foundation
import Support
import Testing

extension CommandLineTests {
  /// What a shell would call a usage error: 64, told on standard error before any work.
  @Suite struct UsageTests {
    @Test(arguments: [
      (["nonsense"], "nonsense"),
      (["run", "--nonsense"], "--nonsense"),
      (["run", "--scenario", "decode,nonsense"], "nonsense"),
      (["run", "--scenario", ""], "there are: "),
      (["run", "--scenario", "scrub/random"], "scrub/random/exact"),
      (["run", "--scenario", "decode/fast"], "without a variant"),
      (["run", "--suite", "huge"], "standard"),
      (["run", "--format", "yaml"], "markdown"),
      (["report"], "records"),
      (["report", "a", "--title", ""], "--title"),
      (["report", "a", "-o", ""], "--output"),
      (["report", "a", "--vary", "driver"], "--base"),
      (["report", "a", "--base", "b", "--vary", "weather"], "weather"),
      (["report", "a", "--base", "b", "--noise-floor", "-1"], "--noise-floor"),
      (["history", "a"], "--metric"),
      (["history", "a", "--metric", "fps"], "there is no metric 'fps'"),
      (["history", "a", "--metric", "phases"], "no single number"),
      (["history", "a", "--metric", "ttff_ms", "--scenario", ""], "--scenario"),
      (["history", "a", "--metric", "ttff_ms", "--format", "html"], "markdown"),
      (["run", "--trials", "0"], "between 1 and 10000"),
      (["run", "--duration", "0"], "--duration"),
      (["run", "--duration", "nan"], "--duration"),
      (["run", "--timeout", "0"], "--timeout"),
      (["run", "--pin", "3-1"], "--pin"),
      (["run", "--refresh", "0"], "--refresh"),
      (["run", "--refresh", "-60"], "--refresh"),
      (["run", "--refresh", "60/0"], "--refresh"),
      (["run", "--look-ahead", "1"], "--look-ahead"),
      (["run", "--stress", "disk"], "io"),
      (["run", "--scenario", "interaction/recorded"], "--input-events"),
      (["run", "--input-events", "x.json"], "interaction/recorded"),
      (["run", "--scenario", "interaction", "--present", "window"], "offscreen"),
      (["view", "--head-tracking", "0"], "--head-tracking"),
      (["view", "--head-tracking", "65536"], "--head-tracking"),
      (["view", "--head-tracking", "4242@"], "--head-tracking"),
      (["view", "--head-tracking", "4242@nowhere"], "address in numbers"),
      (["view", "--record-input", "-"], "--record-input"),
      (["view", "clip.mp4", "--record-input", "./clip.mp4"], "none of the inputs"),
      (["run", "--size", "0x90"], "--size"),
      (["run", "--size", "1280"], "WIDTHxHEIGHT"),
      (["snapshot", "x", "-o", "x.png", "--size", "a"], "WIDTHxHEIGHT"),
      (["generate", "-o", "x.mp4", "--size", "640"], "WIDTHxHEIGHT"),
      (["run", "--size", "20000x90"], "16384"),
      (["run", "--view", "0"], "--view"),
      (["run", "--view", "0,0,200"], "--view"),
      (["run", "--camera", "spiral"], "orbit"),
      (["run", "--camera", "tour.yaml"], "FILE.json"),
      (["run", "--bounds", "0.5,0,0.6,1"], "--bounds"),
      (["run", "--bounds", "0,0,1"], "--bounds"),
      (["run", "--pose", "1,2"], "--pose"),
      (["snapshot", "--pose", "nan,0,0"], "--pose"),
      (["run", "--upload", "telepathy"], "direct"),
      (["run", "--shading", "telepathy"], "compute"),
      (["run", "--projection", "mercator"], "equirectangular"),
      (["run", "--threads", "-1"], "--threads"),
      (["run", "-", "-"], "once"),
      (["run", "--trace", "-"], "--trace"),
      (["run", "--frames", "-"], "--frames"),
      (["run", "clip.mp4", "-o", "x.json", "--trace", "./x.json"], "different files"),
      (["run", "clip.mp4", "--trace", "t.json", "--frames", "t.json"], "different files"),
      (["run", "clip.mp4", "--frames", "clip.mp4"], "none of the inputs"),
      (["snapshot", "clip.mp4"], "--output"),
      (["snapshot", "clip.mp4", "-o", "x.png", "--tolerance", "1"], "--tolerance"),
      (["thumbnails", "clip.mp4"], "--output"),
      (["thumbnails", "clip.mp4", "-o", "x.png"], ".vtt"),
      (["thumbnails", "clip.mp4", "-o", "x.vtt", "--every", "0"], "--every"),
      (["thumbnails", "clip.mp4", "-o", "x.vtt", "--every", "nan"], "--every"),
      (["thumbnails", "clip.mp4", "-o", "x.vtt", "--width", "0"], "--width"),
      (["thumbnails", "clip.mp4", "-o", "x.vtt", "--columns", "200"], "--columns"),
      (["thumbnails", "clip.mp4", "-o", "x.vtt", "--format", "gif"], "png"),
      (["view", "clip.mp4", "--subtitles", "loud"], "--subtitles"),
      (["probe"], "<input>"),
      (["generate", "-o", "x.mp4", "--codec", "nonsense"], "h264"),
      (["generate", "-o", "x.mp4", "--size", "3x3"], "3x3"),
      (["generate", "-o", "x.mp4", "--duration", "-1"], "--duration"),
      (["generate", "-o", "x.mp4", "--repeat", "0"], "--repeat"),
      (["generate", "-o", "x.mp4", "--repeat", "2", "--audio"], "--audio"),
      (["generate", "-o", "x.nonsense"], ".mp4"),
    ])
    func isRefused(arguments: [String], word: String) throws {
      try TestFolders.withTemporary { folder in
        let result = try Program.run(arguments, in: folder)
        #expect(result.status == 64, "\(arguments): \(result.errors)")
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(word), "\(arguments): \(result.errors)")
        #expect(try names(in: folder).isEmpty, "\(arguments) left something behind")
      }
    }
  }
}
