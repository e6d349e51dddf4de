import Decode
import Frames
import Media

/// Decodes ahead on a thread of its own and carries out seeks: for a player that must never wait (`drain`), and for a
/// consumer that takes frames as fast as they come (`next`).
///
/// One consuming thread. Frames come in order, each with its place on the timeline; an error comes after the frames before
/// it. Frames count as load until they are released.
public final class FrameFeed: FrameSource {
  private let shared: FeedState
  private let interruption: Interruption
  private let thread: WorkerThread?
  /// What is exchanged for what waits: neither is allocated again.
  private var spare: [FeedItem] = []
  private var isStopped = false

  /// Where decoding begins.
  public enum Start: Sendable {
    /// With the first frame, as soon as it can be had: a person waits for it.
    case soon
    /// With the first frame, when the decoder gives it: throughput is measured.
    case inOrder
    /// With the first order.
    case ordered
  }

  /// - Parameters:
  ///   - reader: used by the feed alone from now on.
  ///   - interruption: the one the reader was opened with; `stop` requests it.
  ///   - loops: start over at the end of the clip; the timeline goes on.
  public init(
    reader: any FrameReading, interruption: Interruption, loadControl: LoadControl = LoadControl(), loops: Bool = false,
    start: Start = .soon
  ) {
    let shared = FeedState(loadControl, loops: loops, isParked: start == .ordered)
    let decoding = Decoding(reader: reader, interruption, showsFirstSoon: start != .inOrder)
    do throws(Failure) {
      thread = try WorkerThread { decoding.serve(shared) }
    } catch {
      thread = nil
      shared.finish(.failed(error))
    }
    self.shared = shared
    self.interruption = interruption
  }

  deinit {
    stop()
  }

  public func drain(_ take: (FeedItem) -> Void) -> FrameSupply {
    let supply = shared.exchange(&spare)
    for item in spare { take(item) }
    spare.removeAll(keepingCapacity: true)
    return supply
  }

  /// The next frame; waits for it, and releases it at once. Nil at the end of the clip, and once stopped. Not to be mixed with
  /// orders.
  ///
  /// Throws what decoding failed with, after the frames before it.
  public func next() throws(Failure) -> VideoFrame? {
    let (next, supply) = shared.takeNext()
    if next == nil, case .failed(let failure) = supply { throw failure }
    return next?.frame?.frame
  }

  /// Frames that wait to be taken.
  public var queuedFrames: Int { shared.queuedFrames }

  public func release() { shared.release() }

  public func request(_ effort: DecodeEffort) { shared.request(effort) }

  public func go(_ order: SeekOrder, id: Int, waits: Bool) {
    shared.put(order, id: id, waits: waits)
    interruption.supersede()
  }

  public func goOn() { shared.goOn() }

  public var framesLeftOut: Int { shared.framesLeftOut }

  public var framesDiscarded: Int { shared.framesDiscarded }

  /// Whether it starts over at the end of the clip.
  public var loops: Bool {
    get { shared.loops }
    set { shared.loops = newValue }
  }

  /// Waits until it has decoded as far ahead as it may, or can go no further: before playing begins.
  public func fill() { shared.waitUntilFull() }

  /// Waits until an item can be taken, or none will come, or until `deadline`.
  public func wait(until deadline: MonotonicTime? = nil) { shared.waitForSomething(until: deadline) }

  /// Ends decoding and waits for the thread; frames already handed out stay valid.
  public func stop() {
    guard !isStopped else { return }
    isStopped = true
    interruption.request()
    shared.stop()
    thread?.join()
  }
}

/// The decoding thread's own; only that thread touches it.
private final class Decoding: @unchecked Sendable {
  private let reader: any FrameReading
  private let interruption: Interruption
  private var timeline = Timeline()
  private var passage = Timeline.Passage.onward
  /// The next frame is the clip's first, and wanted as soon as it can be had.
  private var showsFirstSoon: Bool

  init(reader: any FrameReading, _ interruption: Interruption, showsFirstSoon: Bool) {
    (self.reader, self.interruption, self.showsFirstSoon) = (reader, interruption, showsFirstSoon)
  }

  func serve(_ shared: FeedState) {
    while let task = shared.next() {
      do throws(Failure) {
        try carryOut(task, shared)
      } catch {
        // An order came while the reader waited for media: it is the next task.
        if error.kind == .cancelled, interruption.isSuperseded, !interruption.shouldStop { continue }
        return shared.finish(.failed(error))
      }
    }
  }

  private func carryOut(_ task: FeedState.Task, _ shared: FeedState) throws(Failure) {
    switch task {
    case .order(let order, let id):
      interruption.follow()
      try land(order, id, shared)
    case .frame(let effort):
      if let effort { try apply(effort) }
      try decode(shared)
    }
  }

  private func decode(_ shared: FeedState) throws(Failure) {
    let frame = try showsFirstSoon ? reader.first() : reader.next()
    showsFirstSoon = false
    if let frame {
      shared.put(placed(frame), framesLeftOut: reader.framesLeftOut)
    } else if shared.loops {
      try reader.rewind()
      passage = .restart
    } else {
      shared.finish(reader.prematureEnd.map { .endedEarly($0) } ?? .ended, framesLeftOut: reader.framesLeftOut)
    }
  }

  private func land(_ order: SeekOrder, _ id: Int, _ shared: FeedState) throws(Failure) {
    let before = reader.framesDecoded
    showsFirstSoon = false
    reader.skipsNonReferences = false
    let frame =
      switch order {
      case .seek(let request): try reader.seek(request)
      case .before(let time): try reader.previous(to: time)
      case .next: try reader.next()
      }
    if order != .next { passage = .jump }
    shared.land(
      SeekLanding(id: id, frame: frame.map(placed), framesDecoded: reader.framesDecoded - before),
      framesLeftOut: reader.framesLeftOut)
  }

  private func apply(_ effort: DecodeEffort) throws(Failure) {
    reader.skipsNonReferences = effort != .everything
    guard case .syncSample(let place) = effort else { return }
    try reader.leap(toSyncSampleAfter: timeline.stamp(at: place))
    passage = .leap
  }

  private func placed(_ frame: VideoFrame) -> QueuedFrame {
    var frame = frame
    frame.timing.queued = .now
    let time = timeline.place(of: frame.presentationTime, duration: frame.duration, passage)
    passage = .onward
    return QueuedFrame(place: PacedFrame(index: 0, time: time, duration: frame.duration), frame: frame)
  }
}
