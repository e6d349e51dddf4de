internal import CFFmpeg
import Frames
import Logging
import Media

/// A clip as a sequence of decoded frames in presentation order.
///
/// One thread at a time; `interruption` may be used from any. Frames outlive the reader.
public final class FrameReader {
  /// The open clip, for further readers; nil for a stream, whose segments are loaded once. Any thread.
  public let clip: ProbedClip?
  public var info: MediaInfo { pipeline.info }
  /// Where and why the clip ends early; nil: it is whole, or was not read to its end yet.
  public private(set) var endsEarly: String?
  /// Frames since the clip's first, of one after the other; nil after a seek.
  private var framesInRow: Int? = 0
  private var skippedBeforeRow = 0
  private let leastLoopSeconds: Double?
  private let pipeline: FramePipeline
  private let seeker: SeekEngine
  private var framesOut = 0

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
    interruption: Interruption = Interruption(), onPhase: (OpeningPhase) -> Void = { _ in },
    leastSize: (VideoInfo) -> PictureSize? = { _ in nil }
  ) throws(Failure) {
    try checkInput(path)
    try self.init(
      path: path, source: nil, options: options, allocator: try allocator(), interruption: interruption,
      onPhase: onPhase, leastSize: leastSize)
  }

  /// - Parameter source: that is open already; nil: the one that `path` names.
  package convenience init(
    path: String, source: (any ByteSource)?, options: DecoderOptions = DecoderOptions(),
    allocator: @autoclosure () throws(Failure) -> PictureAllocator? = nil,
    interruption: Interruption = Interruption(), onPhase: (OpeningPhase) -> Void = { _ in },
    leastSize: (VideoInfo) -> PictureSize? = { _ in nil }
  ) throws(Failure) {
    let (file, firstPacket) = try open(path, source, options, interruption, onPhase)
    if options.acceptsSound, let info = describeSound(file) {
      onPhase(.probe)
      try self.init(
        try StillPackets(info), try ProbedClip(file, info), info, options, try allocator(), onPhase: onPhase)
      return
    }
    let clip = try ProbedClip(file, try describe(file).info)
    try self.init(
      file, clip, options, try allocator(), onPhase: onPhase, leastSize: leastSize, firstPacket: firstPacket)
  }

  /// One more reading of a clip that is open, from its start. The clip's source is shared and nothing is probed again.
  package convenience init(
    of clip: ProbedClip, options: DecoderOptions, interruption: Interruption,
    leastSize: (VideoInfo) -> PictureSize? = { _ in nil }
  ) throws(Failure) {
    try self.init(try Demuxer(clip, interruption: interruption), clip, options, nil, leastSize: leastSize)
  }

  /// The video of a stream.
  ///
  /// - Parameter info: its description.
  package convenience init(
    _ source: any PacketSource, _ info: MediaInfo, options: DecoderOptions,
    allocator: @autoclosure () throws(Failure) -> PictureAllocator? = nil, onPhase: (OpeningPhase) -> Void = { _ in }
  ) throws(Failure) {
    try info.refuseLocked()
    onPhase(.probe)
    try self.init(source, nil, info, options, try allocator(), onPhase: onPhase)
  }

  private convenience init(
    _ file: Demuxer, _ clip: ProbedClip, _ options: DecoderOptions,
    _ allocator: @autoclosure () throws(Failure) -> PictureAllocator?, onPhase: (OpeningPhase) -> Void = { _ in },
    leastSize: (VideoInfo) -> PictureSize?, firstPacket: FirstPacketProbe? = nil
  ) throws(Failure) {
    let info = clip.info
    guard let stream = file.stream(info.video.streamIndex) else {
      throw Failure(.media, "cannot decode '\(info.path)'", cause: "its video stream has gone")
    }
    try info.refuseLocked()
    decodeLog.trace("phase ended", metadata: ["phase": "probe"])
    onPhase(.probe)
    try self.init(
      try ContainerPackets(file, stream), clip, info, options, try allocator(), onPhase: onPhase, leastSize: leastSize,
      firstPacket: firstPacket)
  }

  private init(
    _ source: any PacketSource, _ clip: ProbedClip?, _ info: MediaInfo, _ options: DecoderOptions,
    _ allocator: @autoclosure () throws(Failure) -> PictureAllocator?, onPhase: (OpeningPhase) -> Void,
    leastSize: (VideoInfo) -> PictureSize? = { _ in nil }, firstPacket: FirstPacketProbe? = nil
  ) throws(Failure) {
    let packets = PacketReader(source)
    let decoders = try DecoderSlot(
      packets.format, options, try allocator(), leastSize: leastSize(info.video), firstPacket: firstPacket,
      path: info.path)
    decodeLog.trace("phase ended", metadata: ["phase": "codec_init"])
    onPhase(.codecInit)
    pipeline = FramePipeline(info, packets, decoders, cacheBytes: options.cacheBytes)
    seeker = SeekEngine(pipeline)
    leastLoopSeconds = options.leastLoopSeconds
    self.clip = clip
  }

  // MARK: - Reading

  /// The next frame in presentation order; nil at the end of the clip.
  public func next() throws(Failure) -> VideoFrame? {
    if let frame = pipeline.cache.stepForward() { return handOut(frame) }
    guard let decoded = try pipeline.decodeNext() else {
      endsEarly = endsEarly ?? earlyEnd()
      return nil
    }
    let frame = try pipeline.deliver(decoded)
    pipeline.cache.play(frame)
    return handOut(frame)
  }

  /// The frame as the caller gets it.
  private func handOut(_ frame: VideoFrame) -> VideoFrame {
    pipeline.consumer.takes()
    seeker.delivered = (frame.presentationTime, frame.byteCount)
    var frame = frame
    frame.index = framesOut
    framesOut += 1
    framesInRow = framesInRow.map { $0 + 1 }
    return frame
  }

  /// Goes back to the first frame; frames go on being counted.
  ///
  /// Refuses when the clip ended before its end: looping a fragment would measure something else, unless
  /// `DecoderOptions.leastLoopSeconds` of it are there.
  public func rewind() throws(Failure) {
    if let cause = earlyEnd() {
      endsEarly = endsEarly ?? cause
      guard let least = leastLoopSeconds, pipeline.expectedTime.seconds >= least else {
        throw Failure(
          .media, "cannot loop '\(info.path)'", cause: cause,
          remedy: "it is truncated or damaged: copy or download it again, or measure no more than is there (--duration)"
        )
      }
    }
    try pipeline.goToStart()
    seeker.delivered = nil
    (framesInRow, skippedBeforeRow) = (0, framesLeftOut)
  }

  /// The failure of playing a clip that ends early to its end; nil as `endsEarly`.
  public var prematureEnd: Failure? {
    endsEarly.map {
      Failure(
        .media, "cannot play '\(info.path)' to its end", cause: $0,
        remedy: "it is truncated or damaged, or its server broke off: copy or download it again")
    }
  }

  /// `the file ends early after 6 of 307 frames: 48000 bytes are missing`.
  private func earlyEnd() -> String? {
    let packets = pipeline.packets
    let missing = packets.source.missingBytes
    guard let damage = packets.source.damage ?? (missing > 0 ? "\(missing) bytes are missing" : nil) else {
      return nil
    }
    let played = pipeline.expectedTime.seconds * (info.video.frameRate.value ?? 25)
    // Frames that were left out for speed are in the file, too.
    let count = framesInRow.map { $0 + framesLeftOut - skippedBeforeRow } ?? Int(saturating: played.rounded())
    let all = info.video.frameCount.flatMap { $0 > count ? " of \($0)" : nil } ?? ""
    return "the file ends early after \(count)\(all) frames: \(damage)"
  }

  // MARK: - Seeking

  /// Lands on a frame the request allows, by the seek rule; nil when there is no frame at all.
  ///
  /// `next()` returns the frame after it. Past the end it lands on the last frame, which a player keeps showing. Frames
  /// before the landing are not converted, and non-reference frames among them are not decoded.
  public func seek(_ request: SeekRequest) throws(Failure) -> VideoFrame? {
    framesInRow = nil
    return try seeker.seek(request).map(handOut)
  }

  /// The clip's first frame, as early as possible; nil when there is none. `next()` returns the frame after it.
  ///
  /// Its packet is decoded alone where it tells what it holds: else a decoder keeps the frame back until it has seen as many
  /// others as may come before it.
  public func first() throws(Failure) -> VideoFrame? {
    // A file from the network would be requested again.
    guard seeker.delivered == nil, !pipeline.packets.source.isRemote else { return try next() }
    let frame = try seek(SeekRequest(target: .zero))
    framesInRow = frame == nil ? 0 : 1
    return frame
  }

  /// The frame before the one delivered last; nil at the clip's first. `next()` returns the frame after it.
  ///
  /// Where it is not at hand, its group is decoded once, and as many of the frames before it as there is room for are held:
  /// the next steps back cost nothing.
  public func previous() throws(Failure) -> VideoFrame? {
    framesInRow = nil
    return try seeker.previous().map(handOut)
  }

  /// The frame before the one at `time`, which came from here but need not be the last that did: a caller that reads ahead
  /// goes back from the frame it shows.
  public func previous(to time: MediaTime) throws(Failure) -> VideoFrame? {
    seeker.go(to: time)
    return try previous()
  }

  /// Goes on at the first sync sample at or after a place, in time stamps relative to the stream's start; never back.
  ///
  /// What lies before is read and not decoded: reading costs next to nothing beside decoding, and no index says how many
  /// frames were left out. Frames in the decoder are left out too, and those of an open group that belong before the
  /// sync sample. Where the rest of the clip has no such sync sample it goes on at the last one, and where it has none
  /// at all, where it was. It looks no further than 64 MiB behind the last sync sample it found.
  ///
  /// Where packets have no time stamps, a sync sample lies where it does when one frame follows on another.
  public func leap(toSyncSampleAfter place: MediaTime) throws(Failure) { try pipeline.leap(toSyncSampleAfter: place) }
}

