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
/// numbers of their segments. A value: `PlaylistLoader` loads them.
struct LivePlaylists {
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

    /// As it marks them, on the axis.
    var breaks: [StreamBreak] { playlist.breaks.map { $0.moved(by: origin) } }

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

    /// Returns whether the other playlist is of another run of the packager: it has later media under the same numbers.
    func isEarlierRun(than other: MediaPlaylist) -> Bool {
      let segments = playlist.timeline.listed ?? []
      for segment in other.timeline.listed ?? [] {
        guard let index = playlist.timeline.index(ofNumber: segment.number), let own = playlist.timeline[index],
          let before = own.wallTime, let now = segment.wallTime
        else { continue }
        guard now > before + Self.sameDate else { return false }
        // A segment that is known under another number is the same media, wrongly numbered.
        return !segments.contains {
          $0.number != segment.number && $0.address == segment.address && $0.range == segment.range
        }
      }
      return false
    }

    /// The dates of one segment differ by less: some packagers round them anew.
    private static let sameDate = MediaTime(nanoseconds: 1_000_000_000)

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
  /// The wall clock where the axis is 0, by the first playlist that tells the time of day, or by the stream's maker.
  private(set) var zero: WallTime?
  /// The axis of the video that these belong to, as it is now; nil where they are the video's.
  var leader: LiveAxis?
  /// Whether one of them is not complete.
  private(set) var isLive: Bool

  /// - Parameters:
  ///   - zero: where the stream's maker says where its axis begins.
  ///   - leader: the axis on which all are placed; nil: the first playlist makes one.
  init(zero: WallTime?, leader: LiveAxis?) {
    (self.zero, self.leader, isLive) = (leader?.zero ?? zero, leader, leader != nil)
  }

  /// The axis, by the playlist at an address; nil where that is not known.
  func axis(_ address: StreamAddress) -> LiveAxis? {
    known[address].map {
      LiveAxis(zero: zero, timeline: $0.timeline, targetDuration: $0.playlist.targetDuration, epoch: $0.epoch)
    }
  }

  subscript(address: StreamAddress) -> Known? { known[address] }

  /// Takes a playlist that was loaded for the first time; gives the segments that it tells of.
  mutating func add(_ playlist: MediaPlaylist, at address: StreamAddress, now: Double) -> SegmentTimeline {
    if !playlist.isEnded { isLive = true }
    guard isLive else { return playlist.timeline }
    // It is of the packager's present run.
    var made = Known(playlist: playlist, origin: origin(of: playlist), loaded: now, advanced: now)
    made.epoch = epoch
    known[address] = made
    return made.timeline
  }

  /// How often the packager began again, as far as any playlist shows.
  private var epoch: Int64 { max(leader?.epoch ?? 0, known.values.map(\.epoch).max() ?? 0) }

  /// Where a playlist lies that is loaded for the first time.
  private mutating func origin(of playlist: MediaPlaylist) -> MediaTime {
    guard let first = playlist.timeline.listed?.first else { return .zero }
    let begin = MediaTime(nanoseconds: first.start)
    if let date = first.wallTime {
      if let zero { return date - zero - begin }
      if known.isEmpty, leader == nil {
        zero = date - begin
        return .zero
      }
    }
    let others = known.sorted { $0.value.loaded > $1.value.loaded }.compactMap { axis($0.key) }
    return (others + [leader].compactMap { $0 }).lazy.compactMap { $0.origin(of: first) }.first ?? .zero
  }

  /// Takes a playlist that was loaded again.
  ///
  /// - Parameter waited: the request was to wait for news at the server.
  mutating func renew(
    _ address: StreamAddress, with next: MediaPlaylist, waited: Bool, now: Double
  ) -> PlaylistProgress {
    guard var state = known[address] else { return .unchanged }
    state.loaded = now
    let progress = next.progress(since: state.playlist)
    switch progress {
    case _ where state.isEarlierRun(than: next):
      state.older += 1
      if state.older >= Self.laterLimit { restart(&state, next, now) }
    case .advanced:
      (state.playlist, state.advanced, state.older, state.idle) = (next, now, 0, 0)
    case .unchanged:
      state.older = 0
      if waited { state.idle += 1 }
    case .older:
      state.older += 1
      if state.beganAgain(as: next) || state.older >= Self.olderLimit && !state.has(next) { restart(&state, next, now) }
    }
    known[address] = state
    return progress
  }

