import Foundation
import Frames
import Support
import Testing

extension CommandTests {
  /// `generate --ladder`, as a shell would call it; what its files hold is tested in `EncodeTests`.
  @Suite(.tier(.test)) struct LadderCommandTests {
    private static let small = ["--projection", "flat", "--rungs", "256x144@150k,320x180@.3M", "--duration", "2"]

    @Test func writesALadderAndSaysWhatToOpen() throws {
      try TestFolders.withTemporary { folder in
        let command = ["generate", "--ladder", "tour", "--languages", "en", "--segment", "1"] + Self.small
        let result = try Program.run(command, in: folder)
        #expect(result.status == 0 && result.text.isEmpty)
        #expect(
          result.errors == "tour: 2 rungs of 60 frames, hls-ts/main.m3u8, hls-fmp4/main.m3u8, manifest.mpd\n")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let index = try decoder.decode(
          LadderIndex.self, from: Data(contentsOf: URL(filePath: folder + "/tour/ladder.json")))
        #expect(index.rungs.map(\.bitRate) == [150_000, 300_000] && index.segmentFrames == 30)
        #expect(index.rungs.map(\.checksums.count) == [60, 60] && index.audio.map(\.language) == ["en"])
        // Again in its place, as something else; another person's folder stays.
        let again = try Program.run(command + ["--encrypt", "clearkey"], in: folder)
        #expect(again.errors.hasSuffix(" frames, manifest.mpd\n"))
        #expect(try names(in: folder) == ["tour"])
        try Data().write(to: URL(filePath: folder + "/tour/mine"))
        try Program.run(command + ["--force"], in: folder)
          .expectRefusal(saying: ["cannot write the ladder to 'tour'", "'mine'", "another folder"])
      }
    }

    /// glibc fills new memory with a pattern: an encoder that reads beyond its rows encodes that. 27 macroblocks in a row
    /// are what x264's AVX-512 code stumbles over.
    @Test func filesDoNotDependOnWhatMemoryHeldBefore() throws {
      try TestFolders.withTemporary { folder in
        for pattern in ["1", "170"] {
          let result = try Program.run(
            [
              "generate", "--ladder", pattern, "--projection", "flat", "--rungs", "426x240@400k", "--languages", "en",
              "--duration", "1",
            ],
            in: folder, environment: ["MALLOC_PERTURB_": pattern])
          #expect(result.status == 0, "\(result.errors)")
        }
        let difference = try CommandOutput.of("diff", ["-r", "1", "170"], folder: folder)
        #expect(difference.status == 0, "\(difference.text.prefix(500))")
      }
    }

    @Test func controlCLeavesNothing() throws {
      try TestFolders.withTemporary { folder in
        let arguments = ["generate", "--ladder", "tour/long"] + Self.small.dropLast() + ["60"]
        try FileManager.default.createDirectory(atPath: folder + "/tour", withIntermediateDirectories: true)
        let running = try RunningProgram(arguments, in: folder)
        let isWriting = Patience.until {
          let parts = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/tour")) ?? []
          return parts.contains { part in
            FileManager.default.fileExists(atPath: "\(folder)/tour/\(part)/hls-ts/video-0/00000.ts")
          }
        }
        #expect(isWriting)
        running.interrupt()
        let result = try running.wait()
        #expect(result.status == 130 && result.errors.contains("stopped writing 'tour/long'"), "\(result.errors)")
        #expect(try names(in: folder + "/tour").isEmpty)
      }
    }
  }
}
