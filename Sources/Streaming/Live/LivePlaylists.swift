import Frames
import HTTP

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

    var isBlocking: Bool { playlist.server.canBlockReload && idle < 3 }
  }

  private var known: [StreamAddress: Known] = [:]
  private let variables: PlaylistVariables
  /// The wall clock where the axis is 0, by the first playlist that tells the time of day, or by the stream's maker.
  private(set) var zero: WallTime?

  /// - Parameter zero: where the stream's maker says where its axis begins.
  init(_ variables: PlaylistVariables, zero: WallTime?) { (self.variables, self.zero) = (variables, zero) }

  /// Whether one of them is not complete.
  private(set) var isLive = false

  subscript(address: StreamAddress) -> Known? { known[address] }

  /// Loads a playlist unless it is known.
  ///
  /// - Parameter loaded: where the user named the playlist itself.
  func timeline(
    _ address: StreamAddress, loaded: MediaPlaylist? = nil, rung: Int, _ headers: StreamHeaders,
    _ resources: ResourceLoader
  ) throws(LoadProblem) -> SegmentTimeline {
    if let known = known[address] { return known.timeline }
    let playlist: MediaPlaylist
    if let loaded {
      playlist = loaded
    } else {
      let (bytes, came) = try headers.bytes(Self.resource(address, rung), resources)
      guard let first = try parse(bytes, came.address, previous: nil) else {
        throw .failed(.badResponse("its playlist is a delta update, and nothing came before it"))
      }
      playlist = first
    }
    if !playlist.isEnded { isLive = true }
    let now = resources.transport.now
    guard isLive else { return playlist.timeline }
    let made = Known(playlist: playlist, origin: origin(of: playlist), loaded: now, advanced: now)
    known[address] = made
    return made.timeline
  }

  /// Where a playlist lies that is loaded for the first time.
  private func origin(of playlist: MediaPlaylist) -> MediaTime {
    guard let first = playlist.timeline.listed?.first else { return .zero }
    let begin = MediaTime(nanoseconds: first.start)
    if let date = first.wallTime {
      if let zero { return date - zero - begin }
      if known.isEmpty {
        zero = date - begin
        return .zero
      }
    }
    // Renditions number the same media alike, as far as a player can know.
    for other in known.values.sorted(by: { $0.loaded > $1.loaded }) {
      let timeline = other.timeline
      if let index = timeline.index(ofNumber: first.number), let same = timeline[index] {
        return timeline.start(of: same) - begin
      }
      if let last = timeline.listed?.last, first.number > last.number {
        let step = Int64(clamping: first.number - last.number - 1)
        let gap = MediaTime(nanoseconds: other.playlist.targetDuration.nanoseconds.multipliedSaturated(by: step))
        return timeline.end(of: last) + gap - begin
      }
    }
    return .zero
  }

  /// Loads a playlist again, and gives its news; the request waits at the server where that can.
  ///
  /// - Parameter waits: false: what there is now.
  func reload(
    _ address: StreamAddress, waits: Bool, rung: Int, _ resources: ResourceLoader
  ) throws(LoadProblem) -> PlaylistProgress {
    guard var state = known[address] else { return .unchanged }
    let isBlocking = waits && state.isBlocking
    var next = try load(
      state.playlist.reloadAddress(waits: isBlocking), previous: state.playlist, rung: rung, resources)
    if next == nil {
      next = try load(
        state.playlist.reloadAddress(waits: false, skips: false), previous: state.playlist, rung: rung, resources)
    }
    guard var next else { throw .failed(.badResponse("its playlist is a delta update of another playlist")) }
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
      if state.older >= Self.olderLimit { restart(&state, next, now) }
    }
    known[address] = state
    return progress
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
    state = Known(
      playlist: fresh, origin: max(dated ?? behind - begin, behind - begin), loaded: now, advanced: now,
      epoch: state.epoch + 1)
  }

  private func load(
    _ address: StreamAddress, previous: MediaPlaylist?, rung: Int, _ resources: ResourceLoader
  ) throws(LoadProblem) -> MediaPlaylist? {
    let (bytes, loaded) = try resources.bytes(Self.resource(address, rung))
    do throws(LoadProblem) {
      return try parse(bytes, loaded.address, previous: previous)
    } catch {
      // A page of a server in trouble, or half a playlist: the next load may bring one again.
      guard case .refused(let failure) = error, failure.kind == .media else { throw error }
      throw .failed(.badResponse(failure.cause))
    }
  }

  private static func resource(_ address: StreamAddress, _ rung: Int) -> StreamResource {
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
