import Frames

/// The rows of a trial, in the order in which a frame passes them.
enum Track: String, CaseIterable {
  case phases
  case states = "stream"
  case rungs = "rung shown"
  case requests, demux, decode, queue, upload
  case flight = "in flight"
  case gpu = "GPU"
  case present
  case unseen = "not shown"
  case sound

  /// Threads have numbers unique over all trials, because some readers distinguish threads by number alone.
  static let threadsPerProcess = 10_000
}

struct Slice {
  var name: String
  var span: TimeSpan
  var isInstant = false
  /// Position in the trial's list.
  var frame: Int?
  /// The metric of this sample, if it is more than the slice's length.
  var metric: Metric?
  var value: Double?
}
