import Adaptation
import Frames
import HTTP
import Media
import Support
import Synchronization

import Streaming

/// A server of one stream behind a link, on a virtual clock, and the picture that plays meanwhile. The thread of the loader moves the
/// clock, so that a run depends on its arguments alone; of several loaders, one at a time runs.
///
/// After the manifest the loader waits until `begin` names the store. Other threads read the log once the loader has ended.
final class VirtualTransport: StreamTransport, @unchecked Sendable {
  /// A request as the server saw it.
  struct Row: Hashable {
    var path: String
    var first: Int64
    var last: Int64?
    var started: Double
    var status = 0
    /// Of the body, that the client read.
    var bytes: Int64 = 0
    var ended = 0.0
  }

  let stream: VirtualStream
  let network: NetworkTrace
  /// The clock ends a run that does not end.
  static let secondsLimit = 100_000.0
  /// In the order of starting.
  fileprivate(set) var log: [Row] = []
  /// What each was told.
  private(set) var reports: [CMCDReport?] = []
  /// Bytes come so often, in seconds.
  var tick = 0.01
  /// Files that come at once, however slow the link is.
  var isFree: (_ path: String) -> Bool = { _ in false }
  /// What the server does wrong; asked once for each request.
  var fault: (_ row: Row, _ number: Int) -> VirtualFault? = { _, _ in nil }
  /// Told each time that the picture has moved, and where to.
  var onPlay: (_ store: SegmentStore, _ place: Double) -> Void = { _, _ in }
  /// When the picture stood still, where, and for how long; the last one may go on.
  private(set) var stallSpans: [(place: Double, start: Double, end: Double?)] = []
  var stalls: Int { stallSpans.count }
  /// Serves a live stream instead of the files.
  var live: VirtualLive?
  /// Media seconds per second.
  var rate: (_ store: SegmentStore, _ place: Double) -> Double = { _, _ in 1 }
  /// Where playing went on, because the window had slid past it.
  private(set) var jumps: [(time: Double, place: Double)] = []
  /// Any thread.
  var isExhausted: Bool { exhausted.load(ordering: .acquiring) }
  private let exhausted = Atomic(false)
  private var time = 0.0
  /// Where the picture is.
  private(set) var place = 0.0
  private var isPlaying = false
  private var events: [(time: Double, run: (SegmentStore) -> Void)] = []
  private let store = Monitor<SegmentStore?>(nil)

  init(_ stream: VirtualStream, over network: NetworkTrace) { (self.stream, self.network) = (stream, network) }

  /// Begins to play what this store holds.
  func begin(_ store: SegmentStore) { self.store.withLock { $0 = store } }

  /// Does something when the clock comes there.
  func at(_ time: Double, _ run: @escaping (SegmentStore) -> Void) {
    events.append((time, run))
    events.sort { $0.time < $1.time }
  }

  var now: Double { time }

  /// The machine's time of day when the stream is opened.
  var wallZero = WallTime(nanoseconds: 1_800_000_000_000_000_000)
  var wall: WallTime { wallZero + MediaTime(seconds: time) }

  func pause(seconds: Double, unless interruption: Interruption) -> Bool {
    let end = time + max(0, seconds)
    if conductor != nil { return wait(for: end, unless: interruption) }
    while time < end, !interruption.shouldStop, !isExhausted {
      advance(to: min(end, max(time, events.first?.time ?? end)))
    }
    return !interruption.shouldStop && !isExhausted
  }

  /// The picture plays a second in a second, where nothing else was said.
  func pause(
    using media: Double, of store: any LoadedSegments, atMost seconds: Double, unless interruption: Interruption
  ) -> Bool {
    pause(seconds: min(media, seconds), unless: interruption)
  }

  private let origins = ReachedOrigins()
  func wasReached(_ address: StreamAddress) -> Bool { origins.contains(address) }
  func reached(_ address: StreamAddress) { origins.insert(address) }

  func start(_ request: ResourceRequest) -> any ResourceTransfer {
    let path = String(request.address.text.dropFirst(VirtualStream.folder.count))
    if path != stream.manifest { store.wait { $0.map { _ in } } }
    conductor?.enter(unless: Interruption())
    let row = Row(path: path, first: request.first, last: request.last, started: time)
    let number = log.count
    log.append(row)
    reports.append(request.report)
    return VirtualTransfer(self, number, request, fault(row, number))
  }

  /// Of a stream with sound, whose clock belongs to two loaders.
  private var soundConductor: Conductor?
  /// Nil while the manifest is loaded, by the thread that opens the stream.
  private var conductor: Conductor? { store.read { $0 != nil } ? soundConductor : nil }
  /// Where the media of a file of sound ends; nil: it is another file.
  var soundEnd: (_ path: String) -> Double? = { _ in nil }
  /// Where the sound ends that has come.
  private let heard = Mutex(0.0)
  fileprivate var heardEnd: Double {
    get { heard.withLock { $0 } }
    set { heard.withLock { $0 = newValue } }
  }

