import Frames
import Glibc
import Verdict

/// A way of playing a clip several times at once.
protocol PlayerLoad {
  /// Plays so many, which begin together, until the last has ended.
  ///
  /// Throws where they cannot be opened or started; what one failed with while it played is in its outcome.
  ///
  /// - Parameters:
  ///   - threads: of each one's decoder.
  ///   - allowance: all end as soon as one has shown more frames than this too late, or never; nil: they play to their end.
  func play(_ count: Int, threads: Int, allowance: Int?) throws(Failure) -> LoadRound
}

/// What came of it.
struct LoadRound {
  var outcomes: [TrialOutcome]
  /// Processor time of all of them ÷ time.
  var processors: Double?

  var streams: [Density.Stream] { outcomes.compactMap(\.density.own) }
  /// All were in real time, to their end.
  var holds: Bool {
    outcomes.allSatisfy { $0.failure == nil && $0.density.own?.isInRealTime == true }
  }
  /// The first that failed with something; nil: none did.
  var failure: Failure? { outcomes.lazy.compactMap { $0.failure?.failure }.first { $0.kind != .cancelled } }
}

/// When each of several players begins: one frame's time has room for all of them, so that the machine's work is spread as evenly as that
/// of players which know nothing of each other is on average.
struct LoadStart: Sendable {
  private let first: MonotonicTime
  /// ms
  private let step: Double
  /// Until all threads or processes have heard of it, ms.
  private static let notice = 50.0

  init(of count: Int, frameRate: Double) {
    first = MonotonicTime.now.advanced(byMilliseconds: Self.notice)
    step = 1000 / max(1, frameRate) / Double(count)
  }

  func order(_ index: Int, allowance: Int?) -> LoadPlayer.Order {
    LoadPlayer.Order(start: first.advanced(byMilliseconds: Double(index) * step), allowance: allowance)
  }
}

/// Processor time of this process so far, s.
func processorSeconds() -> Double {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
  return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
