import Decode
import Frames

/// Samples that are given out at a rate which may change between two of them, and the place on the timeline of each: what is written is
/// played on, so that a change of rate makes no gap. A value.
struct TempoLine {
  private let format: SoundFormat
  /// From its first frame on; nil: all samples passed as they are.
  private var filter: TempoFilter?
  /// The sample frame that the filter began with, or the first one, and its place.
  private var start: (frame: Int, place: MediaTime)
  /// Sample frames that were given out.
  private var given = 0
  /// From which sample frame on each was set; never empty.
  private var rates: [(first: Int, rate: Double)]

  /// - Parameter place: of the first sample.
  init(_ format: SoundFormat, at place: MediaTime, rate: Double) {
    (self.format, start, rates) = (format, (0, place), [(0, 1)])
    setRate(rate)
  }

  /// Media seconds per second of the samples that come next.
  var rate: Double { rates[rates.count - 1].rate }
  /// Of the first sample.
  var place: MediaTime { place(of: Double(start.frame)) }

  /// Of the samples that come next.
  mutating func setRate(_ rate: Double) {
    guard rate != self.rate else { return }
    if filter == nil {
      start = (given, place(of: Double(given)))
      filter = TempoFilter(channels: format.channelCount, sampleRate: format.sampleRate)
    }
    filter?.rate = rate
    if rates[rates.count - 1].first == given { rates.removeLast() }
    rates.append((given, rate))
  }

  /// The samples that follow; none where `more` gives none. The filter keeps some until it has a window of them.
  ///
  /// - Parameter more: the next samples at a rate of 1.
  mutating func next(_ more: () throws(Failure) -> [Float]) throws(Failure) -> [Float] {
    while true {
      var samples = try more()
      guard !samples.isEmpty else { return [] }
      if filter != nil {
        filter?.append(samples)
        samples = filter?.take() ?? []
      }
      guard !samples.isEmpty else { continue }
      given += samples.count / format.channelCount
      return samples
    }
  }

  /// The place of a sample frame, counted from the first one.
  func place(of sampleFrame: Double) -> MediaTime {
    let behind = sampleFrame - Double(start.frame)
    guard let filter, behind > 0 else { return start.place + MediaTime(seconds: behind / Double(format.sampleRate)) }
    let whole = behind.rounded(.down)
    let input = filter.inputPosition(ofOutput: Int(whole)) + (behind - whole) * rate(at: Int(sampleFrame))
    return start.place + MediaTime(seconds: input / Double(format.sampleRate))
  }

  /// Media seconds per second at a sample frame.
  func rate(at sampleFrame: Int) -> Double { (rates.last { $0.first <= sampleFrame } ?? rates[0]).rate }

  /// Rates of earlier sample frames are not asked for any more.
  mutating func forget(before sampleFrame: Int) {
    let count = rates.dropFirst().prefix { $0.first <= sampleFrame }.count
    if count > 0 { rates.removeFirst(count) }
  }
}
