internal import CFFmpeg
import Frames
import Media
import Synchronization

/// A clip as a sequence of decoded frames in presentation order.
///
/// One thread at a time; `interruption` may be used from any. Frames outlive the reader.
public final class FrameReader {
  public let info: MediaInfo
  /// Times of the sync samples that are known: by the container's index (Matroska's is complete only after the first
  /// seek), or else by what was read so far.
  public var syncSamples: [MediaTime] { index.times }
  /// Frames that came out of the decoder since the file was opened, delivered or not.
  public internal(set) var framesDecoded = 0
  /// Packets accepted before the first frame came out.
  public internal(set) var decoderDelayFrames: Int?
  /// Packets or frames that the decoder rejected.
  public internal(set) var damagedPackets = 0

  /// Whether frames that no other refers to are left out, from the next packet on: cheaper where a decoder is behind.
  ///
  /// With H.264, HEVC, MPEG-1, MPEG-2 and MPEG-4; of all others everything is decoded.
  /// Packets without a time stamp are always decoded: nobody could tell where the frames after them belong.
  public var skipsNonReferences = false
  /// Frames that were not delivered because of `skipsNonReferences` and `leap`: read from start to end, a whole clip's
  /// frames are those delivered and these. A frame counts once a later one is delivered, or at the end.
  ///
  /// Told by packets: interlaced video whose fields come in packets of their own counts by fields, and a damaged frame that
  /// was left out counts though it would not have come.
  public var framesLeftOut: Int { owed.leftOut }

  /// Whether frames may have samples of more than 8 bits; else libswscale makes 8 bits of them. For devices that do not
  /// filter such textures; to be said before the first frame is read.
  public var allowsDeepSamples = true
  /// As the file last said: streams and frames say it by turns.
  private var peak: Double?

  /// The first frame was delivered as it had been decoded to find out what the clip is, in libavcodec's own memory.
  public var decodedFirstWhileOpening: Bool { glimpse?.isTaken ?? false }

  /// How much of the clip was there, once it was looped though it ends early; nil: all of it.
  public private(set) var endsEarly: String?
  private let leastLoopSeconds: Double?

  private(set) var file: Demuxer
  var video: VideoDecoder
  let decoderState: Mutex<DecoderState>
  /// Of a hardware decoder that software may take over from; nil of all others.
  var history: PacketHistory?
  /// Nil where nobody takes over.
  private(set) var openSoftware: ((UnsafeMutablePointer<AVStream>) throws(Failure) -> VideoDecoder)?
  /// The last frame that came out since the decoder was flushed.
  var lastOut: MediaTime?
  /// Frames up to here come a second time, from another decoder.
  var repeatsUntil: MediaTime?
  /// Makes a decoder like it, but for one packet at a time.
  private let openBeside: (UnsafeMutablePointer<AVStream>) throws(Failure) -> VideoDecoder
  private var beside: VideoDecoder?
  /// Of the first packet, where it was decoded to find out what the clip is.
  let glimpse: Glimpse?
  let ahead = PacketsAhead()
  var owed = FramesOwed()
  /// Where a leap goes on, until a frame was delivered from there.
  var landing: Landing?
  private(set) var stream: UnsafeMutablePointer<AVStream>
  private let converter = PictureConverter()
  private let pictures = DecodedPictures()
  /// For the next packet; empty.
  var spare: UnsafeMutablePointer<AVPacket>?
  /// What the decoder fills; empty between two calls.
  private(set) var received: UnsafeMutablePointer<AVFrame>?
  var isDraining = false
  /// The decoder has no more frames.
  private(set) var hasEnded = false
  var acceptedPackets = 0
  private var framesOut = 0
  var framesSinceFlush = 0
  /// Nothing was sought since the file was opened or rewound: there must be frames.
  private var readsFromStart = true
  /// The start was sought and no packet has come from there yet: see `reopenAtStart`.
  private var isProvingStart = false
  /// Where the last frame ended.
  var expectedTime = MediaTime.zero
  private(set) var consumerNanoseconds: Int64 = 0
  private var handedOut: MonotonicTime?
  private var hasLoadedIndex = false
  var index: SyncSampleIndex
  /// Frames at hand around the one that was delivered last.
  var tape: FrameTape
  /// What a seek lets the decoder leave out.
  var skipping = Skipping.asAsked
  /// The sync sample that was decoded alone: its packet comes once more, and what it gives was delivered already.
  var shownAlone: MediaTime?
  /// Of the frame that is in `received`, and of the last one that was.
  var place: (time: MediaTime, duration: MediaTime) = (.zero, .zero)
  /// The last frame that was delivered.
  var delivered: (time: MediaTime, byteCount: Int)?
  /// The clip's first frame, once somebody has tried to step back from it.
  var firstTime: MediaTime?
  /// There was a sync sample of which nobody knows when it is shown.
  var lacksStamps = false