// Facts of the clip and of its decoding.
extension FrameReader {
  /// Times of the sync samples that are known: by the container's index (Matroska's is complete only after the first
  /// seek), or else by the packets read so far.
  public var syncSamples: [MediaTime] { pipeline.packets.index.times }
  /// Frames that came out of the decoder since the file was opened, delivered or not.
  public var framesDecoded: Int { pipeline.counts.framesDecoded }
  /// Packets accepted before the first frame came out.
  public var decoderDelayFrames: Int? { pipeline.counts.delayFrames }
  /// The whole clip was decoded, and no frame came of it.
  var isWithoutPictures: Bool { pipeline.counts.isWithoutPictures }
  /// Packets or frames that the decoder rejected.
  public var damagedPackets: Int { pipeline.counts.damagedPackets }
  /// Frames that the packets given to the decoder hold, and those of them that are never shown; nil: packets of this codec are not looked
  /// into.
  public var codedFrames: (all: Int, hidden: Int)? { pipeline.counts.coded.map { ($0.coded, $0.hidden) } }

  /// Whether frames that no other refers to are left out, from the next packet on: cheaper where a decoder is behind.
  ///
  /// With H.264, HEVC, MPEG-1, MPEG-2 and MPEG-4; of all others everything is decoded.
  /// Packets without a time stamp are always decoded: the place of the frames after them would be unknown.
  public var skipsNonReferences: Bool {
    get { pipeline.effort.skipsNonReferences }
    set { pipeline.effort.skipsNonReferences = newValue }
  }
  /// Frames that were not delivered because of `skipsNonReferences` and `leap`: read from start to end, a whole clip's
  /// frames are those delivered and these. A frame counts once a later one is delivered, or at the end.
  ///
  /// Told by packets: interlaced video whose fields come in packets of their own counts by fields, and a damaged frame that
  /// was left out counts though it would not have come.
  public var framesLeftOut: Int { pipeline.pending.leftOut }

