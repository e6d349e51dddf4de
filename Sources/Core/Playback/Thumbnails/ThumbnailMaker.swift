import Decode
import Dispatch
import Frames
import Glibc
import Media
import Synchronization

/// A thumbnail's current state.
public struct Thumbnail: Sendable, Hashable {
  /// How far making it has come.
  public enum Status: Sendable, Hashable {
    /// The picture is the one for that time.
    case ready
    /// It is being made; the picture is the nearest cached one, if any.
    case coming
    /// There is none, for this reason.
    case missing(Failure)
  }

  public var picture: SmallPicture?
  public var status: Status

  public init(picture: SmallPicture?, status: Status) {
    (self.picture, self.status) = (picture, status)
  }
}

/// Thumbnails along a timeline, made on a thread of its own and held up to a number of bytes.
///
/// Made for a loop that draws: nothing here but `stop` waits. The loop asks anew whenever it draws, for as many times as it
/// shows; the newest ask is served first, and times that share a sync sample, or a cue of a track, are served by one
/// picture. Any thread may call any member.
public final class ThumbnailMaker: Sendable {
  private let shared: Shared
  private let interruption: Interruption
  private let thread: WorkerThread?
  private let isStopped = Atomic<Bool>(false)

  /// - Parameters:
  ///   - byteLimit: of pictures that are held; a usual one has 50 KB.
  ///   - interruption: the one that `open` uses; `stop` requests it.
  ///   - onChange: called on the maker's thread whenever asking again may give something else: to wake the loop.
  ///   - open: gives the source; called once, on the maker's thread, where all reading happens.
  public init(
    byteLimit: Int = 32 << 20, interruption: Interruption = Interruption(),
    onChange: @escaping @Sendable () -> Void = {},
    open: @escaping @Sendable () throws(Failure) -> any ThumbnailSource
  ) {
    let shared = Shared(byteLimit: byteLimit, onChange: onChange)
    self.shared = shared
    self.interruption = interruption
    do throws(Failure) {
      thread = try WorkerThread {
        // Playing goes first. On Linux this applies to the calling thread and the threads it starts.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        serve(shared, open: open)
      }
    } catch {
      thread = nil
      shared.change { $0.fail(error) }
    }
  }

  /// Thumbnails of a clip that is open, whether it is played meanwhile or not.
  public convenience init(
    of clip: ProbedClip, options: ThumbnailOptions = ThumbnailOptions(), byteLimit: Int = 32 << 20,
    onChange: @escaping @Sendable () -> Void = {}
  ) {
    let interruption = Interruption()
    self.init(byteLimit: byteLimit, interruption: interruption, onChange: onChange) { () throws(Failure) in
      try KeyFrameReader(of: clip, options: options, interruption: interruption)
    }
  }

  /// Thumbnails of a WebVTT track: a file or a URL.
  public convenience init(
    track path: String, options: ThumbnailOptions = ThumbnailOptions(), byteLimit: Int = 32 << 20,
    onChange: @escaping @Sendable () -> Void = {}
  ) {
    let interruption = Interruption()
    self.init(byteLimit: byteLimit, interruption: interruption, onChange: onChange) { () throws(Failure) in
      try TrackReader(path: path, options: options, interruption: interruption)
    }
  }

  deinit {
    stop()
  }

  /// The thumbnail for a time, at once; requests a missing one. Times beside the clip get its first or last picture.
  public func thumbnail(at time: MediaTime) -> Thumbnail { shared.thumbnail(at: time) }

  /// Cancels a request, and others for the same picture. A request being served is finished and cached.
  public func cancel(at time: MediaTime) { shared.change { $0.cancel(at: time) } }

  /// Cancels all requests.
  public func cancelAll() { shared.change { $0.cancelAll() } }

  /// Pending requests.
  public var askCount: Int { shared.read { $0.askCount } }

  /// Bytes of pictures that are held.
  public var byteCount: Int { shared.read { $0.cache.byteCount } }

  /// Why there are no thumbnails at all, once that is known.
  public var failure: Failure? { shared.read { $0.failure } }

  /// Ends reading and waits for the thread; pictures already handed out stay.
  public func stop() {
    guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    shared.stop()
    interruption.request()
    thread?.join()
  }
}

/// State shared by the threads.
private final class Shared: Sendable {
  private struct State {
    var desk: ThumbnailDesk
    var isStopped = false
  }

  private let state: Monitor<State>
  private let onChange: @Sendable () -> Void

  init(byteLimit: Int, onChange: @escaping @Sendable () -> Void) {
    state = Monitor(State(desk: ThumbnailDesk(byteLimit: byteLimit)))
    self.onChange = onChange
  }

  func thumbnail(at time: MediaTime) -> Thumbnail {
    state.withLock { $0.desk.thumbnail(at: time, now: .now).0 }
  }

  func read<Result>(_ body: (ThumbnailDesk) -> Result) -> Result { state.read { body($0.desk) } }
  func change(_ body: (inout ThumbnailDesk) -> Void) { state.withLock { body(&$0.desk) } }

  /// Changes the desk, then calls `onChange`.
  func tell(_ body: (inout ThumbnailDesk) -> Void) {
    change(body)
    onChange()
  }

  /// Waits; nil once stopped.
  func next() -> MediaTime? {
    state.wait { state -> MediaTime?? in state.isStopped ? .some(nil) : state.desk.next().map { .some($0) } } ?? nil
  }

  func stop() { state.withLock { $0.isStopped = true } }
}

/// The maker's thread.
private func serve(_ shared: Shared, open: () throws(Failure) -> any ThumbnailSource) {
  do throws(Failure) {
    let source = try open()
    let places = source.places
    shared.tell { $0.learn(places) }
    while let time = shared.next() {
      let result: Result<SmallPicture, Failure>
      do throws(Failure) {
        result = try source.picture(at: time).map { .success($0) } ?? .failure(noPicture(time))
      } catch {
        guard error.kind != .cancelled else { throw error }
        result = .failure(error)
      }
      let places = source.places
      shared.tell {
        $0.learn(places)
        $0.answer(result, at: time, now: .now)
      }
    }
  } catch {
    shared.tell { $0.fail(error) }
  }
}

private func noPicture(_ time: MediaTime) -> Failure {
  Failure(.media, "cannot make the thumbnail at \(time.seconds) s", cause: "no frame could be decoded")
}