  enum Skipping {
    /// By `skipsNonReferences`.
    case asAsked
    case nothing
    /// Frames that lie before a time and that no other refers to.
    case before(MediaTime)
  }

  /// Opens, probes and starts the decoder.
  ///
  /// - Parameters:
  ///   - allocator: memory for the decoder to write into, where it can; nil leaves that to libavcodec. Asked for once,
  ///     when the file is probed and the decoder starts.
  ///   - onPhase: told the end of `open`, `probe` and `codec_init`.
  ///   - leastSize: that pictures may have: they come no smaller, but smaller than the clip's where the codec can decode
  ///     them so, and without loop filters. Nil: as they are.
  public convenience init(
    path: String, options: DecoderOptions = DecoderOptions(),
    allocator: @autoclosure () throws(Failure) -> PictureAllocator? = nil,
    interruption: Interruption = Interruption(), onPhase: (String) -> Void = { _ in },
    leastSize: (VideoInfo) -> PictureSize? = { _ in nil }
  ) throws(Failure) {
    try checkInput(path)
    try self.init(
      path: path, source: nil, options: options, allocator: try allocator(), interruption: interruption,
      onPhase: onPhase, leastSize: leastSize)
  }

  /// - Parameter source: that is open already; nil: the one that `path` names.
  package init(
    path: String, source: (any ByteSource)?, options: DecoderOptions = DecoderOptions(),
    allocator: @autoclosure () throws(Failure) -> PictureAllocator? = nil,
    interruption: Interruption = Interruption(), onPhase: (String) -> Void = { _ in },
    leastSize: (VideoInfo) -> PictureSize? = { _ in nil }
  ) throws(Failure) {
    let (file, glimpse) = try open(path, source, options, interruption, onPhase)
    let (info, codec) = try describe(file)
    guard let stream = file.stream(info.video.streamIndex) else {
      throw Failure(.media, "cannot decode '\(path)'", cause: "its video stream has gone")
    }
    if info.video.isEncrypted {
      throw Failure(
        .encrypted, "cannot decode '\(path)'", cause: "its video is encrypted",
        remedy: "bench360 has no keys: use an unprotected copy")
    }
    onPhase("probe")
    file.leaveOut(allBut: info.video.streamIndex)
    let memory = try allocator()
    let opened = try openDecoder(stream, codec, options, memory, leastSize: leastSize(info.video), path: path)
    video = opened.video
    onPhase("codec_init")
    if opened.video.hardware != nil, options.mayFallBack {
      history = PacketHistory()
      openSoftware = { (stream) throws(Failure) in
        try VideoDecoder(stream: stream, codec: codec, options: options, allocator: memory, path: path)
      }
    }
    openBeside = { (stream) throws(Failure) in
      var options = options
      options.isLowDelay = true
      return try VideoDecoder(stream: stream, codec: codec, options: options, allocator: memory, path: path)
    }
    leastLoopSeconds = options.leastLoopSeconds
    self.glimpse = glimpse
    decoderState = Mutex(DecoderState(description: opened.video.description, reason: opened.reason))
    index = syncSampleIndex(stream, of: file)
    tape = FrameTape(byteLimit: options.cacheBytes)
    self.file = file
    self.info = info
    self.stream = stream
    peak = info.video.color.peakNits
    received = av_frame_alloc()
    if let read = glimpse?.read, let packet = av_packet_clone(read.packet) {
      learn(packet)
      ahead.append(
        ReadPacket(packet: packet, showsPicture: true, started: read.started, milliseconds: read.milliseconds))
    }
  }