  /// Whether frames may have samples of more than 8 bits; else libswscale makes 8 bits of them. For devices that do not
  /// filter such textures; to be said before the first frame is read.
  public var allowsDeepSamples: Bool {
    get { pipeline.maker.allowsDeepSamples }
    set { pipeline.maker.allowsDeepSamples = newValue }
  }

  /// The first frame was delivered as it had been decoded to find out what the clip is, in libavcodec's own memory.
  public var decodedFirstWhileOpening: Bool { pipeline.decoders.firstPacket?.isTaken ?? false }

  /// The formats that frames had so far, each once, in the order in which they came: more than one where the stream's has
  /// changed. Frames tell their own: `VideoFrame.stream`. Any thread.
  public var formats: [StreamFormat] { pipeline.decoders.state.formats }

  /// The current decoder. Any thread.
  public var decoder: DecoderDescription { pipeline.decoders.state.description }
  /// Why this decoder was chosen, where the user did not simply name it. Any thread.
  public var decoderReason: String? { pipeline.decoders.state.reason }
  /// Why a hardware decoder's frames are copied back though they could have been shared; nil when they were not. Any thread.
  public var sharingRefusal: String? { pipeline.decoders.state.sharingRefusal }
}

// Other tracks of the clip, from the same reading of the file.
extension FrameReader {
  /// As `PacketReader.subscribe`: from here on, and after each seek from there on.
  package func subscribe(to track: Int, byteLimit: Int = 8 << 20) -> Bool {
    pipeline.packets.subscribe(to: track, byteLimit: byteLimit)
  }

  /// As `PacketReader.next(of:)`.
  package func nextPacket(of track: Int) throws(Failure) -> ReadPacket? { try pipeline.packets.next(of: track) }

  /// As `PacketReader.dropped(of:)`.
  package func droppedPackets(of track: Int) -> Int { pipeline.packets.dropped(of: track) }
}

// For thumbnails.
extension FrameReader {
  /// The sync samples known so far.
  var index: SyncSampleIndex {
    pipeline.packets.index.keepCurrent()
    return pipeline.packets.index
  }

  /// As the stream or the file says; nil when neither does.
  var duration: MediaTime? { pipeline.packets.source.duration }

  func loadIndex() { pipeline.loadIndex() }

  /// Empties the frame cache: the next seek lands as if nothing had been decoded.
  func forgetFrames() {
    pipeline.cache.removeAll()
    seeker.delivered = nil
  }
}

/// Opens and probes, or decodes the first packet where that stands in for probing.
private func open(
  _ path: String, _ source: (any ByteSource)?, _ options: DecoderOptions, _ interruption: Interruption,
  _ onPhase: (OpeningPhase) -> Void
) throws(Failure) -> (Demuxer, FirstPacketProbe?) {
  let file = try Demuxer(
    path: path, source: source, network: options.network, interruption: interruption,
    putsOffDecoding: options.showsFirstSoon, onPhase: onPhase)
  guard file.hasPutOffDecoding else { return (file, nil) }
  if let probe = FirstPacketProbe(of: file, options) { return (file, probe) }
  return (try file.reopened(), nil)
}