  /// The stream is loaded by two threads; of a live stream, once it was joined.
  func conductSound() {
    let loaders: @Sendable () -> Int = { [unowned self] in
      live == nil || store.read { $0?.live.edge != nil } ? 2 : 1
    }
    soundConductor = Conductor(
      count: loaders, time: { [unowned self] in time }, advance: { [unowned self] in advance(to: $0) })
  }

  /// Begins to load the stream's sound where it is played.
  func beginSound(of stream: LoadedStream) throws -> SoundSegments? {
    guard let conductor else { return nil }
    conductor.waitForThreads(1)
    if live != nil { _ = Patience.until { stream.liveEdge != nil } }
    return try stream.sound(0, interruption: Interruption())
  }

  /// All sound of a stream on demand has come, where it has any. Any thread.
  var hasAllSound: Bool { conductor == nil || heardEnd >= stream.table.durations.reduce(0, +) - 1e-6 }

  func waitForRoom(in store: any LoadedSegments, unless interruption: Interruption) {
    guard let conductor else { return store.waitForRoom(unless: interruption) }
    conductor.wait(until: .infinity, unless: interruption) { store.hasRoom }
  }

  func waitForTurn(of store: any LoadedSegments, after turn: Int) -> Bool {
    guard let conductor else { return store.waitForTurn(after: turn) }
    return conductor.wait(until: .infinity, unless: store.ending) { store.turn.number != turn }
  }

  /// Waits until then; false once the interruption asks to stop.
  fileprivate func wait(for end: Double, unless interruption: Interruption) -> Bool {
    if let conductor {
      if end > time { conductor.wait(until: end, unless: interruption) { [unowned self] in isExhausted } }
    } else if end > time {
      advance(to: end)
    }
    return !interruption.shouldStop && !isExhausted
  }

  /// Moves the clock, and the picture while there is media.
  private func advance(to end: Double) {
    while let event = events.first, event.time <= end, let store = store.withLock({ $0 }) {
      events.removeFirst()
      play(to: max(time, event.time))
      let turn = store.turn.number
      event.run(store)
      if store.turn.number != turn, store.turn.isJump { (place, isPlaying) = (store.turn.place.seconds, false) }
    }
    play(to: end)
    if time > Self.secondsLimit { exhausted.store(true, ordering: .releasing) }
  }

  private func play(to end: Double) {
    defer { time = max(time, end) }
    guard let store = store.withLock({ $0 }), end > time else { return }
    let buffer = conductor == nil ? store.bufferSeconds : max(0, min(store.bufferSeconds, heardEnd - place))
    if live != nil, store.live.wantsJump, buffer <= 0.05, let jump = store.live.takeJump() {
      _ = store.seek(to: jump)
      (place, isPlaying) = (jump.seconds, false)
      return jumps.append((time, place))
    }
    if live != nil, !isPlaying { place = store.playhead.seconds }
    // What is left by rounding is no media.
    if !isPlaying, buffer > 1e-6 {
      isPlaying = true
      if let last = stallSpans.indices.last { stallSpans[last].end = stallSpans[last].end ?? time }
    }
    guard isPlaying else { return }
    let seconds = (end - time) * rate(store, place)
    // Rounding is no stall.
    if seconds > buffer + 1e-6 {
      isPlaying = false
      stallSpans.append((place + buffer, time + buffer / max(rate(store, place), 0.01), nil))
    }
    place += min(seconds, buffer)
    store.played(to: MediaTime(seconds: place))
    if live != nil { time = max(time, end) }
    onPlay(store, place)
  }
}

/// What a server does wrong with one request.
enum VirtualFault: Hashable {
  case status(Int, retryAfter: Double?)
  /// The connection ends after so many bytes of the body.
  case lost(after: Int)
  /// Nothing comes for so many seconds, after so many bytes of the body.
  case stall(after: Int, seconds: Double)
  /// The whole file instead of the part.
  case ignoresRange
  /// Another part than was asked for.
  case wrongPart
  /// The file is a newer one.
  case changed
  /// The connection ends behind the last byte, and the length was not told.
  case endsWithoutLength
  /// No answer comes: a failure of this kind, after so many seconds.
  case unreachable(HTTPProblem.Kind, seconds: Double)
  /// A web page with status 200.
  case portal
}

private final class VirtualTransfer: ResourceTransfer {
  private let transport: VirtualTransport
  private let number: Int
  private let request: ResourceRequest
  private let fault: VirtualFault?
  private let file: VirtualStream.File?
  private let queued: Double
  private let firstByte: Double
  private var body: Range<Int> = 0..<0
  /// When parts of the body come: from `start` on, so many bytes.
  private var legs: [(start: Double, count: Int, end: Double)] = []
  private var delivered = 0
  private var ended: Double?

