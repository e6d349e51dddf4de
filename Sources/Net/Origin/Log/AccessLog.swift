import Dispatch
import FoundationEssentials
import Frames
import Glibc
import Synchronization

/// Rows of an origin's requests, in memory, in a file, or both.
///
/// Rows are added on the event loop; a queue of its own writes the file, so that a slow disk holds up no response. Any
/// thread may read.
final class AccessLog: Sendable {
  private struct State {
    var rows: [OriginRequest] = []
    var isKept: Bool
    /// Rows on their way to the file.
    var pending = 0
    var lost = 0
    var problem: String?
  }

  /// Rows that may wait for the disk; later ones are counted and dropped.
  private static let pendingLimit = 100_000

  private let state: Mutex<State>
  private let path: String?
  private let file: FileDescriptor?
  private let queue = DispatchQueue(label: "bench360.origin.log")

  /// - Parameters:
  ///   - path: of a file to write, which is replaced; nil: none.
  ///   - isKept: whether rows are kept in memory.
  ///
  /// Throws `.output` where the file cannot be created.
  init(path: String?, isKept: Bool) throws(Failure) {
    state = Mutex(State(isKept: isKept))
    self.path = path
    guard let path else {
      file = nil
      return
    }
    let number = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o666)
    guard number >= 0 else {
      throw Failure(
        .output, "cannot write the log to '\(path)'", cause: String(cString: strerror(errno)).lowercased(),
        remedy: "name a file in a folder that can be written")
    }
    file = FileDescriptor(owning: number)
  }

  /// In the order of arrival; empty where rows are not kept.
  var rows: [OriginRequest] { state.withLock { $0.rows }.sorted { $0.number < $1.number } }

  func add(_ row: OriginRequest) {
    let isWritten = state.withLock { state in
      if state.isKept { state.rows.append(row) }
      guard file != nil else { return false }
      guard state.pending < Self.pendingLimit, state.problem == nil else {
        state.lost += 1
        return false
      }
      state.pending += 1
      return true
    }
    guard isWritten else { return }
    queue.async { [self] in
      let problem = write(row)
      state.withLock { state in
        state.pending -= 1
        if let problem { (state.problem, state.lost) = (state.problem ?? problem, state.lost + 1) }
      }
    }
  }

  /// Waits until all rows are written. Throws `.output` where some could not be.
  func finish() throws(Failure) {
    queue.sync {}
    let (lost, problem) = state.withLock { ($0.lost, $0.problem) }
    guard lost > 0, let path else { return }
    throw Failure(
      .output, "cannot write the log to '\(path)'",
      cause: "\(lost) lines are missing: \(problem ?? "the disk is too slow")", remedy: "write it to another disk")
  }

  /// Why it could not be written; nil where it was.
  private func write(_ row: OriginRequest) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let file, let json = try? encoder.encode(row) else { return "a row is not JSON" }
    var bytes = Array(printableJSON(String(decoding: json, as: UTF8.self)).utf8 + [UInt8(ascii: "\n")])[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(file.rawValue, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno != EINTR {
        return String(cString: strerror(errno)).lowercased()
      }
    }
    return nil
  }
}