  deinit {
    av_packet_free(&spare)
    av_frame_free(&received)
  }

  /// The next frame in presentation order; nil at the end of the clip.
  public func next() throws(Failure) -> VideoFrame? {
    if let frame = tape.stepForward() { return handOut(frame) }
    guard let decoded = try decodeNext() else { return nil }
    let frame = try deliver(decoded)
    tape.play(frame)
    return handOut(frame)
  }

  /// For sync samples that are shown while decoding goes on; opened when it is first wanted.
  func decoderBeside() throws(Failure) -> VideoDecoder {
    if let beside { return beside }
    let made = try openBeside(stream)
    beside = made
    return made
  }

  /// The next frame out of the decoder, valid until the next call; nil at the end. `place` tells where it lies.
  func decodeNext() throws(Failure) -> UnsafeMutablePointer<AVFrame>? {
    if let handedOut { consumerNanoseconds += MonotonicTime.now.nanoseconds - handedOut.nanoseconds }
    handedOut = nil
    guard let frame = received else { throw Failure(.failed, "cannot decode '\(info.path)'", cause: "out of memory") }
    while true {
      av_frame_unref(frame)
      switch video.receive(into: frame) {
      case .frame:
        if decoderDelayFrames == nil { decoderDelayFrames = max(0, acceptedPackets - 1) }
        locate(frame)
        if wasOut() || isBeforeLanding() || isShownAlready() { continue }
        if wantsSamples {
          do throws(Failure) {
            try bring(frame, from: video)
          } catch {
            try replaceDecoder(error.cause)
            continue
          }
        }
        lastOut = place.time
        expectedTime = place.time + place.duration
        return frame
      case .needsInput: try feed()
      case .damaged:
        if let cause = video.hardwareFailure {
          try replaceDecoder(cause)
          continue
        }
        try refuseShortage()
        damagedPackets += 1
      case .ended:
        owed.ended()
        hasEnded = true
        guard framesSinceFlush > 0 || !readsFromStart else { throw nothingDecoded() }
        return nil
      }
    }
  }

  /// A decoder that lacks memory is not a damaged clip.
  func refuseShortage() throws(Failure) {
    guard let shortage = video.shortage else { return }
    throw Failure(shortage.kind, "cannot decode '\(info.path)'", cause: shortage.cause, remedy: shortage.remedy)
  }

  /// A frame came out of the decoder: counts it, and notes where it lies.
  func locate(_ frame: UnsafeMutablePointer<AVFrame>) {
    framesDecoded += 1
    framesSinceFlush += 1
    place = presentation(of: frame)
  }

  /// The frame as the caller gets it.
  func handOut(_ frame: VideoFrame) -> VideoFrame {
    handedOut = handedOut ?? .now
    delivered = (frame.presentationTime, frame.byteCount)
    var frame = frame
    frame.index = framesOut
    framesOut += 1
    return frame
  }

  /// Goes back to the first frame; frames go on being counted.
  ///
  /// Refuses when the clip ended before its end: looping a fragment would measure something else, unless
  /// `DecoderOptions.leastLoopSeconds` of it are there.
  public func rewind() throws(Failure) {
    let missing = file.missingBytes(of: stream)
    if let damage = file.damage ?? (missing > 0 ? "\(missing) bytes are missing" : nil) {
      endsEarly = endsEarly ?? "the file ends early, after \(framesOut) frames (\(damage))"
      guard let least = leastLoopSeconds, expectedTime.seconds >= least else {
        throw earlyEnd(damage)
      }
    }
    try goToStart()
    delivered = nil
  }

