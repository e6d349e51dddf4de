import Frames

/// The records of ended requests, in the order in which they ended, for any number of readers. Any thread.
///
/// Holds the newest ones only: a reader that comes too late is told how many it has missed.
public final class RequestLog: Sendable {
  /// Records held.
  public let capacity: Int
  private let monitor = Monitor(State())

  private struct State {
    /// As a ring, once it is full; the record of place `p` lies at `p % capacity`.
    var records: [RequestRecord] = []
    /// How many were ever added.
    var count = 0
  }

  /// A reader's place.
  public struct Cursor: Sendable, Hashable {
    fileprivate var place = 0
    /// Records that were dropped before they were read.
    public fileprivate(set) var missed = 0

    /// Before the first record.
    public init() {}
  }

  public init(capacity: Int = 65_536) { self.capacity = max(1, capacity) }

  /// How many records were ever added.
  public var count: Int { monitor.read { $0.count } }

  func add(_ record: RequestRecord) {
    monitor.withLock { state in
      if state.records.count < capacity {
        state.records.append(record)
      } else {
        state.records[state.count % capacity] = record
      }
      state.count += 1
    }
  }

  /// The records after a reader's place, the oldest first, which it moves.
  public func take(_ cursor: inout Cursor) -> [RequestRecord] {
    let place = cursor.place
    let (records, start) = monitor.read { state in
      let start = max(place, state.count - state.records.count)
      return (Range(from: start, to: state.count).map { state.records[$0 % capacity] }, start)
    }
    cursor.missed += start - place
    cursor.place = start + records.count
    return records
  }

  /// Waits until so many records were ever added; false where they were not at `end`.
  package func wait(forCount count: Int, seconds: Double) -> Bool {
    monitor.wait(until: .now.advanced(byMilliseconds: seconds * 1000)) { $0.count >= count ? true : nil } ?? false
  }
}
