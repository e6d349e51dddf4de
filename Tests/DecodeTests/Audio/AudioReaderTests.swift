import Decode
import Foundation
import Frames
import Media
import Support
import TestPicture
import Testing

extension AudioReader {
  /// A clip's first track.
  convenience init(_ path: String, rate: Int = SoundClips.rate, layout: SoundLayout? = nil) throws {
    let clip = try ProbedClip(path: path)
    guard let track = clip.info.audio.first else { throw Failure(.media, "cannot test '\(path)'", cause: "no sound") }
    try self.init(track, of: clip, sampleRate: rate, layout: layout)
  }

  /// All that follows, as one stretch, and whether each frame begins where the one before it ends.
  func rest() throws -> (start: MediaTime?, samples: [Float], isWhole: Bool) {
    var (start, end): (MediaTime?, MediaTime?)
    var (samples, isWhole): ([Float], Bool) = ([], true)
    while let frame = try next() {
      if let end, abs((frame.presentationTime - end).seconds) > 1.1 / Double(format.sampleRate) { isWhole = false }
      (start, end) = (start ?? frame.presentationTime, frame.end)
      samples += frame.samples
    }
    return (start, samples, isWhole)
  }

  /// The first so many sample frames of what follows, and when they begin.
  func beginning(_ count: Int) throws -> (time: MediaTime, samples: [Float])? {
    guard var first = try next() else { return nil }
    while first.sampleFrames < count, let frame = try next() { first.samples += frame.samples }
    return (first.presentationTime, Array(first.samples.prefix(count * format.channelCount)))
  }
}

/// The largest difference of two lists of samples, over what both have.
func difference(_ a: some Collection<Float>, _ b: some Collection<Float>) -> Float {
  Array(a).largestDifference(from: Array(b))
}

