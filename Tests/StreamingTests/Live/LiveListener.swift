import Adaptation
import Decode
import Foundation
import Frames
import Media
import Support
import TestPicture
import Testing

import Streaming

/// A live stream whose pictures and sound are read side by side, as they come.
final class LiveListener {
  let stream: LoadedStream
  private let video: FrameReader
  private let sound: AudioReader
  private(set) var truth: FrameTruth?
  private(set) var heard = SoundStage.Heard()
  private(set) var frames = 0
  /// Samples of sound that came before their segment was whole.
  private(set) var beforeWhole = 0
  /// Of the picture and of the sound that was read.
  private(set) var place = MediaTime.zero
  /// Of the ladder, in seconds.
  static let (round, segment) = (3.0, 0.5)

  init(_ url: String, _ options: StreamOptions, track: Int = 0) throws {
    stream = try LoadedStream(url, options)
    let packets = try stream.packets(interruption: Interruption())
    var decoding = DecoderOptions()
    decoding.threads = 1
    video = try FrameReader(packets, packets.info, options: decoding)
    truth = FrameTruth(packets.info.synthetic)
    let tracks = stream.audio
    try #require(tracks.indices.contains(track), "\(tracks.count) tracks")
    sound = try AudioReader(
      tracks[track], of: try stream.sound(track, interruption: Interruption()), sampleRate: SoundStage.rate,
      layout: .mono)
    try sound.seek(to: stream.start)
  }

  deinit { stream.stop() }

  /// Reads so many frames, or fewer if it is `enough`, and sound up to each of them.
  func play(frames count: Int, until enough: (LiveListener) -> Bool = { _ in false }) throws {
    for _ in 0..<count where !enough(self) {
      guard let frame = try video.next() else { return }
      frames += 1
      place = frame.presentationTime
      stream.played(to: place)
      truth?.inspect(frame, rung: stream.segment(at: place)?.rung)
      while heard.end < place.seconds, let sound = try SoundStage.next(sound) { hear(sound) }
    }
  }

  private func hear(_ sound: AudioFrame) {
    heard.start = heard.start ?? sound.presentationTime
    let end = (heard.start ?? .zero) + sound.format.duration(of: heard.samples.count)
    if abs((sound.presentationTime - end).seconds) > 0.0005 { heard.breaks += 1 }
    heard.samples += sound.samples
    let within = sound.presentationTime.seconds.truncatingRemainder(dividingBy: Self.segment)
    if let latency = stream.latency(at: sound.presentationTime), latency < Self.segment - within {
      beforeWhole += sound.sampleFrames
    }
  }

  /// Each stretch that no seam lies in tells its place in its round, and its track.
  func check(track: Int, _ name: String) {
    let count = Int(0.25 * Double(SoundStage.rate))
    var checked = 0
    for first in stride(from: 4096, to: heard.samples.count - count, by: 7001) {
      let place = (heard.start?.seconds ?? 0) + Double(first) / Double(SoundStage.rate)
      let own = place.truncatingRemainder(dividingBy: Self.round)
      // A decoder goes over from one round to the next in a few packets.
      guard own > 0.1, own < Self.round - 0.35 else { continue }
      let reading = TonePosition.read(Array(heard.samples[first..<first + count]), rate: SoundStage.rate)
      #expect(reading?.track == track, "\(name) at \(place)")
      let error = abs((reading?.seconds ?? -1) - own)
      #expect(error < 0.001, "\(name) at \(place): \(reading?.seconds ?? -1), not \(own)")
      checked += 1
    }
    #expect(checked > 5, "\(name): \(checked)")
  }
}
