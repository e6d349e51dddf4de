import Adaptation
import Frames
import HTTP
import Media

/// A manifest that was loaded, and what of it is played.
struct OpenedManifest {
  var presentation: Presentation
  /// Of the video, or of a track beside it.
  var track: StreamTrack
  /// Of a track beside the video of a live stream; nil: of video, and on demand.
  var followed: FollowedVideo?

  /// Throws where it cannot be loaded, read or played here.
  init(
    _ name: String, at address: StreamAddress, _ resources: ResourceLoader
  ) throws(Failure) {
    let attempt = "cannot open '\(name)'"
    let (bytes, loaded): ([UInt8], LoadedResource)
    do throws(LoadProblem) {
      (bytes, loaded) = try resources.bytes(
        StreamResource(kind: .manifest, address: address, byteLimit: Int64(ManifestLimits.byteCount)))
    } catch {
      throw error.failure(attempt) ?? Failure.stoppedStream(name)
    }
    presentation = try Manifest.parse(bytes, at: loaded.address, name: name, keys: resources.options.keys)
    track = try StreamTrack(presentation, name)
    if presentation.format == .dash, presentation.duration == nil, presentation.live == nil {
      throw Failure(.media, attempt, cause: "its manifest does not tell its length", remedy: "check the manifest")
    }
  }
}

/// A stream of HLS or DASH, on demand or live, that is being loaded, on a thread of its own: the rungs of its video, segment by segment,
/// as a controller chooses them; and of its sound and subtitles what is played, each track on another thread.
///
/// Any thread; `packets` is for one. It ends with its owner, or with `stop`.
public final class LoadedStream: Sendable {
  /// The rungs, the lowest first.
  public let rungs: [StreamRung]
  public let format: Presentation.Format
  public let path: String
  package let store: SegmentStore
  let log: StreamLog
  /// Of requests that playing does not wait for: subtitles and previews.
  let sideLog = StreamLog(limit: 100)
  let transport: any StreamTransport
  let options: StreamOptions
  private let thread: WorkerThread
  let opened: OpenedManifest
  /// Where the video's runs lie on the axis.
  let runs = RunOffsets()
  private let sounds: Monitor<SoundTracksFound>
  /// Ends with the stream.
  private let server: (any AnyObject & Sendable)?

  /// Loads the manifest, and begins to load segments.
  ///
  /// - Parameters:
  ///   - name: of the stream, in messages; nil: its URL without secrets.
  ///   - server: is held as long as the stream: the origin that serves it, where that is the caller's own.
  ///
  /// Throws `.input` where the server has none or does not answer, `.media` and `.unsupported` for what cannot be played, and
  /// `.cancelled` where the interruption ended it.
  public convenience init(
    _ url: String, name: String? = nil, server: (any AnyObject & Sendable)? = nil, _ options: StreamOptions,
    interruption: Interruption = Interruption()
  ) throws(Failure) {
    let name = name ?? url
    var settings = HTTPClientOptions()
    settings.verifiesCertificates = options.verifiesCertificates
    let named: HTTPURL
    do throws(HTTPProblem) { named = try HTTPURL(url) } catch { throw error.failure("cannot open '\(name)'") }
    let address = try StreamAddress(url: named.text)
    try self.init(
      name, address,
      HTTPTransport(
        try HTTPClient(settings), named, policy: options.policy, options.limits.timeouts), options, server: server,
      interruption: interruption)
  }

  package init(
    _ name: String, _ address: StreamAddress, _ transport: any StreamTransport, _ options: StreamOptions,
    server: (any AnyObject & Sendable)? = nil, interruption: Interruption
  ) throws(Failure) {
    let log = StreamLog(limit: options.history.limit, keepsSteps: options.history.keepsSteps)
    let name = redactingSecrets(ofArgument: name)
    let resources = ResourceLoader(
      transport: transport, options: options, log: log, buffer: { 0 },
      reporter: options.cmcd.map { CMCDReporter(options: $0, content: name) },
      interruption: interruption)
    let opened = try OpenedManifest(name, at: address, resources)
    let store = SegmentStore(
      path: name, container: opened.presentation.format.rawValue,
      synthetic: opened.presentation.source.flatMap { SyntheticTag(comment: $0) }, load: options.load,
      start: MediaTime(seconds: options.startTime))
    store.live.tellBreaks(of: opened.presentation)
    let loader = StreamLoader(opened, store, transport, log, options)
    thread = try WorkerThread { loader.run() }
    (self.log, self.transport, self.store) = (log, transport, store)
    (self.opened, self.options) = (opened, options)
    let videos = StreamTrack.videos(of: opened.presentation)
    sounds = Monitor(SoundTracksFound(SoundRenditions(opened.presentation, videos: videos)))
    self.server = server
    (path, format) = (name, opened.presentation.format)
    rungs = opened.track.rungs
  }

