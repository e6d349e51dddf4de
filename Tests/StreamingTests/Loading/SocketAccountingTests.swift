import Adaptation
import Foundation
import Frames
import Media
import Origin
import Support
import Testing

import Streaming

/// Over sockets, what a stream tells of its requests is what the origin's log tells: each request once and in its order, each byte.
@Suite(.tier(.test)) struct SocketAccountingTests {
  /// A stream in a folder, and how it is served and loaded: by chance.
  private struct Case {
    let stream: VirtualStream
    var origin = OriginOptions()
    var options: StreamOptions
    /// After how many segments the reader jumps, and where to.
    var jumps: [(after: Int, place: MediaTime)] = []

    init(seed: UInt64) throws {
      var generator = SeededGenerator(seed: seed)
      let form = VirtualStream.Form.allCases.randomElement(using: &generator) ?? .hls
      stream = try VirtualStream.random(form, isConstant: .random(using: &generator), using: &generator)
      let names = ["lowest", "throughput", "bola", "dynamic", "mpc", "bba", ""]
      let name = names.randomElement(using: &generator) ?? ""
      options = StreamOptions(controller: ControllerChoice(name) ?? RandomController.choice(seed: generator.next()))
      options.load = LoadPolicy(minimum: 600, maximum: 600)
      options.seed = generator.next()
      (options.retries.firstWaitSeconds, options.retries.longestWaitSeconds) = (0.01, 0.05)
      origin.shape = try .constant(
        bitsPerSecond: .random(in: 4e6...60e6, using: &generator), roundTrip: .random(in: 0...0.01, using: &generator))
      let share: Double = [0, 0.05, 0.2].randomElement(using: &generator) ?? 0
      origin.faults = (1...400).filter { _ in Double.random(in: 0..<1, using: &generator) < share }.map { number in
        // The manifest is whole: without it there is no stream.
        FaultRule(
          path: "/?/**", nthInAll: [Int64(number)],
          Self.fault(Int64.random(in: 0...40_000, using: &generator), &generator)
        )
      }
      let count = stream.table.durations.count
      for _ in 0..<max(0, Int.random(in: -1...4, using: &generator)) {
        let seconds = Double.random(in: 0..<stream.table.durations.reduce(0, +), using: &generator)
        jumps.append((Int.random(in: 0...count / 3, using: &generator), MediaTime(seconds: seconds)))
      }
    }

    /// All kinds but a wrong length: by that one the origin and its client count other bytes.
    private static func fault(_ place: Int64, _ generator: inout SeededGenerator) -> any Fault {
      switch Int.random(in: 0..<16, using: &generator) {
      case 0..<3: StatusFault(503, retryAfter: 0)
      case 3: StatusFault(500)
      case 4: StatusFault(404)
      case 5..<8: ResetFault(after: place)
      case 8: ResetFault(after: nil)
      case 9..<12: TruncatedFault(after: place)
      case 12: StallFault(after: place, seconds: 0.1)
      case 13: StallFault(after: nil, seconds: 0.1)
      case 14: SlowHeadersFault(seconds: 0.05)
      default: ClockSkewFault(seconds: 3600)
      }
    }
  }

  /// What a run came to.
  private struct Run {
    var requests: [StreamRequest] = []
    var rows: [OriginRequest] = []
    var jumps = 0
    var failure: Failure?
    /// Segments that a reader got to their end, and those of them that are none of the stream.
    var (segments, strange) = (0, 0)
  }

  private static func run(_ made: Case) throws -> Run {
    try TestFolders.withTemporary { folder in
      try made.stream.write(to: folder)
      let origin = try Origin.start(folder, options: made.origin)
      var run = Run()
      do throws(Failure) {
        let stream = try LoadedStream(origin.url + made.stream.manifest, made.options)
        do throws(Failure) { try read(stream, made, &run) } catch { run.failure = error }
        stream.stop()
        run.requests = stream.history.requests
      } catch {
        run.failure = error
      }
      try origin.stop()
      run.rows = origin.log
      return run
    }
  }

  private static func read(_ stream: LoadedStream, _ made: Case, _ run: inout Run) throws(Failure) {
    var (jumps, sinceJump) = (made.jumps[...], 0)
    while let segment = try stream.store.next(unless: Interruption(), orSuperseded: false) {
      if let jump = jumps.first, sinceJump >= jump.after {
        jumps.removeFirst()
        sinceJump = 0
        if stream.store.seek(to: jump.place) { run.jumps += 1 }
        continue
      }
      sinceJump += 1
      let bytes = VirtualRun.bytes(of: segment)
      guard segment.bytes.isWhole else { continue }
      run.segments += 1
      if made.stream.name(of: bytes) == nil { run.strange += 1 }
    }
  }

  // MARK: - Agreement

  private static func path(_ request: StreamRequest) -> String { URL(string: request.url)?.path ?? request.url }

  /// The row tells of this request.
  private static func agree(_ request: StreamRequest, _ row: OriginRequest, received: Int64) -> Bool {
    let first = (request.range?.first ?? 0) + received
    let last = request.range?.last
    let range = first > 0 || last != nil ? "bytes=\(first)-" + (last.map { "\($0)" } ?? "") : nil
    guard path(request) == row.path, range == row.range else { return false }
    let isCut = if case .finished = request.outcome { false } else { row.end != .complete }
    switch request.outcome {
    case .finished, .failed:
      guard request.times.status ?? 0 == row.status else { return false }
      // Of an answer that refuses, the client leaves at the header.
      if case .failed = request.outcome, row.status >= 400, request.times.bytes < row.bytes { return true }
      return request.times.bytes == row.bytes && (isCut || row.end == .complete)
    // Bytes on their way when the client left are in the log of the origin alone.
    case .abandoned, .cancelled: return request.times.bytes <= row.bytes
    }
  }

  /// Each request has its row, in order; one that was cancelled before it was sent may have none.
  private static func agree(
    _ requests: ArraySlice<StreamRequest>, _ rows: ArraySlice<OriginRequest>, received: Int64 = 0
  ) -> Bool {
    guard let request = requests.first else { return rows.isEmpty }
    let received = request.attempt == 0 ? 0 : received
    if let row = rows.first, agree(request, row, received: received) {
      let isBody = (200...299).contains(request.times.status ?? 0)
      let more = received + (isBody ? request.times.bytes : 0)
      if agree(requests.dropFirst(), rows.dropFirst(), received: more) { return true }
    }
    guard request.outcome == .cancelled, request.times.status == nil else { return false }
    return agree(requests.dropFirst(), rows, received: received)
  }

  /// Both lists, for a seed that fails.
  private static func text(_ run: Run) -> String {
    let requests = run.requests.map {
      "\(path($0)) \($0.range.map { "\($0)" } ?? "") #\($0.attempt) \($0.times.status ?? 0) \($0.times.bytes) \($0.outcome)"
    }
    let rows = run.rows.map {
      "\($0.path) \($0.range ?? "") \($0.status) \($0.bytes) \($0.end) \($0.faults ?? [])"
    }
    return (["", "the stream's:"] + requests + ["the origin's:"] + rows).joined(separator: "\n")
  }

  /// `Benchmarks/streams/accounting` wants 50 runs.
  private static let runs = ProofSize.count("BENCH360_SOCKET_RUNS", usual: 10)

  @Test func requestsAndBytesAgree() throws {
    var generator = SeededGenerator(for: "requests and bytes agree over sockets")
    var (requests, resumed, abandoned, jumps, failed, segments) = (0, 0, 0, 0, 0, 0)
    for _ in 0..<Self.runs {
      let seed = generator.next()
      let made = try Case(seed: seed)
      let run = try Self.run(made)
      let isSame = Self.agree(run.requests[...], run.rows[...])
      #expect(isSame, "seed \(seed): \(Self.text(run))")
      #expect(run.strange == 0, "seed \(seed)")
      if let failure = run.failure { #expect(!made.origin.faults.isEmpty, "seed \(seed): \(failure)") }
      requests += run.rows.count
      resumed += run.requests.count { $0.attempt > 0 }
      abandoned += run.requests.count { if case .abandoned = $0.outcome { true } else { false } }
      (jumps, segments) = (jumps + run.jumps, segments + run.segments)
      failed += run.failure == nil ? 0 : 1
    }
    print("accounting|sockets|\(Self.runs)|\(requests)|\(resumed)|\(abandoned)|\(jumps)|\(failed)|\(segments)")
    #expect(requests > 10 * Self.runs && segments > Self.runs)
  }
}
