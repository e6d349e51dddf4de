import Decode
import Frames
import Synchronization

/// Decodes ahead on a thread of its own into a bounded queue.
///
/// One consuming thread. Frames come in order; an error comes after the frames before it.
public final class DecodeThread {
  private let queue: BoundedQueue<Result<VideoFrame, Failure>>
  private let interruption: Interruption
  private let thread: WorkerThread?
  private var isStopped = false

  /// - Parameters:
  ///   - reader: used by no one else from now on.
  ///   - interruption: the one the reader was opened with; `stop` requests it.
  ///   - lookAhead: decoded frames that may wait.
  ///   - loops: start over at the end of the clip.
  public init(reader: FrameReader, interruption: Interruption, lookAhead: Int = 4, loops: Bool = false) {
    let queue = BoundedQueue<Result<VideoFrame, Failure>>(capacity: lookAhead)
    let source = Source(reader: reader)
    do throws(Failure) {
      thread = try WorkerThread { source.fill(queue, loops: loops) }
    } catch {
      thread = nil
      _ = queue.put(.failure(error))
      queue.finish()
    }
    self.queue = queue
    self.interruption = interruption
  }

  deinit {
    stop()
  }

  /// Frames waiting.
  public var queuedFrames: Int { queue.count }

  /// The next frame; waits for it. Nil at the end of the clip, or once stopped.
  public func next() throws(Failure) -> VideoFrame? {
    switch queue.take() {
    case .success(let frame): return frame
    case .failure(let failure): throw failure
    case nil: return nil
    }
  }

  /// Ends decoding and waits for the thread; frames already handed out stay valid.
  public func stop() {
    guard !isStopped else { return }
    isStopped = true
    interruption.request()
    queue.cancel()
    thread?.join()
  }

  /// Carries the reader to its thread. Only that thread touches it.
  private final class Source: @unchecked Sendable {
    private let reader: FrameReader

    init(reader: FrameReader) {
      self.reader = reader
    }

    func fill(_ queue: BoundedQueue<Result<VideoFrame, Failure>>, loops: Bool) {
      defer { queue.finish() }
      do throws(Failure) {
        while true {
          if var frame = try reader.next() {
            frame.timing.queued = .now
            guard queue.put(.success(frame)) else { return }
          } else if loops {
            try reader.rewind()
          } else {
            return
          }
        }
      } catch {
        _ = queue.put(.failure(error))
      }
    }
  }
}
