import Adaptation
import Frames
import HTTP
import Support
import Testing

import Streaming

/// What a stream tells of its requests is what the server saw, and each byte of each segment arrives once.
@Suite(.tier(.test)) struct AccountingTests {
  /// A stream, a link, a controller, faults and jumps, all by chance.
  private struct Case {
    let transport: VirtualTransport
    let options: StreamOptions
    let counter: Counter

    final class Counter {
      var (faults, jumps) = (0, 0)
      /// Requests that were made before the last jump.
      var before = 0
    }

    init(seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      let form = VirtualStream.Form.allCases.randomElement(using: &generator) ?? .hls
      let stream = try VirtualStream.random(form, isConstant: .random(using: &generator), using: &generator)
      transport = VirtualTransport(stream, over: try Self.network(&generator))
      let names = ["fixed:0", "lowest", "throughput", "bola", "dynamic", "mpc", "bba", ""]
      let name = names.randomElement(using: &generator) ?? ""
      var options = StreamOptions(
        controller: ControllerChoice(name) ?? RandomController.choice(seed: generator.next()))
      options.load.maximum = .random(in: 4...30, using: &generator)
      options.load.minimum = options.load.maximum * .random(in: 0.3...1, using: &generator)
      options.load.afterAbandoning = .random(using: &generator) ? .decidesAgain : .takesLowerRung
      options.seed = generator.next()
      self.options = options
      let counter = Counter()
      self.counter = counter
      let share: Double = [0, 0.02, 0.1, 0.3].randomElement(using: &generator) ?? 0
      let lacking = Set(
        stream.files.keys.sorted().filter { _ in Double.random(in: 0..<1, using: &generator) < share / 5 }
          .filter { Int($0.split(separator: "/").last ?? "") != nil })
      transport.fault = { row, _ in
        guard row.path != stream.manifest else { return nil }
        let fault =
          lacking.contains(row.path)
          ? .status(404, retryAfter: nil)
          : Double.random(in: 0..<1, using: &generator) < share
            ? Self.fault(of: stream.files[row.path], &generator) : nil
        if fault != nil { counter.faults += 1 }
        return fault
      }
      jump(stream.table.durations.reduce(0, +), &generator)
    }

    /// To places of the stream, while it plays; after its end the clock stands still.
    private func jump(_ seconds: Double, _ generator: inout SeededGenerator) {
      for _ in 0..<max(0, Int.random(in: -2...3, using: &generator)) {
        let place = MediaTime(seconds: .random(in: 0..<seconds, using: &generator))
        transport.at(.random(in: 0..<seconds, using: &generator)) { [counter, unowned transport] store in
          guard store.seek(to: place) else { return }
          (counter.jumps, counter.before) = (counter.jumps + 1, transport.log.count)
        }
      }
    }

    private static func network(_ generator: inout SeededGenerator) throws -> NetworkTrace {
      var periods = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
        NetworkTrace.Period(
          seconds: .random(in: 0.5...12, using: &generator),
          bitsPerSecond: .random(in: 15_000...900_000, using: &generator),
          roundTrip: .random(in: 0...0.3, using: &generator))
      }
      if periods.count > 2, .random(using: &generator) { periods[1].bitsPerSecond = 0 }
      return try NetworkTrace(name: "random", periods: periods)
    }

    private static func fault(of file: VirtualStream.File?, _ generator: inout SeededGenerator) -> VirtualFault {
      let place = Int.random(in: 0...max(1, file?.count ?? 0), using: &generator)
      switch Int.random(in: 0..<32, using: &generator) {
      case 0..<6: return .status(503, retryAfter: Double(Int.random(in: 0...3, using: &generator)))
      case 6..<8: return .status(500, retryAfter: nil)
      case 8..<20: return .lost(after: place)
      case 20..<26: return .stall(after: place, seconds: .random(in: 0.1...20, using: &generator))
      case 26..<30: return .ignoresRange
      case 30: return .wrongPart
      default: return .changed
      }
    }
  }

  @Test func requestsAndBytesAgree() throws { try Self.requestsAndBytesAgree(in: 200) }

  @Test(.tier(.full)) func requestsAndBytesAgreeInAThousandRuns() throws { try Self.requestsAndBytesAgree(in: 1000) }

  private static func requestsAndBytesAgree(in runs: Int) throws {
    var generator = SeededGenerator(for: "requests and bytes agree")
    var (requests, abandoned, failed, resumed, segments, jumps) = (0, 0, 0, 0, 0, 0)
    for _ in 0..<runs {
      let seed = generator.next()
      let made = try Case(seed: seed)
      let run = try VirtualRun.of(made.transport, made.options)
      Self.check(run, made.transport.stream, made.counter, seed)
      if run.failure != nil { #expect(made.counter.faults > 0, "seed \(seed): \(run.failure?.description ?? "")") }
      requests += run.log.count
      abandoned += run.history.requests.count { if case .abandoned = $0.outcome { true } else { false } }
      failed += run.failure == nil ? 0 : 1
      resumed += run.history.requests.count { $0.attempt > 0 }
      segments += run.segments.count
      jumps += made.counter.jumps
    }
    print("accounting|virtual clock|\(runs)|\(requests)|\(resumed)|\(abandoned)|\(jumps)|\(failed)|\(segments)")
    #expect(requests > 10 * runs && resumed > runs / 4 && jumps > runs / 4 && failed <= runs / 2)
    guard runs >= 1000 else { return }
    #expect(abandoned > runs / 50 && failed >= runs / 50)
  }

  /// A rung that stands in for a lower one is not abandoned for that one again and again.
  @Test func aSubstituteDoesNotMakeWay() throws {
    let made = try Case(seed: 805_012_414_378_465_397)
    let run = try VirtualRun.of(made.transport, made.options)
    Self.check(run, made.transport.stream, made.counter, 805_012_414_378_465_397)
  }

  @Test func runsAreRepeatedToTheBit() throws {
    var generator = SeededGenerator(for: "runs are repeated to the bit")
    for _ in 0..<(Tier.selected == .full ? 100 : 20) {
      let seed = generator.next()
      let runs = try (0..<2).map { _ in
        let made = try Case(seed: seed)
        return try VirtualRun.of(made.transport, made.options)
      }
      let (isSameLog, isSameHistory) = (runs[0].log == runs[1].log, runs[0].history == runs[1].history)
      #expect(isSameLog && isSameHistory, "seed \(seed)")
      #expect(runs[0].seconds == runs[1].seconds, "seed \(seed)")
    }
  }

  private static func check(_ run: VirtualRun, _ stream: VirtualStream, _ counter: Case.Counter, _ seed: UInt64) {
    #expect(run.hasEnded, "seed \(seed): it hangs")
    #expect(run.history.requests.count == run.log.count, "seed \(seed)")
    var received: Int64 = 0
    for (request, row) in zip(run.history.requests, run.log) {
      #expect(request.url == VirtualStream.folder + row.path, "seed \(seed)")
      #expect(request.times.bytes == row.bytes && request.times.status ?? 0 == row.status, "seed \(seed): \(row)")
      #expect(request.times.queued == row.started && request.times.ended == row.ended, "seed \(seed): \(row)")
      // Each attempt goes on where the one before it ended.
      if request.attempt == 0 { received = 0 }
      let start = request.range?.first ?? 0
      #expect(row.first == start + received && row.last == request.range?.last, "seed \(seed): \(row)")
      received += row.status == 200 ? max(0, row.bytes - start - received) : row.bytes
    }
    let jumps = counter.jumps
    func loaded(_ requests: some Sequence<StreamRequest>) -> [StreamRequest] {
      requests.filter { $0.kind == .segment && $0.outcome == .finished }
    }
    let all = loaded(run.history.requests)
    let numbers = all.compactMap(\.segment)
    #expect(numbers.count == all.count && (jumps > 0 || numbers.first ?? 0 == 0), "seed \(seed)")
    #expect(zip(numbers, numbers.dropFirst()).count { $1 != $0 + 1 } <= jumps, "seed \(seed): \(numbers)")
    #expect(run.failure != nil || numbers.last == stream.table.durations.count - 1, "seed \(seed)")
    // The reader gets the segments that were loaded since the last jump.
    let read = loaded(run.history.requests.dropFirst(counter.before))
    #expect(read.count == run.segments.count, "seed \(seed)")
    #expect(run.failure != nil || !read.isEmpty, "seed \(seed)")
    for (request, bytes) in zip(read, run.segments) {
      guard let segment = request.segment, let rung = request.rung else { continue }
      let isSame = bytes == stream.bytes(of: segment, rung: rung)
      #expect(isSame, "seed \(seed): segment \(segment)")
    }
  }
}
