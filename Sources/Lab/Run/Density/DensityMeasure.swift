import FoundationEssentials
import Frames
import Host
import Verdict

/// Plays a clip so many times at once, or looks for the most that are in real time. One thread.
final class DensityMeasure {
  private let trial: Trial
  private let load: any PlayerLoad
  /// Frames of a stream that are due.
  private let frames: Int
  private let processors: Int
  private var threads: Int
  private var tries: [Density.Try] = []

  init(_ trial: Trial, _ load: any PlayerLoad, frameRate: Double) {
    (self.trial, self.load) = (trial, load)
    frames = Int(saturating: trial.request.settings.repetition.duration * frameRate)
    processors = CPUSet.allowed?.cpus.count ?? ProcessInfo.processInfo.activeProcessorCount
    threads = max(1, trial.request.settings.decoder.threads)
  }

  /// As many as the user asks for, to their end.
  func play(_ streams: Int) throws(Failure) {
    trial.stage("play \(count(streams))")
    let round = try load.play(streams, threads: threads, allowance: nil)
    tries.append(Density.Try(streams: streams, held: round.holds, problem: round.failure?.description))
    take(round)
    if let failure = round.failure { trial.fail(failure) }
  }

  /// The most that are in real time: found by bisection, and confirmed.
  func search(limit: Int) throws(Failure) {
    var search = DensitySearch(limit: limit)
    let duration = trial.request.settings.repetition.duration
    let end = MonotonicTime.now.advanced(byMilliseconds: max(DensitySettings.searchSeconds, 20 * duration) * 1000)
    // Of the most that held so far, or where one alone did not, of that.
    var best: LoadRound?
    while let streams = search.next, !trial.shouldStop {
      guard MonotonicTime.now < end else {
        warn("how many streams are in real time was not settled in time", "give a shorter --duration")
        break
      }
      trial.stage("try \(count(streams))")
      let round = try attempt(streams)
      guard let round, !trial.shouldStop else { break }
      if streams == 1, !round.holds, spreads() { continue }
      search.note(streams, holds: round.holds)
      if streams == 1, round.holds, let used = round.processors, used > 0 {
        search.guess = max(2, Int(saturating: Double(processors) / used))
      }
      if round.holds && streams >= best?.outcomes.count ?? 0 || best?.holds != true { best = round }
    }
    guard let best else { return }
    if search.most == limit { warn("memory or a limit of this program allows no more than \(count(limit))", nil) }
    take(best)
    if !trial.shouldStop { trial.add(.streamsMax, Double(search.most)) }
  }

  /// Nil where the user stopped it.
  private func attempt(_ streams: Int) throws(Failure) -> LoadRound? {
    do throws(Failure) {
      let round = try load.play(streams, threads: threads, allowance: frames / Density.Stream.framesPerFault)
      if streams == 1, let failure = round.failure { throw failure }
      if !trial.shouldStop {
        tries.append(Density.Try(streams: streams, held: round.holds, problem: round.failure?.description))
      }
      return round
    } catch {
      if error.kind == .cancelled, trial.shouldStop { return nil }
      // One can be played, so many cannot: there is the limit.
      guard streams > 1 else { throw error }
      tries.append(Density.Try(streams: streams, held: false, problem: error.description))
      return LoadRound(outcomes: [TrialOutcome(failing: error)])
    }
  }

  /// One stream alone was too slow: whether its decoder gets more threads, which is for the program to choose.
  private func spreads() -> Bool {
    guard trial.request.settings.decoder.threads == 0, threads < processors else { return false }
    threads = min(processors, threads * 2)
    return true
  }

  private func take(_ round: LoadRound) {
    trial.add(round.outcomes)
    let streams = round.streams
    trial.density.whole = Density(tries: tries, streams: streams)
    trial.set(.streams, [Double(streams.count)])
    trial.set(.streamLate, streams.filter { $0.due > 0 }.map { 100 * Double($0.faults) / Double($0.due) })
    let fairness = Fairness.jain(streams.map { Double(max(0, $0.due - $0.faults)) })
    trial.set(.streamFairness, fairness.map { [$0] } ?? [])
    trial.set(.streamCPU, round.processors.map { [$0 / Double(max(1, streams.count))] } ?? [])
    // Of processes of their own: theirs, all together.
    for metric in [Metric.cpuTime, .peakRSS, .gpuMemory] {
      let each = round.outcomes.compactMap { $0.samples[metric]?.first }
      if each.count == round.outcomes.count, !each.isEmpty { trial.set(metric, [each.reduce(0, +)]) }
    }
    if trial.request.settings.decoder.threads == 0 {
      trial.facts.reasons[.threads] = "the fewest with which one stream alone is in real time"
    }
    if round.outcomes.contains(where: { !$0.isComplete && $0.failure == nil }) { trial.stop() }
  }

  private func warn(_ text: String, _ remedy: String?) {
    trial.facts.warnings.append(.init(code: .unsettled, text: text, remedy: remedy))
  }

  private func count(_ streams: Int) -> String { streams == 1 ? "1 stream" : "\(streams) streams" }
}
