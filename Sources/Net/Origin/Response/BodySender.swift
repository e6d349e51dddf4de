import NIOCore
import NIOPosix

/// Sends a body piece by piece: reads ahead a few pieces, and no more until the kernel has accepted one.
///
/// So a client that reads slowly holds some pieces in memory, however large the file is. Used on the event loop alone.
final class BodySender {
  /// What happens next.
  enum Event {
    /// All bytes up to the limit were accepted.
    case reachedLimit
    /// So many bytes more were accepted.
    case sent(Int)
    /// The file could not be read, or ended before.
    case failed
  }

  private let body: ResponsePlan.Body
  private let pool: NIOThreadPool
  private let loop: any EventLoop
  private let pieceBytes: Int
  private let aheadBytes: () -> Int
  private let write: (ByteBuffer) -> EventLoopFuture<Void>
  private let onEvent: (Event) -> Void
  private var offset: Int64 = 0
  private var limit: Int64 = 0
  /// Pieces that are being read or wait to be accepted.
  private var ahead = 0
  private var isReading = false
  private var hasToldLimit = false
  private var isEnded = false

  /// - Parameters:
  ///   - pieceBytes: of each piece but the last.
  ///   - aheadBytes: that it may hold now; it holds four pieces at least.
  ///   - write: hands bytes to the connection; its future succeeds once the kernel has accepted them.
  ///   - onEvent: called on the event loop.
  init(
    _ body: ResponsePlan.Body, pool: NIOThreadPool, loop: any EventLoop, pieceBytes: Int,
    aheadBytes: @escaping () -> Int,
    write: @escaping (ByteBuffer) -> EventLoopFuture<Void>, onEvent: @escaping (Event) -> Void
  ) {
    self.body = body
    self.pool = pool
    self.loop = loop
    self.pieceBytes = pieceBytes
    self.aheadBytes = aheadBytes
    self.write = write
    self.onEvent = onEvent
  }

  /// Sends the body up to its byte `limit`, from where the last call ended.
  func send(upTo limit: Int64) {
    self.limit = limit
    hasToldLimit = false
    advance()
  }

  /// Reads no further, and tells nothing more.
  func end() { isEnded = true }

  private func advance() {
    while !isEnded, !isReading, ahead < max(4, aheadBytes() / pieceBytes), offset < limit {
      let count = Int(min(Int64(pieceBytes), limit - offset))
      ahead += 1
      switch body {
      case .none: fail()
      case .bytes(let bytes):
        guard let piece = bytes.getSlice(at: bytes.readerIndex + Int(offset), length: count) else { return fail() }
        pass(piece)
      case .file(let file, let range): read(file, at: range.lowerBound + offset, count: count)
      }
    }
    guard !isEnded, !hasToldLimit, offset == limit, ahead == 0 else { return }
    hasToldLimit = true
    onEvent(.reachedLimit)
  }

  private func read(_ file: ServedFile, at place: Int64, count: Int) {
    isReading = true
    let bytes = pool.runIfActive(eventLoop: loop) { try file.read(at: place, count: count) }
    bytes.assumeIsolated().whenComplete { [weak self] result in
      guard let self else { return }
      isReading = false
      guard case .success(let piece) = result, piece.readableBytes == count else { return fail() }
      pass(piece)
      advance()
    }
  }

  private func pass(_ piece: ByteBuffer) {
    let count = piece.readableBytes
    offset += Int64(count)
    write(piece).assumeIsolated().whenComplete { [weak self] result in
      guard let self, !isEnded else { return }
      ahead -= 1
      // A connection that fails is closed, which ends this as well.
      guard case .success = result else { return }
      onEvent(.sent(count))
      advance()
    }
  }

  private func fail() {
    guard !isEnded else { return }
    end()
    onEvent(.failed)
  }
}
