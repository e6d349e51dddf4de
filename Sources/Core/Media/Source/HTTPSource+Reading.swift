import Frames
import HTTP
import Logging

// Reading: from what is held, from a request under way, or by another one.
extension HTTPSource {
  /// As `read`, with the problem where there is one.
  func bytes(
    at offset: Int64, _ target: UnsafeMutableRawBufferPointer, unless interruption: Interruption?
  ) throws(HTTPProblem) -> Int {
    if let total = validator.total, offset >= total { return 0 }
    while true {
      if let count = held(at: offset, target) { return count }
      do throws(HTTPProblem) {
        var reading =
          if let idle = takeReading(for: offset) { idle } else { try request(from: offset, unless: interruption) }
        try skip(to: offset, &reading, unless: interruption)
        let count = try reading.read(into: target, unless: interruption)
        guard count > 0 else {
          guard let total = validator.total, offset < total else { return 0 }
          // A part that was shorter than asked for is no failure, unless it was nothing.
          guard reading.position > reading.start else { throw HTTPProblem.truncated(at: offset, of: total) }
          continue
        }
        keep(target, count, at: offset, reading)
        return count
      } catch {
        try pause(after: error, unless: interruption)
      }
    }
  }

  /// Bytes that were read before; nil where there are none at the offset.
  private func held(at offset: Int64, _ target: UnsafeMutableRawBufferPointer) -> Int? {
    guard let address = target.baseAddress else { return nil }
    nonisolated(unsafe) let place = address
    let count = state.withLock { $0.cache.read(at: offset, into: place, count: target.count) }
    return count > 0 ? count : nil
  }

  /// The request under way that comes to an offset soonest, which is then the caller's.
  private func takeReading(for offset: Int64) -> HTTPReading? {
    // Without ranges a new request would begin before all that lies between.
    let distance = isSeekable ? Self.readThrough : .max
    return state.withLock { state in
      let place = state.readings.indices.filter { state.readings[$0].reaches(offset, within: distance) }
        .max { state.readings[$0].position < state.readings[$1].position }
      return place.map { state.readings.remove(at: $0) }
    }
  }

  private func keep(_ target: UnsafeMutableRawBufferPointer, _ count: Int, at offset: Int64, _ reading: HTTPReading) {
    guard let address = target.baseAddress else { return }
    nonisolated(unsafe) let place = address
    let dropped = state.withLock { state in
      state.cache.store(place, count: count, at: offset)
      state.progress.receive(Int64(count))
      state.trouble = nil
      state.readings.append(reading)
      return state.readings.count > Self.idleReadings ? state.readings.removeFirst() : nil
    }
    // Cancelled outside the lock.
    withExtendedLifetime(dropped) {}
  }

  /// Reads what lies before an offset, and holds the part that fits.
  private func skip(
    to offset: Int64, _ reading: inout HTTPReading, unless interruption: Interruption?
  ) throws(HTTPProblem) {
    guard reading.position < offset else { return }
    var scratch = [UInt8](repeating: 0, count: 1 << 15)
    while reading.position < offset {
      let place = reading.position
      let wanted = Int(min(Int64(scratch.count), offset - place))
      let result = scratch.withUnsafeMutableBytes { buffer in
        Result { () throws(HTTPProblem) in
          try reading.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), unless: interruption)
        }
      }
      let count = try result.get()
      guard count > 0 else { throw .truncated(at: place, of: offset) }
      scratch.withUnsafeBytes { bytes in
        guard let address = bytes.baseAddress else { return }
        nonisolated(unsafe) let source = address
        state.withLock { $0.cache.store(source, count: count, at: place) }
      }
    }
  }

  /// Another request, from an offset on; from the start where the server gives no ranges.
  private func request(from offset: Int64, unless interruption: Interruption?) throws(HTTPProblem) -> HTTPReading {
    let asksAtName = state.withLock { $0.asksAtName } || found == named
    var request = HTTPRequest(asksAtName ? named : found, asksAtName ? namedPolicy : foundPolicy)
    request.range = HTTPByteRange(first: isSeekable ? offset : 0)
    let transfer = client.start(request, .streamed(capacity: Self.bufferBytes))
    let head = try transfer.head(unless: interruption)
    if let problem = head.problem {
      // A link to where it was found may have expired: the server that led there gives a new one.
      guard !asksAtName, let status = problem.status, (400...499).contains(status) else { throw problem }
      state.withLock { $0.asksAtName = true }
      return try self.request(from: offset, unless: interruption)
    }
    guard head.validator.fits(validator) else { throw .changed }
    let start = head.status == 206 ? head.contentRange?.first ?? offset : 0
    guard start == 0 || start == offset else { throw .badResponse("the server sent another part of the file") }
    guard start == offset || !isSeekable && validator.total != nil else {
      throw .badResponse("the server sends it from the start only")
    }
    mediaLog.trace(
      "requested a file from an offset",
      metadata: ["url": "\(redactingSecrets(ofArgument: path))", "offset": "\(start)"])
    return HTTPReading(transfer, head, at: start, isResumable: isSeekable)
  }

  /// Waits as the policy says; throws the problem where it is not tried again.
  private func pause(after problem: HTTPProblem, unless interruption: Interruption?) throws(HTTPProblem) {
    // Without ranges it cannot be resumed where it was.
    guard isSeekable, problem.kind != .cancelled else { throw problem }
    let decision = state.withLock { state in
      // A connection that breaks once is resumed, which is no outage.
      let isOutage = problem.isOutage && (problem.kind != .lost || state.progress.retries > 0)
      let decision = state.progress.decide(after: problem, by: retries, now: .now)
      if case .wait = decision { state.trouble = problem.trouble } else { state.trouble = nil }
      return (isOutage, decision)
    }
    guard case (let isOutage, .wait(let seconds)) = decision else { throw problem }
    mediaLog.debug(
      "try a server again",
      metadata: [
        "url": "\(redactingSecrets(ofArgument: path))", "cause": "\(problem.cause)", "wait_s": "\(seconds)",
      ])
    guard (interruption ?? Interruption()).pause(seconds: seconds, noting: isOutage) else {
      state.withLock { $0.trouble = nil }
      throw .cancelled
    }
  }
}

extension Interruption {
  /// Waits before a request is made again; false once it asks to stop.
  ///
  /// - Parameter isOutage: whether the wait is noted as an outage, again every few seconds: a server may ask for a wait that is longer than
  ///   the limits of time, which each note moves.
  func pause(seconds: Double, noting isOutage: Bool) -> Bool {
    var rest = seconds
    repeat {
      if isOutage { noteOutage() }
      let part = min(rest, Self.notedSeconds)
      guard pause(seconds: part) else { return false }
      rest -= part
    } while rest > 0
    return true
  }

  /// An outage is noted so often.
  private static let notedSeconds = 5.0
}
