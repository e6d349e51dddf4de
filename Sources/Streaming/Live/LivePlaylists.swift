import Frames
import HTTP

/// What places another playlist of a live stream of HLS on the axis. A value.
struct LiveAxis {
  /// The wall clock where the axis is 0; nil where the stream does not tell.
  var zero: WallTime?
  /// Of a playlist that is on it: renditions number the same media alike, as far as a player can know.
  var timeline: SegmentTimeline
  var targetDuration: MediaTime
  /// As `LivePlaylists.Known` has it.
  var epoch: Int64

  /// Where a playlist lies that tells no time of day, by the number of its first segment; nil where that tells nothing.
  func origin(of first: Segment) -> MediaTime? {
    let begin = MediaTime(nanoseconds: first.start)
    if let index = timeline.index(ofNumber: first.number), let same = timeline[index] {
      return timeline.start(of: same) - begin
    }
    guard let last = timeline.listed?.last, first.number > last.number else { return nil }
    let step = Int64(clamping: first.number - last.number - 1)
    return timeline.end(of: last) + MediaTime(nanoseconds: targetDuration.nanoseconds.multipliedSaturated(by: step))
      - begin
  }
}

/// The media playlists of a live stream, each as it was loaded last: all on one axis, by the time of day where they tell it, else by the
/// numbers of their segments. One thread.
final class LivePlaylists {
  /// A playlist, and when it was loaded.
  struct Known {
    var playlist: MediaPlaylist
    /// Where its own zero lies on the axis.
    var origin: MediaTime
    /// In seconds since the stream was opened.
    var loaded: Double
    var advanced: Double
    /// It began again with other numbers so often.
    var epoch: Int64 = 0
    /// Loads in a row that gave an older state.
    var older = 0
    /// Loads in a row that were to wait for news and brought none.
    var idle = 0

    var timeline: SegmentTimeline {
      var segments = playlist.timeline.listed ?? []
      if epoch > 0 {
        for index in segments.indices { segments[index].discontinuity += epoch << 40 }
      }
      return SegmentTimeline(listed: segments, timescale: TickArithmetic.nanosecondsPerSecond, origin: origin)
    }

    /// Whether a playlist lists no other segments: a cache's older one, or a damaged one, whose last line may be cut.
    func has(_ other: MediaPlaylist) -> Bool {
      let segments = other.timeline.listed ?? []
      return segments.prefix(max(1, segments.count - 1)).allSatisfy { segment in
        guard let index = playlist.timeline.index(ofNumber: segment.number), let own = playlist.timeline[index] else {
          return false
        }
        return own.address == segment.address && own.range == segment.range
          && (own.wallTime == segment.wallTime || own.wallTime == nil || segment.wallTime == nil)
      }
    }

    /// Returns whether the packager started again: all numbers of the other playlist are lower, and its media is later by the time of day.
    func beganAgain(as other: MediaPlaylist) -> Bool {
      guard let first = playlist.timeline.listed?.first, let last = playlist.timeline.listed?.last?.wallTime,
        let new = other.timeline.listed?.last, let date = new.wallTime
      else { return false }
      return new.number < first.number && date > last
    }

    /// Seconds until it is to be loaded again: half a target duration after a load that brought nothing (RFC 8216 §6.3.4). Nil: never.
    func wait(at now: Double) -> Double? {
      guard !playlist.isEnded else { return nil }
      let target = playlist.targetDuration.seconds
      return loaded + max(advanced >= loaded ? target : target / 2, Self.leastInterval) - now
    }

    /// A playlist whose segments are very short is loaded so often at most, in seconds.
    private static let leastInterval = 0.2

    var isBlocking: Bool { playlist.server.canBlockReload && idle < 3 }
  }

  private var known: [StreamAddress: Known] = [:]
  private let variables: PlaylistVariables
  /// The wall clock where the axis is 0, by the first playlist that tells the time of day, or by the stream's maker.
  private(set) var zero: WallTime?
  /// The axis of the video that these belong to, as it is now; nil where they are the video's.
  private let leader: () -> LiveAxis?
  /// Told what the playlists mark as breaks; nil where that is not theirs to tell.
  private let monitor: LiveMonitor?