  deinit { stop() }

  /// Seconds since the stream was opened.
  public var now: Double { transport.now }
  /// Every request, decision and segment so far.
  public var history: StreamHistory { log.history }
  /// What the video's loader did, with `HistoryOptions.keepsSteps`.
  package var steps: [String] { log.steps }
  /// The segment of the picture at a place of the stream; nil where none was loaded.
  public func segment(at place: MediaTime) -> StreamHistory.Placed? { log.segment(at: place) }
  /// Media that is loaded and lies ahead of the picture, in seconds.
  public var bufferSeconds: Double { store.bufferSeconds }
  /// Where the media ends that is loaded.
  public var loadedEnd: MediaTime { store.loadedEnd }
  /// Why requests bring nothing: from one that failed until one has brought what that asked for.
  public var trouble: NetworkTrouble? { log.trouble }
  /// The next segment cannot be had: requests are not made again until playing goes on elsewhere.
  public var hasGivenUp: Bool { store.hasFailed }
  /// The last segment that was loaded to its end.
  public var lastSegment: StreamRequest? { log.lastSegment }
  /// The rung that is loaded from now on, counted from the lowest, 0; nil: the controller chooses. Playing goes on where it is: at most one
  /// segment of another rung is played before, and others that were loaded ahead are loaded again.
  public var fixedRung: Int? {
    get { store.fixedRung }
    set { store.fix(rung: newValue.map { min(max(0, $0), rungs.count - 1) }) }
  }
  /// The decoder waits for a segment, or the sound that is played does.
  public var isStarving: Bool { store.isStarving || store.tracks.isStarving }
  /// There is enough to begin with.
  public var canPlay: Bool { store.canPlay && store.tracks.canPlay }
  /// Where playing begins; of a live stream, known once `packets` has opened its first segment.
  public var start: MediaTime { store.live.shownFrom ?? MediaTime(seconds: options.startTime) }
  /// The picture is at this place of the stream.
  public func played(to place: MediaTime) { store.played(to: place) }
  /// The picture stands still, for its media has not come: the next request tells its server, with `StreamOptions.cmcd`.
  public func stalled() { store.noteStall() }

  /// The video's packets; waits for the first segment. Once.
  package func packets(interruption: Interruption) throws(Failure) -> SegmentPackets {
    let packets = try SegmentPackets(store, interruption: interruption, runs: runs)
    sounds.withLock { $0.find(packets.info.audio) }
    return packets
  }

  /// The first segment of the video with its end, once `packets` has opened it and all of it has come; nil where it does not come.
  package func firstSegment(unless interruption: Interruption) -> (segment: MediaSegment, end: MediaTime)? {
    store.firstWhole(unless: interruption)
  }

  /// The tracks of sound that the manifest names, else the tracks in the video's segments, which are known once `packets` has opened the
  /// first one.
  public var audio: [AudioTrack] { sounds.read { $0.tracks.map(\.audio) } }

  /// Begins to load a track of `audio` where the picture is, behind the video; reading it waits for nothing.
  ///
  /// Throws `.failed` where the system has no thread for it. What cannot be loaded is thrown by the reader.
  package func sound(_ number: Int, interruption: Interruption) throws(Failure) -> SoundSegments {
    let track = sounds.read { $0.tracks[number] }
    let tracks = store.tracks
    let sound: StreamSound
    if let place = track.placeInVideo {
      let shared = SharedSound(store)
      tracks.add(shared)
      sound = StreamSound(shared, number: place) { tracks.remove(shared) }
    } else {
      let own = SoundStore(path: path, video: store, start: store.playhead)
      var (opened, options) = (opened, options)
      opened.follow(track, of: liveEdge == nil ? nil : store.live)
      options.controller = ControllerChoice("lowest") ?? options.controller
      options.load.peakBitrate = nil
      let loader = StreamLoader(opened, own, transport, log, options)
      try tracks.add(own) { () throws(Failure) in try WorkerThread { loader.run() } }
      sound = StreamSound(own, number: 0) { tracks.remove(own) }
    }
    return SoundSegments(sound, number: sound.number, runs: runs, interruption: interruption)
  }

  /// Ends loading, and waits for the threads.
  public func stop() {
    store.stop()
    store.tracks.stop()
    thread.join()
  }
}
