internal import CFFmpeg
import Frames
import Glibc
import Media
import Synchronization

/// The bytes of a segment while they arrive: one thread appends, another reads and waits for what is not there yet. Any thread.
///
/// All of them are kept until the segment is released.
package final class SegmentBytes: ByteSource, RandomAccessBytes {
  package let path: String
  package var url: String { path }
  package var allowedProtocols: String { "data" }
  package var isRemote: Bool { false }
  package var bytes: (any RandomAccessBytes)? { self }
  private let monitor: Monitor<State>

  private struct State {
    var held: [UInt8] = []
    var isWhole = false
    var problem: String?
    var isTaken = false
  }

  private let headerCount: Int

  /// - Parameters:
  ///   - name: of the segment, for messages, without secrets.
  ///   - header: its initialisation section; empty where it needs none.
  package init(_ name: String, header: [UInt8] = []) {
    (path, headerCount) = (name, header.count)
    monitor = Monitor(State(held: header))
  }

  // MARK: - The writer

  package func append(_ more: UnsafeRawBufferPointer) { monitor.withLock { $0.held += more } }

  /// No more bytes come. Does nothing once they are whole or cut off.
  ///
  /// - Parameter problem: why they end too early; nil: they are whole.
  package func finish(_ problem: String? = nil) {
    monitor.withLock { state in
      guard !state.isWhole, state.problem == nil else { return }
      (state.isWhole, state.problem) = (problem == nil, problem)
    }
  }

  /// There is an initialisation section.
  package var hasHeader: Bool { headerCount > 0 }

  /// Something of the segment itself is there, or nothing will be.
  package var hasMedia: Bool {
    monitor.read { $0.held.count > headerCount || $0.isWhole || $0.problem != nil }
  }

  /// What has come of the segment itself.
  package func withMedia<Result>(_ body: (ArraySlice<UInt8>) -> Result) -> Result {
    monitor.read { body($0.held[headerCount...]) }
  }

  /// What has come, behind the initialisation section.
  package var held: [UInt8] { monitor.read { $0.held } }

  // MARK: - Pieces

  /// The movie fragments of MP4 that have come whole behind a place, as a segment of their own behind the same initialisation section,
  /// and the place behind them. Nil where none has, and for other containers.
  ///
  /// - Parameter place: in bytes of the segment itself; where a fragment begins.
  package func fragments(from place: Int) -> (bytes: SegmentBytes, end: Int)? {
    monitor.read { state in
      let first = headerCount + place
      guard let end = Self.fragmentsEnd(state.held, from: first) else { return nil }
      return (piece(state.held, Range(from: first, to: end)), end - headerCount)
    }
  }

  /// What is there behind a place, as a segment of its own; nil where nothing is.
  package func rest(from place: Int) -> SegmentBytes? {
    monitor.read { state in
      let first = headerCount + place
      return first < state.held.count ? piece(state.held, Range(from: first, to: state.held.count)) : nil
    }
  }

  private func piece(_ held: [UInt8], _ range: Range<Int>) -> SegmentBytes {
    let piece = SegmentBytes(path, header: Array(held[..<headerCount]))
    held[range].withUnsafeBytes { piece.append($0) }
    piece.finish()
    return piece
  }

  /// Behind the last media data box that is whole (ISO/IEC 14496-12 §4.2).
  private static func fragmentsEnd(_ held: [UInt8], from first: Int) -> Int? {
    var (place, end): (Int, Int?) = (first, nil)
    while held.count - place >= 16 {
      func number(_ offset: Int, _ count: Int) -> UInt64 {
        held[Range(from: place + offset, to: place + offset + count)].reduce(0) { $0 << 8 | UInt64($1) }
      }
      let size = number(0, 4) == 1 ? number(8, 8) : number(0, 4)
      guard size >= 8, size <= UInt64(held.count - place) else { break }
      let isData = held[Range(from: place + 4, to: place + 8)].elementsEqual("mdat".utf8)
      place += Int(size)
      if isData { end = place }
    }
    return end
  }

  // MARK: - The reader

  /// The reader has it: from now on its bytes cannot be replaced by others.
  package func take() { monitor.withLock { $0.isTaken = true } }
  package var isTaken: Bool { monitor.read { $0.isTaken } }
  /// All bytes are there.
  package var isWhole: Bool { monitor.read { $0.isWhole } }

  package var failure: String? { monitor.read { $0.problem } }

  /// Unknown until all are there, which libavformat is told by an error.
  package var count: Int64 {
    monitor.read { $0.isWhole ? Int64($0.held.count) : -Int64(ENOSYS) }
  }

  /// MP4 is read from its first byte to its last while it arrives; a transport stream is looked at more than once. To be asked once
  /// `hasMedia` says so.
  package var isSeekable: Bool { monitor.read { $0.held.first == Self.transportSync } }

  private static let transportSync: UInt8 = 0x47

  package func read(
    at offset: Int64, into buffer: UnsafeMutableRawPointer, count: Int, unless interruption: Interruption?
  ) -> Int {
    guard offset >= 0, count > 0 else { return 0 }
    nonisolated(unsafe) let target = buffer
    let result = monitor.wait(unless: interruption) { state -> Int? in
      let available = Int64(state.held.count) - offset
      guard available <= 0 else {
        let part = min(count, Int(available))
        state.held.withUnsafeBytes { bytes in
          guard let base = bytes.baseAddress else { return }
          target.copyMemory(from: base + Int(offset), byteCount: part)
        }
        return part
      }
      if state.problem != nil { return Int(bench_averror_eio()) }
      return state.isWhole ? 0 : nil
    }
    return result ?? Int(bench_averror_exit())
  }
}