  /// - Parameters:
  ///   - zero: where the stream's maker says where its axis begins.
  ///   - leader: the axis on which all are placed; nil: the first playlist makes one.
  init(
    _ variables: PlaylistVariables, zero: WallTime?, leader: @escaping () -> LiveAxis? = { nil },
    monitor: LiveMonitor? = nil
  ) {
    let axis = leader()
    (self.variables, self.zero, self.leader, isLive) = (variables, axis?.zero ?? zero, leader, axis != nil)
    self.monitor = monitor
  }

  /// Whether one of them is not complete.
  private(set) var isLive: Bool

  /// The axis, by the playlist at an address; nil where that is not known.
  func axis(_ address: StreamAddress) -> LiveAxis? {
    known[address].map {
      LiveAxis(zero: zero, timeline: $0.timeline, targetDuration: $0.playlist.targetDuration, epoch: $0.epoch)
    }
  }

  subscript(address: StreamAddress) -> Known? { known[address] }

  /// Loads a playlist unless it is known.
  ///
  /// - Parameters:
  ///   - loaded: where the user named the playlist itself.
  ///   - rung: nil: of sound.
  func timeline(
    _ address: StreamAddress, loaded: MediaPlaylist? = nil, rung: Int?, _ headers: StreamHeaders,
    _ resources: ResourceLoader
  ) throws(LoadProblem) -> SegmentTimeline {
    if let known = known[address] { return known.timeline }
    let playlist: MediaPlaylist
    if let loaded {
      playlist = loaded
    } else {
      let (bytes, came) = try headers.bytes(Self.resource(address, rung), resources)
      // Of a stream that is known to be live, another rung's is as good meanwhile.
      let first =
        isLive ? try parseAgain(bytes, came.address, previous: nil) : try parse(bytes, came.address, previous: nil)
      guard let first else {
        throw .failed(.badResponse("its playlist is a delta update, and nothing came before it"))
      }
      playlist = first
    }
    if !playlist.isEnded { isLive = true }
    let now = resources.transport.now
    guard isLive else {
      // Some servers mark them in one of the playlists alone.
      if let monitor, !playlist.breaks.isEmpty { monitor.tell(breaks: playlist.breaks) }
      return playlist.timeline
    }
    // A playlist that is loaded for the first time is of the packager's present run.
    var made = Known(playlist: playlist, origin: origin(of: playlist), loaded: now, advanced: now)
    made.epoch = epoch
    known[address] = made
    tellBreaks(made)
    return made.timeline
  }

  /// How often the packager began again, as far as any playlist shows.
  private var epoch: Int64 { max(leader()?.epoch ?? 0, known.values.map(\.epoch).max() ?? 0) }

  /// Where a playlist lies that is loaded for the first time.
  private func origin(of playlist: MediaPlaylist) -> MediaTime {
    guard let first = playlist.timeline.listed?.first else { return .zero }
    let begin = MediaTime(nanoseconds: first.start)
    if let date = first.wallTime {
      if let zero { return date - zero - begin }
      if known.isEmpty, leader() == nil {
        zero = date - begin
        return .zero
      }
    }
    let others = known.sorted { $0.value.loaded > $1.value.loaded }.compactMap { axis($0.key) }
    return (others + [leader()].compactMap { $0 }).lazy.compactMap { $0.origin(of: first) }.first ?? .zero
  }

  /// Loads a playlist again, and gives its news; the request waits at the server where that can.
  ///
  /// - Parameter waits: false: what there is now.
  func reload(
    _ address: StreamAddress, waits: Bool, rung: Int?, _ resources: ResourceLoader
  ) throws(LoadProblem) -> PlaylistProgress {
    guard var state = known[address] else { return .unchanged }
    let isBlocking = waits && state.isBlocking
    var next: MediaPlaylist
    do throws(LoadProblem) {
      next = try loadWhole(state, isBlocking: isBlocking, rung: rung, resources)
    } catch {
      // As one without news: a damaged playlist is asked for again when it is time.
      state.loaded = resources.transport.now
      if isBlocking { state.idle += 1 }
      known[address] = state
      // The segment in the request lies too far ahead of a packager that began again.
      guard isBlocking, case .failed(let problem) = error, problem.status == 400 else { throw error }
      return try reload(address, waits: false, rung: rung, resources)
    }
    // Directives belong to the request, not to the playlist.
    next.address = next.address.replacingDirectives([])
    let now = resources.transport.now
    state.loaded = now
    let progress = next.progress(since: state.playlist)
    switch progress {
    case .advanced:
      (state.playlist, state.advanced, state.older, state.idle) = (next, now, 0, 0)
    case .unchanged:
      state.older = 0
      if isBlocking { state.idle += 1 }
    case .older:
      state.older += 1
      if state.beganAgain(as: next) || state.older >= Self.olderLimit && !state.has(next) { restart(&state, next, now) }
    }
    known[address] = state
    if state.advanced == now { tellBreaks(state) }
    return progress
  }