  init(_ transport: VirtualTransport, _ number: Int, _ request: ResourceRequest, _ fault: VirtualFault?) {
    (self.transport, self.number, self.request, self.fault) = (transport, number, request, fault)
    let path = transport.log[number].path
    queued = transport.now
    let earliest = transport.isFree(path) ? queued : transport.network.firstByte(ofRequestAt: queued)
    guard let live = transport.live else {
      (file, firstByte) = (transport.stream.files[path], earliest)
      return
    }
    let answer = live.answer(path, at: queued)
    (file, firstByte) = (answer?.file, max(earliest, answer?.ready ?? earliest))
  }

  func head(unless interruption: Interruption) throws(HTTPProblem) -> ResourceHead {
    if transport.live != nil, let whole = request.wholeSeconds, firstByte - queued > whole {
      try wait(for: queued + whole, unless: interruption)
      throw .slow(bytes: 0, seconds: whole)
    }
    if case .unreachable(let kind, let seconds) = fault {
      try wait(for: queued + seconds, unless: interruption)
      throw HTTPProblem(kind, "\(kind.rawValue)")
    }
    try wait(for: firstByte, unless: interruption)
    var (status, first) = (request.hasRange ? 206 : 200, Int(request.first))
    var problem: HTTPProblem?
    if let file {
      body = first..<max(first, min(file.count, Int(request.last ?? .max - 1) + 1))
    } else {
      (status, problem) = (404, HTTPProblem(status: 404))
    }
    if let file, first >= file.count { (status, problem) = (416, HTTPProblem(status: 416)) }
    if request.isHead { body = 0..<0 }
    switch fault {
    case .status(let code, let seconds): (status, problem) = (code, HTTPProblem(status: code, retryAfter: seconds))
    case .ignoresRange: (status, first, body) = (200, 0, 0..<(file?.count ?? 0))
    case .wrongPart: first += 1
    default: break
    }
    transport.log[number].status = status
    if problem != nil { finish() } else { plan() }
    let isOpen = fault == .endsWithoutLength
    var head = ResourceHead(
      problem: problem, address: request.address, first: Int64(first), length: isOpen ? nil : Int64(body.count),
      validator: HTTPValidator(
        entityTag: fault == .changed ? "\"newer\"" : "\"one\"", total: isOpen ? nil : file.map { Int64($0.count) }))
    if fault == .portal { head.mediaType = "text/html" }
    head.date = transport.live?.date(at: transport.now)
    return head
  }

  private func plan() {
    var parts = [(0.0, body.count)]
    switch fault {
    case .lost(let count): parts = [(0, min(count, body.count))]
    case .stall(let count, let seconds):
      parts = [(0, min(count, body.count)), (seconds, body.count - min(count, body.count))]
    default: break
    }
    var time = firstByte
    let isFree = transport.isFree(transport.log[number].path)
    for (pause, count) in parts {
      let end = isFree ? time + pause : transport.network.end(ofBytes: count, from: time + pause)
      legs.append((time + pause, count, end ?? VirtualTransport.secondsLimit * 2))
      time = legs[legs.count - 1].end
    }
  }

  /// Bytes that have come by then.
  private func arrived(by time: Double) -> Int {
    var sum = 0
    for leg in legs {
      sum += time >= leg.end ? leg.count : min(leg.count, transport.network.bytes(from: leg.start, to: time))
    }
    return sum
  }

  func read(
    into target: UnsafeMutableRawBufferPointer, by instant: Double, unless interruption: Interruption
  ) throws(HTTPProblem) -> Int? {
    let (total, end) = (legs.reduce(0) { $0 + $1.count }, legs.last?.end ?? firstByte)
    var time = transport.now
    while arrived(by: time) <= delivered, delivered < total {
      guard time < instant else { return nil }
      time = min(max(time, min(time + transport.tick, end)), instant)
      try wait(for: time, unless: interruption)
    }
    guard delivered < total else {
      finish()
      if total == body.count, let end = transport.soundEnd(transport.log[number].path) { transport.heardEnd = end }
      guard fault != .endsWithoutLength else { throw .lost("the connection ended") }
      guard total == body.count else { throw .truncated(at: Int64(total), of: Int64(body.count)) }
      return 0
    }
    let count = min(arrived(by: time) - delivered, target.count)
    let start = body.lowerBound + delivered
    file?.bytes(start..<(start + count)).withUnsafeBytes { target.copyMemory(from: $0) }
    delivered += count
    transport.log[number].bytes = Int64(delivered)
    return count
  }

  private func wait(for time: Double, unless interruption: Interruption) throws(HTTPProblem) {
    guard transport.wait(for: time, unless: interruption) else { throw .cancelled }
  }

  func cancel() { finish() }

  private func finish() {
    ended = ended ?? transport.now
    transport.log[number].ended = ended ?? 0
  }

  func times() -> TransferTimes {
    finish()
    var times = TransferTimes(queued: queued, ended: ended ?? transport.now)
    let status = transport.log[number].status
    times.status = status > 0 ? status : nil
    times.firstByte = status > 0 ? firstByte : nil
    (times.bytes, times.isReused, times.httpVersion) = (Int64(delivered), true, "1.1")
    return times
  }
}