  private func earlyEnd(_ damage: String) -> Failure {
    Failure(
      .media, "cannot loop '\(info.path)'", cause: "the file ends early, after \(framesOut) frames (\(damage))",
      remedy: "it is truncated or damaged: copy or download it again, or measure no more than is there (--duration)")
  }

  func goToStart() throws(Failure) {
    let start = stream.pointee.start_time == bench_nopts() ? 0 : stream.pointee.start_time
    if !file.isAtStart {
      // Transport streams find a time by guessing at bytes, and miss the first sync sample.
      isProvingStart =
        file.seeksByBytes
        ? file.seekToFirstByte() || file.seek(stream: info.video.streamIndex, to: start)
        : file.seek(stream: info.video.streamIndex, to: start) || file.seekToFirstByte()
      if !isProvingStart { try reopen() }
    }
    restart(atStart: true)
    readsFromStart = true
  }

  /// The file ended: where the start was sought and gave nothing, it is opened again; false where the end is the end.
  ///
  /// Of several formats libavformat's demuxers find no packet after a seek, even to where they were, and of servers that
  /// give no ranges none is to be had.
  func reopenAtStart() throws(Failure) -> Bool {
    guard isProvingStart else { return false }
    try reopen()
    return true
  }

  /// A packet came.
  func startIsProven() { isProvingStart = false }

  private func reopen() throws(Failure) {
    isProvingStart = false
    let again = try file.reopened()
    guard let found = again.stream(info.video.streamIndex),
      found.pointee.codecpar.pointee.codec_id == stream.pointee.codecpar.pointee.codec_id
    else {
      throw Failure(
        .media, "cannot go back to the start of '\(info.path)'", cause: "its video stream has gone",
        remedy: "it changed while it was read: copy it first")
    }
    again.leaveOut(allBut: info.video.streamIndex)
    (file, stream) = (again, found)
  }

  /// Forgets what was read and decoded; the next frame comes from wherever the file now stands.
  func restart(atStart: Bool = false) {
    ahead.removeAll()
    owed.forget()
    index.jumped(toStart: atStart)
    tape.removeAll()
    landing = nil
    shownAlone = nil
    expectedTime = .zero
    flush()
  }

  /// Forgets what the decoder holds.
  func flush() {
    video.flush()
    pictures.sweep()
    history?.removeAll()
    (lastOut, repeatsUntil) = (nil, nil)
    isDraining = false
    hasEnded = false
    framesSinceFlush = 0
    readsFromStart = false
  }

  /// Moves the file to a sync sample at or before `time`; false when the demuxer cannot.
  func seek(toSyncSampleAt time: MediaTime) -> Bool {
    let base = stream.pointee.time_base
    let origin = stream.pointee.start_time == bench_nopts() ? 0 : stream.pointee.start_time
    let ticks = av_rescale_q(time.nanoseconds, AVRational(num: 1, den: 1_000_000_000), base)
    let (timestamp, overflow) = ticks.addingReportingOverflow(origin)
    guard file.seek(stream: info.video.streamIndex, to: overflow ? .max : timestamp) else { return false }
    restart()
    return true
  }

  /// Makes the demuxer read an index that it has put off until somebody seeks.
  func loadIndex() {
    guard !hasLoadedIndex else { return }
    hasLoadedIndex = true
    guard !index.isWhole, !file.hasNoIndex, seek(toSyncSampleAt: .zero) else { return }
    index = syncSampleIndex(stream, of: file)
  }

  /// Whether the frame belongs before the sync sample that a leap goes on at.
  private func isBeforeLanding() -> Bool {
    guard let landing, landing.leadingFrames > 0, place.time < landing.time else { return false }
    self.landing?.leadingFrames -= 1
    return true
  }

  /// Whether the frame is the one that was decoded alone, or one before it of an open group.
  private func isShownAlready() -> Bool {
    guard let shownAlone else { return false }
    if place.time <= shownAlone { return true }
    self.shownAlone = nil
    return false
  }

