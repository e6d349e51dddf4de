import Decode
import Frames
import Media
import Synchronization

/// A track of subtitles that is read on a thread of its own; events can be shown before the whole track is read. Made for a loop that draws:
/// only `stop` and `waitUntilComplete` wait. Any thread may call any member.
public final class SubtitleFeed: Sendable {
  private let changes = Changes()
  private let interruption = Interruption()
  private let thread: WorkerThread?
  private let isStopped = Atomic<Bool>(false)

  /// The events read so far, and how reading goes.
  public struct State: Sendable {
    /// Nil: the track is being opened, or could not be.
    public var script: SubtitleScript?
    public var events = SubtitleEvents()
    /// All of it is read, or what could be.
    public var isComplete = false
    /// What should be known about how it was read.
    public var note: String?
    /// Why reading failed.
    public var failure: Failure?

    /// Nothing yet.
    public init() {}
  }

  /// Where the thread of a feed publishes its progress.
  package final class Changes: Sendable {
    fileprivate let state = Mutex(State())
    fileprivate let version = Atomic<Int>(0)

    fileprivate init() {}

    package func change(_ body: (inout State) -> Void) {
      state.withLock { body(&$0) }
      version.add(1, ordering: .releasing)
    }
  }

  /// Reads a track of a clip, or a file.
  ///
  /// - Parameter clip: that holds the track; nil where it is a file of its own.
  public convenience init(_ track: SubtitleTrack, of clip: ProbedClip?) {
    self.init { changes, interruption in serve(changes, track, clip, interruption) }
  }

  /// - Parameter read: called once, on the feed's thread; returns soon after the interruption was requested.
  package init(read: @escaping @Sendable (Changes, Interruption) -> Void) {
    let (changes, interruption) = (changes, interruption)
    do throws(Failure) {
      thread = try WorkerThread { read(changes, interruption) }
    } catch {
      thread = nil
      changes.change { ($0.failure, $0.isComplete) = (error, true) }
    }
  }

  deinit {
    stop()
  }

  /// Counts the times that `state` has become another one: looking at it costs nothing.
  public var version: Int { changes.version.load(ordering: .acquiring) }

  public var state: State { changes.state.withLock { $0 } }

  /// Waits until all is read; nothing is read again.
  package func waitUntilComplete() {
    guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    thread?.join()
  }

  /// Ends reading and waits for the thread.
  public func stop() {
    guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    interruption.request()
    thread?.join()
  }
}

/// When events are published: at first each one, then less and less often, since each time all of them are copied; at
/// the latest after a quarter of a second. Pure.
package struct SubtitlePublishing {
  private var (count, time): (Int, MonotonicTime)

  package init(at now: MonotonicTime) { (count, time) = (0, now) }

  package mutating func isDue(_ count: Int, at now: MonotonicTime) -> Bool {
    guard count > self.count else { return false }
    guard count >= self.count + max(1, self.count / 4) || now.milliseconds(since: time) >= 250 else { return false }
    (self.count, time) = (count, now)
    return true
  }
}

/// The feed's thread.
private func serve(
  _ changes: SubtitleFeed.Changes, _ track: SubtitleTrack, _ clip: ProbedClip?, _ interruption: Interruption
) {
  var events: [SubtitleEvent] = []
  var failure: Failure?
  do throws(Failure) {
    let reader = try SubtitleReader(track, of: clip, interruption: interruption)
    changes.change { ($0.script, $0.note) = (reader.script, reader.note) }
    var publishing = SubtitlePublishing(at: .now)
    while let event = try reader.next() {
      events.append(event)
      guard publishing.isDue(events.count, at: .now) else { continue }
      let known = SubtitleEvents(events)
      changes.change { $0.events = known }
    }
    if events.isEmpty {
      let nothing = track.streamIndex.map { "there are none in stream \($0)" } ?? "there are none in it"
      failure = Failure(
        .media, "cannot show subtitles of '\(track.file ?? clip?.info.path ?? "")'",
        cause: reader.tooLong > 0 ? "each of them is longer than \(SubtitleReader.eventByteLimit >> 10) KiB" : nothing,
        remedy: "take another track")
    }
  } catch {
    failure = error
  }
  let known = SubtitleEvents(events)
  let end = failure
  changes.change { ($0.events, $0.failure, $0.isComplete) = (known, end, true) }
}
