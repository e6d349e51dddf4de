import Decode
import Foundation
import Frames
import Media
import Support
import TestPicture
import Testing

/// Sound with packets missing or damaged, with other formats in mid-stream, and with stamps that jump.
@Suite(.tier(.test)) struct DamagedSoundTests {
  /// Checks the tone at places that lie in whole stretches, and returns all samples with their start.
  private func tone(
    _ reader: AudioReader, at seconds: [Double], tolerance: Double = 0.0011
  ) throws -> (start: MediaTime, samples: [Float]) {
    let found = try reader.rest()
    let start = try #require(found.start)
    #expect(found.isWhole)
    for second in seconds {
      let place = reader.format.sampleFrames(in: MediaTime(seconds: second) - start)
      let stretch = Array(found.samples[place..<place + SoundClips.rate / 4])
      let reading = try #require(TonePosition.read(stretch, rate: SoundClips.rate), "at \(second)")
      #expect(abs(reading.seconds - second) < tolerance, "\(reading.seconds) at \(second)")
    }
    return (start, found.samples)
  }

  private func silence(_ samples: [Float], _ range: Range<Int>) -> Int {
    samples[range].reduce(0) { $0 + ($1 == 0 ? 1 : 0) }
  }

  @Test(arguments: ["aac.mkv", "flac.mkv", "aac.ts"])
  func missingPacketsAreSilence(name: String) throws {
    let kind = try #require(SoundClips.kinds.first { $0.name == name })
    let whole = try AudioReader(try SoundClips.make(kind)).rest().samples.count
    let path = try SharedClips.ffmpeg(
      "dropped-\(name)",
      ["-i", try SoundClips.make(kind), "-map", "0", "-c", "copy", "-bsf:a", "noise=drop='eq(mod(n,40),20)'"])
    let reader = try AudioReader(path)
    let (_, samples) = try tone(reader, at: kind.name == "flac.mkv" ? [0.5, 1, 3] : [0.55, 1.4, 3.1])
    #expect(abs(samples.count - whole) < 200 && reader.counts.damagedPackets == 0)
    #expect(reader.counts.silentSampleFrames > 1500 && reader.counts.jumps == 0)
    #expect(silence(samples, 0..<samples.count) > 1000)
  }

  @Test func damagedPacketsAreCountedAndSilence() throws {
    let flac = SoundClips.kinds[7]
    let whole = try AudioReader(try SoundClips.make(flac)).rest().samples.count
    // The last packet is damaged, too: silence reaches to its end.
    let count = try SoundClips.packets(try SoundClips.make(flac))
    let path = try SharedClips.ffmpeg(
      "damaged-flac.mkv",
      ["-i", try SoundClips.make(flac), "-map", "0", "-c", "copy", "-bsf:a"]
        + ["noise=amount='if(eq(n,20)+eq(n,\(count - 1)),1,0)'"])
    let reader = try AudioReader(path)
    let (_, samples) = try tone(reader, at: [0.5, 1, 3])
    // The last one is shorter, and the file does not tell by how much.
    #expect(reader.counts.damagedPackets == 2 && whole - 100..<whole + 4608 ~= samples.count)
    #expect(reader.counts.silentSampleFrames > 4000)
  }

  /// A second part at another rate, with two channels, at once or after a long pause in the stamps.
  @Test(arguments: [0.0, 30])
  func formatsAndStampsChange(pause: Double) throws {
    let kind = SoundClips.kinds[8]
    let parts = try (0..<2).map { number in
      try SharedClips.ffmpeg(
        "part-\(number)-\(pause).ts",
        ["-i", try SoundClips.make(SoundClips.kinds[3]), "-map", "0", "-c:v", "copy", "-c:a"] + kind.codec
          + (number == 0 ? [] : ["-ar", "44100", "-ac", "2", "-b:a", "256k", "-output_ts_offset", "\(5 + pause)"]))
    }
    let path = try SharedClips.file("parts-\(pause).ts") { path in
      try (try Data(contentsOf: URL(filePath: parts[0])) + Data(contentsOf: URL(filePath: parts[1])))
        .write(to: URL(filePath: path))
    }
    let reader = try AudioReader(path, layout: .mono)
    var frames: [AudioFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    #expect(frames.allSatisfy { $0.format == SoundFormat(sampleRate: 48_000, layout: .mono) })
    #expect(reader.counts.jumps == (pause > 10 ? 1 : 0) && reader.counts.damagedPackets == 0)
    let seconds = Double(frames.reduce(0) { $0 + $1.sampleFrames }) / 48_000
    #expect(abs(seconds - 10) < 0.2, "\(seconds) s")
    // Seven seconds in, the second part plays its third second: the tone begins again at five.
    let late = frames.filter { $0.presentationTime.seconds >= 7 + pause }.flatMap(\.samples)
    let time = try #require(frames.first { $0.presentationTime.seconds >= 7 + pause }).presentationTime
    let reading = try #require(TonePosition.read(Array(late.prefix(24_000)), rate: 48_000))
    #expect(abs(reading.seconds - (time.seconds - 5 - pause)) < 0.06, "\(reading.seconds) at \(time.seconds)")
  }

  /// A second of a thousand samples becomes one of 192,000, in frames of bounded size.
  @Test func framesAreBounded() throws {
    let path = try SharedClips.ffmpeg(
      "slow.mkv",
      ["-f", "lavfi", "-i", "sine=r=1000:d=3:samples_per_frame=3000", "-f", "lavfi", "-i", "testsrc=s=64x64:r=10:d=1"]
        + ["-map", "0", "-map", "1", "-c:a", "flac", "-frame_size", "3000", "-c:v", "mpeg4"])
    let reader = try AudioReader(path, rate: 192_000)
    var count = 0
    while let frame = try reader.next() {
      #expect(frame.sampleFrames <= 40_000 && frame.sampleFrames > 0)
      count += frame.sampleFrames
    }
    #expect(abs(count - 576_000) < 1000)
  }

  /// Bytes changed at random: it ends, without a crash, in time that the file's size bounds.
  @Test(arguments: ["aac.mp4", "opus.webm", "mp3.mp4", "aac.ts", "ac3.ts", "pcm.avi"])
  func noiseIsSurvived(name: String) throws {
    var random = SeededGenerator(for: "noiseIsSurvived(\(name))")
    let kind = try #require(SoundClips.kinds.first { $0.name == name })
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: try SoundClips.make(kind))))
    try TestFolders.withTemporary { folder in
      for number in 0..<12 {
        var noisy = bytes
        for _ in 0..<(1 << number % 8) {
          noisy[Int.random(in: 0..<noisy.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let path = "\(folder)/\(number).\(name)"
        try Data(noisy).write(to: URL(filePath: path))
        guard let reader = try? AudioReader(path) else { continue }
        var count = 0
        while count < 400 * SoundClips.rate, let frame = try? reader.next() { count += frame.sampleFrames }
        try? reader.seek(to: MediaTime(seconds: Double.random(in: -1..<6, using: &random)))
        _ = try? reader.next()
      }
    }
  }
}

extension SoundClips {
  /// How many packets the first stream of sound has.
  static func packets(_ path: String) throws -> Int {
    let run = try CommandOutput.of(
      "ffprobe",
      ["-v", "error", "-select_streams", "a:0", "-count_packets", "-of", "csv=p=0"]
        + ["-show_entries", "stream=nb_read_packets", path])
    return Int(run.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }
}