  /// A playlist was asked for again and did not come, or came damaged: as one without news, it is asked for again when it is time.
  mutating func failed(_ address: StreamAddress, waited: Bool, now: Double) {
    known[address]?.loaded = now
    if waited { known[address]?.idle += 1 }
  }

  /// A cache that lags shows an older state for a while; a packager that began again shows it for ever.
  private static let olderLimit = 4
  /// Loads in a row that give later media under the same numbers: numbers that go to and fro are a mistake.
  private static let laterLimit = 2
  /// A packager that began again may list so many target durations less than the one before did.
  private static let lateTargets: Int64 = 3

  private func restart(_ state: inout Known, _ next: MediaPlaylist, _ now: Double) {
    var fresh = next
    let segments = next.timeline.listed ?? []
    let begin = segments.first.map { MediaTime(nanoseconds: $0.start) } ?? .zero
    let behind = state.timeline.end ?? .zero
    fresh.timeline = SegmentTimeline(listed: segments, timescale: TickArithmetic.nanosecondsPerSecond)
    // By the time of day, unless that went back. Segments that lie before the end of the earlier run are not played.
    let dated = segments.first?.wallTime.flatMap { date in zero.map { date - $0 - begin } }
      .flatMap { origin -> MediaTime? in
        let end = segments.last.map { origin + MediaTime(nanoseconds: $0.start.addingSaturated($0.duration)) } ?? origin
        let late = fresh.targetDuration.nanoseconds.multipliedSaturated(by: Self.lateTargets)
        return end + MediaTime(nanoseconds: late) >= behind ? origin : nil
      }
    let epoch = max(state.epoch + 1, self.epoch)
    // Without a time of day: as another playlist of the same run lies, else behind the media of the run before.
    let others =
      known.values.filter { $0.epoch == epoch }.map {
        LiveAxis(zero: zero, timeline: $0.timeline, targetDuration: $0.playlist.targetDuration, epoch: epoch)
      } + [leader].compactMap { $0 }.filter { $0.epoch == epoch }
    let beside = segments.first.flatMap { first in others.lazy.compactMap { $0.origin(of: first) }.first }
    state = Known(
      playlist: fresh, origin: dated ?? max(beside ?? behind - begin, behind - begin), loaded: now, advanced: now,
      epoch: epoch)
  }
}

/// Loads media playlists of a stream that may be live.
struct PlaylistLoader {
  let variables: PlaylistVariables
  let headers: StreamHeaders
  let resources: ResourceLoader

  /// A playlist that was not loaded before.
  ///
  /// - Parameters:
  ///   - isLive: the stream is known to be: another rung's playlist is as good where this one is damaged.
  ///   - rung: nil: of sound.
  func first(_ address: StreamAddress, isLive: Bool, rung: Int?) throws(LoadProblem) -> MediaPlaylist {
    let (bytes, came) = try headers.bytes(Self.resource(address, rung), resources)
    let first =
      isLive ? try parseAgain(bytes, came.address, previous: nil) : try parse(bytes, came.address, previous: nil)
    guard let first else {
      throw .failed(.badResponse("its playlist is a delta update, and nothing came before it"))
    }
    return first
  }

  /// The next state of a playlist. Asks for the skipped segments too where a delta update does not fit.
  ///
  /// - Parameter waits: the request waits for news at the server.
  func next(after before: MediaPlaylist, waits: Bool, rung: Int?) throws(LoadProblem) -> MediaPlaylist {
    var loaded: MediaPlaylist?
    do throws(LoadProblem) {
      loaded = try load(before.reloadAddress(waits: waits), previous: before, rung: rung)
    } catch {
      // The segment in the request lies too far ahead of a packager that began again.
      guard waits, case .failed(let problem) = error, problem.status == 400 else { throw error }
      loaded = try load(before.reloadAddress(waits: false), previous: before, rung: rung)
    }
    // Also where its dates do not continue the dates that it skips: they may be of another run.
    if loaded.map({ before.server.canSkipUntil != nil && $0.hasDateJump(behind: before) }) ?? true {
      loaded = try load(before.reloadAddress(waits: false, skips: false), previous: before, rung: rung)
    }
    guard var next = loaded else { throw .failed(.badResponse("its playlist is a delta update of another playlist")) }
    // Directives belong to the request, not to the playlist.
    next.address = next.address.replacingDirectives([])
    return next
  }

  private func load(
    _ address: StreamAddress, previous: MediaPlaylist?, rung: Int?
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
      return try MediaPlaylist.parse(
        bytes, at: address, name: resources.options.served?.file(address), previous: previous, variables: variables)
    } catch {
      throw .refused(error)
    }
  }
}