@Suite(.tier(.test)) struct AudioReaderTests {
  @Test(arguments: SoundClips.kinds)
  func samplesAreFFmpegs(kind: SoundClips.Kind) throws {
    let path = try SoundClips.make(kind)
    let found = try AudioReader(path).rest()
    let judged = try SoundClips.judged(path, rate: SoundClips.rate, channels: 1)
    #expect(found.samples.count == judged.count && found.isWhole && !judged.isEmpty)
    #expect(difference(found.samples, judged) < 1e-5)
    let tone = TonePosition.Generator(rate: SoundClips.rate, track: 3).samples(from: 0, count: 5 * SoundClips.rate)
    if kind.isExact {
      #expect(found.samples.count == tone.count && difference(found.samples, tone) < 1e-4)
    }
  }

  @Test(arguments: [(44_100, SoundLayout.mono), (96_000, .stereo), (48_000, .stereo), (22_050, .surround51)])
  func anyRateAndLayoutIsFFmpegs(rate: Int, layout: SoundLayout) throws {
    for kind in [SoundClips.kinds[0], SoundClips.kinds[5]] {
      let path = try SoundClips.make(kind)
      let reader = try AudioReader(path, rate: rate, layout: layout)
      let found = try reader.rest()
      let judged = try SoundClips.judged(path, rate: rate, channels: layout.channelCount)
      #expect(reader.format == SoundFormat(sampleRate: rate, layout: layout) && found.isWhole)
      #expect(abs(found.samples.count - judged.count) <= 4 * layout.channelCount)
      #expect(difference(found.samples, judged) < 1e-4)
    }
  }

  /// 5.1 as it is, mixed to stereo, and 7.1 whose side channels FFmpeg has last.
  @Test func loudspeakersAreOrderedAndMixed() throws {
    for (layout, order) in [("5.1", [0, 1, 2, 3, 4, 5]), ("7.1", [0, 1, 2, 3, 6, 7, 4, 5]), ("quad", [0, 1])] {
      let count = layout == "7.1" ? 8 : layout == "5.1" ? 6 : 4
      let waves = (0..<count).map { "0.1*sin(2*PI*\(300 + 100 * $0)*t)" }.joined(separator: "|")
      let path = try SharedClips.ffmpeg(
        "speakers-\(layout).mkv",
        ["-f", "lavfi", "-i", "aevalsrc='\(waves)':c=\(layout):s=48000:d=1", "-f", "lavfi", "-i"]
          + ["testsrc=s=64x64:r=10:d=1", "-map", "0:a", "-map", "1:v", "-c:a", "pcm_f32le", "-c:v", "mpeg4"])
      let channels = order.count
      let judged = try SoundClips.judged(path, rate: 48_000, channels: channels)
      let reader = try AudioReader(path)
      let found = try reader.rest().samples
      #expect(reader.format.layout == (count == 8 ? .surround71 : count == 6 ? .surround51 : .stereo))
      #expect(found.count == judged.count)
      for (place, channel) in order.enumerated() {
        let mine = stride(from: place, to: found.count, by: channels).map { found[$0] }
        let its = stride(from: channel, to: judged.count, by: channels).map { judged[$0] }
        #expect(difference(mine, its) < 1e-5, "\(layout), channel \(place)")
      }
      let mixed = try AudioReader(path, layout: .stereo).rest().samples
      #expect(difference(mixed, try SoundClips.judged(path, rate: 48_000, channels: 2)) < 1e-5)
    }
  }

  /// Seeks to random places, where the tone tells which sample is heard.
  @Test(arguments: SoundClips.kinds)
  func seeksAreExact(kind: SoundClips.Kind) throws {
    var random = SeededGenerator(for: "seeksAreExact(\(kind.name))")
    let reader = try AudioReader(try SoundClips.make(kind))
    // FFmpeg 5.1 writes Opus in WebM later than its video by the encoder's delay: what is read on tells by how much.
    let whole = try reader.rest()
    let place = reader.format.sampleFrames(in: MediaTime(seconds: 1) - (whole.start ?? .zero))
    let read = try #require(TonePosition.read(Array(whole.samples[place...]), rate: SoundClips.rate))
    let offset = read.seconds - 1
    #expect(abs(offset) < 60e-6 + kind.rounding + (kind.name.hasPrefix("opus") ? 0.0065 : 0))
    for number in -1..<5 {
      // The start and places near it, where an encoder's delay is left out, come first and again. Before 4 s reading begins inside
      // one of the MPEG file's frames, and the decoder finds another one there, of 22,050 samples per second.
      var seconds = number % 4 == 0 ? Double(number) / 100 : Double.random(in: 0..<4.5, using: &random)
      if number < 0 { seconds = 4.007350924499041 }
      let target = MediaTime(seconds: seconds)
      try reader.seek(to: target)
      let (time, samples) = try #require(try reader.beginning(SoundClips.rate / 4))
      let late = (time - target).seconds
      #expect(late > -1e-6 && late < 1.001 / Double(SoundClips.rate), "\(late) s behind \(target.seconds) s")
      let reading = try #require(TonePosition.read(samples, rate: SoundClips.rate), "at \(seconds)")
      let turned = reading.seconds > Double(TonePosition.period) / 2 ? Double(TonePosition.period) : 0
      let error = reading.seconds - turned - time.seconds - offset
      #expect(abs(error) < 60e-6 + kind.rounding && reading.track == 3, "\(kind.name): \(error) s wrong at \(seconds)")
    }
  }

  /// After a seek, samples are those of reading on, sound before the place having been decoded, too.
  @Test func seeksGiveTheSameSamples() throws {
    for kind in SoundClips.kinds where !kind.name.hasPrefix("opus") && kind.rounding == 0 {
      let reader = try AudioReader(try SoundClips.make(kind))
      let whole = try reader.rest()
      let start = try #require(whole.start)
      for sample in [0, 1, 1023, 48_000, 100_001, 200_000] {
        let target = max(start, .zero) + reader.format.duration(of: sample)
        try reader.seek(to: target)
        let part = try #require(try reader.beginning(4800))
        let place = reader.format.sampleFrames(in: part.time - start)
        let error = difference(part.samples, whole.samples[place...])
        // These decoders make noise by chance.
        let isNoisy = kind.name.hasPrefix("aac") || kind.name.hasPrefix("ac3")
        #expect(error < (isNoisy ? 0.01 : 1e-4), "\(kind.name): \(error) at sample \(sample)")
      }
    }
  }

  @Test func behindTheEndNothingFollows() throws {
    for kind in [SoundClips.kinds[0], SoundClips.kinds[5], SoundClips.kinds[8]] {
      let reader = try AudioReader(try SoundClips.make(kind))
      try reader.seek(to: MediaTime(seconds: 1000))
      #expect(try reader.next() == nil)
      try reader.seek(to: .zero)
      #expect(try reader.beginning(100) != nil)
    }
  }

  @Test func refusalsAreSaid() throws {
    let path = try SoundClips.make(SoundClips.kinds[0])
    let clip = try ProbedClip(path: path)
    var track = try #require(clip.info.audio.first)
    let rate = #expect(throws: Failure.self) { try AudioReader(track, of: clip, sampleRate: 10) }
    #expect(rate?.kind == .usage)
    track.refusal = "it is encrypted"
    let refused = #expect(throws: Failure.self) { try AudioReader(track, of: clip, sampleRate: 48_000) }
    #expect(refused?.kind == .unsupported && refused?.cause == "it is encrypted")
    (track.refusal, track.streamIndex) = (nil, 1)
    #expect(throws: Failure.self) { try AudioReader(track, of: clip, sampleRate: 48_000) }
    let interruption = Interruption()
    let reader = try AudioReader(
      try #require(clip.info.audio.first), of: clip, sampleRate: 48_000, interruption: interruption)
    interruption.request()
    #expect(throws: Failure.self) { while try reader.next() != nil {} }
  }
}
