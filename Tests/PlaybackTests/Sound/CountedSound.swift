import Frames
import Playback

/// A track whose samples tell their own number, in frames of a given length, with gaps and overlaps where a test wants them.
final class CountedSound: SoundSource {
  let format: SoundFormat
  private let frames: [(time: MediaTime, count: Int)]
  private var upcoming = 0
  /// Samples of the next frame that lie before the place that was sought.
  private var skipped = 0
  /// Times that were sought.
  private(set) var seeks: [MediaTime] = []

  static let rate = 48_000

  /// - Parameter frames: when each begins, in sample frames, and how many it has.
  init(_ frames: [(start: Int, count: Int)], layout: SoundLayout = .mono) {
    format = SoundFormat(sampleRate: Self.rate, layout: layout)
    self.frames = frames.map { (MediaTime(ticks: Int64($0.start), timeBase: Ratio(1, Int32(Self.rate))), $0.count) }
  }

  /// Without gaps, in frames of 1024.
  convenience init(seconds: Double, layout: SoundLayout = .mono) {
    let count = Int(seconds * Double(Self.rate))
    self.init(stride(from: 0, to: count, by: 1024).map { ($0, min(1024, count - $0)) }, layout: layout)
  }

  func next() throws(Failure) -> AudioFrame? {
    guard frames.indices.contains(upcoming) else { return nil }
    let (time, count) = frames[upcoming]
    let first = format.sampleFrames(in: time) + skipped
    defer { (upcoming, skipped) = (upcoming + 1, 0) }
    let samples = (0..<count - skipped).flatMap { index in
      (0..<format.channelCount).map { Self.value(first + index, channel: $0) }
    }
    return AudioFrame(presentationTime: time + format.duration(of: skipped), format: format, samples: samples)
  }

  func seek(to time: MediaTime) throws(Failure) {
    seeks.append(time)
    upcoming = frames.firstIndex { $0.time + format.duration(of: $0.count) > time } ?? frames.count
    skipped = frames.indices.contains(upcoming) ? max(0, format.sampleFrames(in: time - frames[upcoming].time)) : 0
  }

  /// What a sample says; never 0, which is silence.
  static func value(_ number: Int, channel: Int = 0) -> Float { Float(number % 1_000_000 + 1) + Float(channel) * 0.25 }

  /// The number of the sample that a value says; nil for silence.
  static func number(_ value: Float) -> Int? { value == 0 ? nil : Int(value) - 1 }
}