  private func tellBreaks(_ known: Known) {
    monitor?.tell(breaks: known.playlist.breaks.map { $0.moved(by: known.origin) })
  }

  /// Asks for the skipped segments too where a delta update does not fit.
  private func loadWhole(
    _ state: Known, isBlocking: Bool, rung: Int?, _ resources: ResourceLoader
  ) throws(LoadProblem) -> MediaPlaylist {
    let before = state.playlist
    if let next = try load(before.reloadAddress(waits: isBlocking), previous: before, rung: rung, resources) {
      return next
    }
    let whole = before.reloadAddress(waits: false, skips: false)
    guard let next = try load(whole, previous: before, rung: rung, resources) else {
      throw .failed(.badResponse("its playlist is a delta update of another playlist"))
    }
    return next
  }

  /// A cache that lags shows an older state for a while; a packager that began again shows it for ever.
  private static let olderLimit = 4

  private func restart(_ state: inout Known, _ next: MediaPlaylist, _ now: Double) {
    var fresh = next
    let segments = next.timeline.listed ?? []
    let begin = segments.first.map { MediaTime(nanoseconds: $0.start) } ?? .zero
    let behind = state.timeline.end ?? .zero
    fresh.timeline = SegmentTimeline(listed: segments, timescale: TickArithmetic.nanosecondsPerSecond)
    let dated = segments.first?.wallTime.flatMap { date in zero.map { date - $0 - begin } }
    let epoch = max(state.epoch + 1, self.epoch)
    // Without a time of day: as another playlist of the same run lies, else behind the media of the run before.
    let others =
      known.values.filter { $0.epoch == epoch }.map {
        LiveAxis(zero: zero, timeline: $0.timeline, targetDuration: $0.playlist.targetDuration, epoch: epoch)
      } + [leader()].compactMap { $0 }.filter { $0.epoch == epoch }
    let beside = segments.first.flatMap { first in others.lazy.compactMap { $0.origin(of: first) }.first }
    state = Known(
      playlist: fresh, origin: max(dated ?? beside ?? behind - begin, behind - begin), loaded: now, advanced: now,
      epoch: epoch)
  }

  private func load(
    _ address: StreamAddress, previous: MediaPlaylist?, rung: Int?, _ resources: ResourceLoader
  ) throws(LoadProblem) -> MediaPlaylist? {
    let (bytes, loaded) = try resources.bytes(Self.resource(address, rung))
    return try parseAgain(bytes, loaded.address, previous: previous)
  }

  /// Of a live stream: a damaged playlist is no end of it.
  private func parseAgain(
    _ bytes: [UInt8], _ address: StreamAddress, previous: MediaPlaylist?
  ) throws(LoadProblem) -> MediaPlaylist? {
    do throws(LoadProblem) {
      return try parse(bytes, address, previous: previous)
    } catch {
      // A page of a server in trouble, or half a playlist: the next load may bring one again.
      guard case .refused(let failure) = error, failure.kind == .media else { throw error }
      throw .failed(.badResponse(failure.cause))
    }
  }

  private static func resource(_ address: StreamAddress, _ rung: Int?) -> StreamResource {
    StreamResource(kind: .playlist, address: address, rung: rung, byteLimit: Int64(ManifestLimits.byteCount))
  }

  private func parse(
    _ bytes: [UInt8], _ address: StreamAddress, previous: MediaPlaylist?
  ) throws(LoadProblem) -> MediaPlaylist? {
    do throws(Failure) {
      return try MediaPlaylist.parse(bytes, at: address, previous: previous, variables: variables)
    } catch {
      throw .refused(error)
    }
  }
}