  /// What `received` holds, or held until it was moved to `frame`, as a frame of its own; `frame` is empty afterwards.
  func deliver(
    _ frame: UnsafeMutablePointer<AVFrame>, from decoder: VideoDecoder? = nil, received: MonotonicTime? = nil
  ) throws(Failure) -> VideoFrame {
    let video = decoder ?? video
    defer { av_frame_unref(frame) }
    let timing = video.timing(of: frame, received: received ?? .now, consumerNanoseconds: consumerNanoseconds)
    // Read before the samples are taken over: that leaves the frame empty.
    let (tag, stamp) = (bench_frame_tag(frame), optionalStamp(frame.pointee.pts))
    peak = peakNits(frame) ?? peak
    var result = try makeFrame(
      frame, path: info.path, video: video, pictures: pictures, converter: converter, allowsDeep: allowsDeepSamples)
    result.color.peakNits = peak
    result.timing = timing
    (result.presentationTime, result.duration) = place
    owed.delivered(tag: tag, stamp: stamp)
    landing = nil
    return result
  }

  /// Time stamps relative to the stream's start; where the file has none, one frame after the last.
  private func presentation(of frame: UnsafeMutablePointer<AVFrame>) -> (MediaTime, MediaTime) {
    let ticks = bench_frame_duration(frame)
    let duration =
      ticks > 0 ? MediaTime(ticks: ticks, timeBase: Ratio(stream.pointee.time_base)) : nominalDuration
    let stamp = optionalStamp(frame.pointee.best_effort_timestamp)
    return (stamp.map(mediaTime) ?? expectedTime, duration)
  }

  /// No packet after this one is shown before this; nil where it is not said.
  func decodingTime(_ packet: UnsafeMutablePointer<AVPacket>) -> MediaTime? {
    optionalStamp(packet.pointee.dts).map(mediaTime)
  }

  /// Relative to the stream's start.
  func mediaTime(_ stamp: Int64) -> MediaTime {
    let origin = optionalStamp(stream.pointee.start_time) ?? 0
    return MediaTime(
      ticks: stamp.subtractingReportingOverflow(origin).partialValue, timeBase: Ratio(stream.pointee.time_base))
  }

  var nominalDuration: MediaTime { MediaTime(seconds: 1 / (info.video.frameRate.value ?? 25)) }

  func optionalStamp(_ ticks: Int64) -> Int64? { ticks == bench_nopts() ? nil : ticks }

  private func nothingDecoded() -> Failure {
    let attempt = "cannot decode '\(info.path)'"
    if info.video.size.width <= 0 || info.video.size.height <= 0 {
      return Failure(
        .media, attempt, cause: "its video has no size (\(info.video.size))", remedy: "the file is damaged")
    }
    let logged = loggedErrors().map { " (\($0))" } ?? ""
    let packets = acceptedPackets + damagedPackets
    guard packets == 0 else {
      return Failure(
        .media, attempt, cause: "no picture came out of \(packets) packets" + logged,
        remedy: "the file is truncated, damaged or encrypted")
    }
    return Failure(
      .media, attempt, cause: "it has no packet of its video" + logged,
      remedy: namesOtherInputs(info.path)
        ? "its segments or their keys are missing, or its server broke off or gives no ranges of bytes"
        : "it ends before its first picture, as the initialisation segment of a stream does: open the stream's playlist"
    )
  }
}

/// Opens and probes, or decodes the first packet where that stands in for probing.
private func open(
  _ path: String, _ source: (any ByteSource)?, _ options: DecoderOptions, _ interruption: Interruption,
  _ onPhase: (String) -> Void
) throws(Failure) -> (Demuxer, Glimpse?) {
  let file = try Demuxer(
    path: path, source: source, network: options.network, interruption: interruption,
    putsOffDecoding: options.showsFirstSoon, onPhase: onPhase)
  guard file.hasPutOffDecoding else { return (file, nil) }
  if let glimpse = Glimpse(of: file, options) { return (file, glimpse) }
  return (try file.reopened(), nil)
}
