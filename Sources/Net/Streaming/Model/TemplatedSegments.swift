import Frames

/// Segments of a DASH `SegmentTemplate`: runs of equal durations, and a template for their addresses.
struct TemplatedSegments: Sendable {
  /// Sorted by start. Shared by the renditions of an adaptation set.
  let runs: [SegmentRun]
  let media: AddressTemplate
  let initialization: InitializationSection?
  /// The number of the period.
  let period: Int64
  /// The last run goes on for ever.
  let isEndless: Bool

  var count: Int { runs.last.map { $0.index + $0.count } ?? 0 }

  func segment(at index: Int, mediaOffset: Int64) -> Segment? {
    let place = runs.partitionPoint { $0.index > index } - 1
    guard place >= 0 else { return nil }
    let run = runs[place]
    let step = index - run.index
    guard isEndless && place == runs.count - 1 || step < run.count,
      let offset = run.duration.multiplied(by: Int64(step)), let start = run.start.adding(offset),
      let number = run.number.adding(Int64(step)), start.adding(run.duration) != nil,
      let stamp = start.adding(mediaOffset)
    else { return nil }
    var segment = Segment(
      number: number, address: media.address(number: number, time: stamp), start: start, duration: run.duration,
      discontinuity: period)
    segment.initialization = initialization
    return segment
  }

  /// The last segment that begins at `ticks` or before it.
  func index(at ticks: Int64) -> Int? {
    guard let first = runs.first else { return nil }
    let place = runs.partitionPoint { $0.start > ticks } - 1
    guard place >= 0 else { return first.index }
    let run = runs[place]
    guard let passed = ticks.subtracting(run.start) else { return nil }
    let step = Int(clamping: passed / run.duration)
    let isLast = place == runs.count - 1
    return run.index.addingSaturated(isLast && isEndless ? step : min(step, run.count - 1))
  }

  func index(ofNumber number: Int64) -> Int? {
    let place = runs.partitionPoint { $0.number > number } - 1
    guard place >= 0, let step = number.subtracting(runs[place].number) else { return nil }
    guard isEndless && place == runs.count - 1 || step < runs[place].count else { return nil }
    return Int(exactly: step).map { runs[place].index.addingSaturated($0) }
  }
}

/// Segments of the same duration, one behind the other. None of the numbers overflows over the run.
struct SegmentRun: Sendable, Hashable {
  /// In ticks from the period's start.
  var start: Int64
  /// In ticks; more than 0.
  var duration: Int64
  var count: Int
  /// The number of the first.
  var number: Int64
  /// The place of the first in the timeline.
  var index: Int
}
