import Foundation
import Frames
import Sound
import Support
import Testing

@Suite struct FileOutputTests {
  private static let format = SoundFormat(sampleRate: 48_000, layout: .mono)

  private static func number(_ data: Data, _ place: Int, bytes: Int = 4) -> Int {
    (0..<bytes).reduce(0) { $0 | Int(data[data.startIndex + place + $1]) << (8 * $1) }
  }

  private static func samples(_ data: Data) -> [Float] {
    stride(from: 58, to: data.count - 3, by: 4).map { Float(bitPattern: UInt32(number(data, $0))) }
  }

  /// The file's header, while it is written and afterwards: readable within a second of sound.
  @Test func theFileIsReadableWhileItGrows() throws {
    try TestFolders.withTemporary { folder in
      let path = folder + "/a.wav"
      let clock = ManualClock()
      var output: FileOutput? = try FileOutput(path: path, format: Self.format, now: clock.reading)
      output?.play()
      var written = 0
      for _ in 0..<250 {
        let block = (written..<written + 480).map { Float($0 % 1000) / 1000 }
        written += output?.write(block) ?? 0
        clock.advance(milliseconds: 10)
        _ = output?.position
      }
      let partial = try Data(contentsOf: URL(filePath: path))
      #expect(Self.number(partial, 42) == 4 && Self.number(partial, 54) == 2 * 48_000 * 8)
      #expect(Self.number(partial, 4) == 2 * 48_000 * 8 + 50)
      output = nil
      let data = try Data(contentsOf: URL(filePath: path))
      #expect(String(decoding: data[0..<4], as: UTF8.self) == "RIFF")
      #expect(String(decoding: data[8..<16], as: UTF8.self) == "WAVEfmt ")
      #expect(Self.number(data, 54) == data.count - 58 && Self.number(data, 4) == data.count - 8)
      #expect(Self.number(data, 46) == (data.count - 58) / 8)
      // What is on its way to the ear when it closes is not heard.
      let heard = Self.samples(data)
      #expect(heard.count == 2 * (250 - 5) * 480)
      for left in stride(from: 0, to: heard.count, by: 2) {
        let wanted = Float(left / 2 % 1000) / 1000
        guard heard[left] != wanted || heard[left + 1] != wanted else { continue }
        Issue.record("sample \(left / 2) is \(heard[left]) and \(heard[left + 1]), not \(wanted)")
        break
      }
    }
  }

  private static let ffprobe = try? CommandOutput.of("ffprobe", ["-version"]).status

  @Test(.enabled("ffprobe is not installed") { ffprobe == 0 }) func otherProgramsReadIt() throws {
    try TestFolders.withTemporary { folder in
      let clock = ManualClock()
      var output: FileOutput? = try FileOutput(path: folder + "/a.wav", format: Self.format, now: clock.reading)
      output?.play()
      output?.write([Float](repeating: 0.5, count: 4800))
      clock.advance(milliseconds: 150)
      output?.pause()
      output = nil
      let result = try CommandOutput.of(
        "ffprobe",
        [
          "-v", "warning", "-of", "csv=p=0", "-show_entries", "stream=codec_name,sample_rate,channels,duration_ts",
          folder + "/a.wav",
        ])
      #expect(result.text == "pcm_f32le,48000,2,4800\n" && result.errors.isEmpty, "\(result.text)\(result.errors)")
    }
  }

  @Test func placesThatCannotBeWrittenAreRefused() throws {
    try TestFolders.withTemporary { folder in
      let film = folder + "/film.mp4"
      try Data("not sound at all".utf8).write(to: URL(filePath: film))
      for path in [folder, folder + "/none/a.wav", film, "/dev/null"] {
        let failure = #expect(throws: Failure.self) { try FileOutput(path: path, format: Self.format) }
        #expect(failure?.kind == .output && failure?.attempt == "cannot write sound to '\(path)'", "\(path)")
      }
      #expect(try Data(contentsOf: URL(filePath: film)).count == 16)
      let path = folder + "/a.wav"
      _ = try FileOutput(path: path, format: Self.format)
      _ = try FileOutput(path: path, format: Self.format)
      #expect(try Data(contentsOf: URL(filePath: path)).count == 58)
    }
  }

  /// 4 GiB, here 40 periods: one sentence, a file that opens, and the device plays on.
  @Test func aFileHasAnEndThatIsTold() throws {
    try TestFolders.withTemporary { folder in
      let path = folder + "/a.wav"
      let clock = ManualClock()
      let output = try FileOutput(
        path: path, format: Self.format, options: NullOutput.Options(), limit: 40 * 480 * 8 + 100, now: clock.reading)
      output.play()
      for _ in 0..<100 {
        output.write([Float](repeating: 0.5, count: 480))
        clock.advance(milliseconds: 10)
        _ = output.position
      }
      let failure = try #require(output.failure)
      #expect(failure.kind == .output && failure.cause == "a WAV file ends at 4 GiB")
      #expect(output.position?.sampleFrame == 95 * 480 && output.takePlayed().allSatisfy { $0.missing == 0 })
      let data = try Data(contentsOf: URL(filePath: path))
      #expect(data.count == 58 + 40 * 480 * 8 && Self.number(data, 54) == data.count - 58)
    }
  }
}
