import Decode
import Encode
import Foundation
import Frames
import Media
import Support
import TestPicture
import Testing

/// The sound of synthetic clips, read back.
@Suite(.tier(.test)) struct GenerateSoundTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func reader(_ path: String, track: Int = 0) throws -> AudioReader {
    let clip = try ProbedClip(path: path)
    try #require(clip.info.audio.indices.contains(track))
    return try AudioReader(clip.info.audio[track], of: clip, sampleRate: 48_000)
  }

  private func all(_ reader: AudioReader) throws -> (start: MediaTime, samples: [Float]) {
    var (start, samples): (MediaTime?, [Float]) = (nil, [])
    while let frame = try reader.next() {
      start = start ?? frame.presentationTime
      samples += frame.samples
    }
    return (try #require(start), samples)
  }

  private func clip(_ change: (inout ClipSpecification) -> Void = { _ in }) -> ClipSpecification {
    smallClip {
      ($0.frames, $0.rate, $0.hasAudio, $0.codec) = (60, Ratio(24, 1), true, "mpeg4")
      $0.size = PictureSize(width: 320, height: 160)
      change(&$0)
    }
  }

  /// When frames flash, by the decoder's own pictures.
  private func flashes(_ path: String) throws -> [Double] {
    let reader = try FrameReader(path: path)
    var times: [Double] = []
    while let frame = try reader.next() {
      let luma = try #require(frame.picture.planes.first)
      let isFlash = SceneFlash.isShown(.equirectangular) { u, v in
        let place = Int(v * Double(luma.rows)) * luma.bytesPerRow
        return luma.base.load(fromByteOffset: place + Int(u * Double(luma.rowBytes)), as: UInt8.self)
      }
      if isFlash == true { times.append(frame.presentationTime.seconds) }
    }
    return times
  }

  /// WebM's sound is early by Opus's delay: FFmpeg 5.1 writes it so.
  @Test(arguments: [("mp4", "mpeg4", 0.0005), ("mkv", "mpeg4", 0.0015), ("webm", "vp9", 0.009)])
  func aBeepBeginsWithEachFlash(container: String, codec: String, tolerance: Double) throws {
    for isVariable in [false, true] where !isVariable || container == "mp4" {
      let path = folder.file("clip-\(isVariable).\(container)")
      try generateClip(
        clip {
          ($0.codec, $0.isVariableRate) = (codec, isVariable)
        }, to: path)
      let seen = try flashes(path)
      #expect(seen.count == 3 && seen.first == 0)
      let (start, samples) = try all(try reader(path))
      let heard = SceneFlash.beeps(in: samples, rate: 48_000).map { start.seconds + Double($0) / 48_000 }
      #expect(heard.count == seen.count)
      for (heard, seen) in zip(heard, seen) { #expect(abs(heard - seen) < tolerance + 0.001, "\(heard) for \(seen)") }
      let reading = try #require(TonePosition.read(Array(samples[48_000...]), rate: 48_000))
      #expect(abs(reading.seconds - start.seconds - 1) < tolerance && reading.track == 0)
    }
  }

  @Test func clipsWithoutSoundDoNotFlash() throws {
    let path = folder.file("silent.mp4")
    try generateClip(clip { $0.hasAudio = false }, to: path)
    #expect(try flashes(path).isEmpty && probe(path).audio.isEmpty)
  }

  @Test(arguments: ["mp4", "mov"])
  func ambisonicSoundComesFromTheBalloon(container: String) throws {
    let path = folder.file("ambisonic.\(container)")
    try generateClip(clip { $0.isAmbisonic = true }, to: path)
    let tracks = try probe(path).audio
    #expect(tracks.map(\.layout) == [.mono, .ambisonic] && tracks.map(\.isDefault) == [true, false])
    #expect(tracks.map(\.channelMap) == [nil, [0, 1, 2, 3]] && tracks.last?.refusal == nil)
    let (start, samples) = try all(try reader(path, track: 1))
    for seconds in [0.5, 1.5, 2] {
      let place = Int((seconds - start.seconds) * 48_000)
      let channels = (0..<4).map { channel in (0..<9600).map { samples[(place + $0) * 4 + channel] } }
      func product(_ a: Int, _ b: Int) -> Float { zip(channels[a], channels[b]).reduce(0) { $0 + $1.0 * $1.1 } }
      let direction = SceneSource.direction(at: seconds + 0.1)
      for (channel, gain) in [(1, -direction.x), (2, direction.y), (3, direction.z)] {
        let found = product(0, channel) / product(0, 0)
        #expect(abs(found - Float(gain)) < 0.05, "channel \(channel) at \(seconds) s: \(found), not \(gain)")
      }
      let reading = try #require(TonePosition.read(channels[0], rate: 48_000))
      #expect(abs(reading.seconds - seconds) < 60e-6 && reading.track == 1)
    }
    // FFmpeg's tool decodes all of it.
    #expect(Judge.run("ffmpeg -v error -i '\(path)' -map 0:a:1 -f s16le -").count >= 8 * 48_000 * 2)
  }

  @Test func ambisonicSoundNeedsASphereAndABox() {
    for (name, change) in [
      ("flat.mp4", { (clip: inout ClipSpecification) in clip.projection = .flat }), ("box.mkv", { _ in }),
      ("silent.mp4", { $0.hasAudio = false }),
    ] {
      let failure = #expect(throws: Failure.self) {
        try generateClip(
          clip {
            $0.isAmbisonic = true
            change(&$0)
          }, to: folder.file(name))
      }
      #expect(failure?.kind == .usage, "\(name)")
    }
    #expect(folder.names.isEmpty)
  }
}
