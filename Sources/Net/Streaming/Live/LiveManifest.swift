import Frames
import HTTP

/// The manifest of a live stream of DASH as it was loaded last, and the clock that it names. A value.
struct ManifestState {
  var presentation: Presentation
  var facts: LiveFacts
  /// When it was loaded, in seconds since the stream was opened.
  var loaded: Double
  /// The server's clock less the machine's.
  var clockOffset = MediaTime.zero
  var hasEnded = false

  /// Nil for a manifest on demand.
  init?(_ presentation: Presentation, at now: Double) {
    guard let facts = presentation.live else { return nil }
    (self.presentation, self.facts, loaded) = (presentation, facts, now)
  }
}

/// How the manifest of a live stream of DASH is kept up to date: when it is to be loaded again, and what the next one brings. A track beside
/// the video takes what the video's loader has. A value.
struct LiveManifest {
  private(set) var state: ManifestState
  /// It is the video's, whose loader loads it.
  let isFollowing: Bool
  private var isClockKnown = false
  /// When it was asked for last, in seconds since the stream was opened: also a damaged answer is asked for again only when it is time.
  private var asked = -Double.infinity
  /// Loads in a row that gave an older state.
  private var older = 0
  /// Where the axis of the present packager begins on that of the first one, which this stream keeps.
  private var shift = MediaTime.zero
  /// How often the packager has begun again.
  private(set) var restarts = 0

  /// Manifests that ask to be loaded all the time are loaded so often, and the video's is looked at, in seconds.
  private static let leastInterval = 0.5
  private static let lookInterval = 0.05
  private static let olderLimit = 4

  /// Nil for a manifest on demand.
  init?(_ presentation: Presentation, at now: Double) {
    guard let state = ManifestState(presentation, at: now) else { return nil }
    (self.state, isFollowing) = (state, false)
  }

  /// Of a track beside the video.
  init(following state: ManifestState) { (self.state, isFollowing) = (state, true) }

  var presentation: Presentation { state.presentation }
  var facts: LiveFacts { state.facts }
  var clockOffset: MediaTime { state.clockOffset }
  var hasEnded: Bool { state.hasEnded }
  var address: StreamAddress { facts.locations.first ?? presentation.address }

  /// The server's time of day.
  func wall(_ transport: any StreamTransport) -> WallTime { transport.wall + clockOffset }

  /// The wall clock of the first picture.
  var begin: WallTime { facts.availabilityStart + (presentation.periods.first?.start ?? .zero) }

  /// Seconds until it is to be loaded again; nil: never.
  ///
  /// - Parameter leader: the video's, of a track beside it.
  func wait(at now: Double, leader: ManifestState?) -> Double? {
    guard !hasEnded else { return nil }
    if isFollowing { return leader?.loaded == state.loaded ? Self.lookInterval : 0 }
    return facts.updateInterval.map { max(0, max(state.loaded, asked) + max($0.seconds, Self.leastInterval) - now) }
  }

  /// Takes what the video's loader has; true: something is new.
  mutating func follow(_ leader: ManifestState?) -> Bool {
    guard let next = leader, next.loaded != state.loaded else { return false }
    defer { state = next }
    return next.presentation.liveEnd != presentation.liveEnd || next.hasEnded
  }

  /// It was asked for, and did not come.
  mutating func failed(at now: Double) { asked = now }

  /// Takes the manifest that was loaded; true: something is new.
  mutating func take(_ next: Presentation, at now: Double) -> Bool {
    (asked, state.loaded) = (now, now)
    // A cache that lags shows an older state for a while; a packager that began again shows it for ever.
    if let published = next.live?.published, let before = facts.published, published < before {
      older += 1
      guard older >= Self.olderLimit else { return false }
    }
    older = 0
    if let start = next.live?.availabilityStart, beganAgain(as: next, from: start) {
      (shift, restarts) = (start - facts.availabilityStart, restarts + 1)
    }
    let placed = next.moved(by: shift)
    let isNew = placed.liveEnd != presentation.liveEnd || next.live == nil
    state.presentation = placed
    if let live = next.live {
      state.facts = live
      state.facts.availabilityStart = live.availabilityStart - shift
    } else {
      state.hasEnded = true
    }
    return isNew
  }

  /// The packager started again: its media has places from 0 on, which were others before.
  private func beganAgain(as next: Presentation, from start: WallTime) -> Bool {
    guard start > facts.availabilityStart + shift + Self.sameStart else { return false }
    guard let end = next.liveEnd.last ?? nil, let before = presentation.liveEnd.last ?? nil else { return true }
    return end + shift < before
  }

  /// Starts of one packager differ by less.
  private static let sameStart = MediaTime(nanoseconds: 1_000_000_000)

  /// The manifest names a clock to follow, which is not known.
  var needsClock: Bool { !isFollowing && !isClockKnown && !facts.clocks.isEmpty }

  /// - Parameter offset: the server's clock less the machine's.
  mutating func takeClock(_ offset: MediaTime) { (state.clockOffset, isClockKnown) = (offset, true) }
}

/// Loads the manifest of a live stream of DASH again, and reads the clock that it names.
struct ManifestLoader {
  let resources: ResourceLoader

  func load(_ address: StreamAddress) throws(LoadProblem) -> Presentation {
    let (bytes, came) = try resources.bytes(
      StreamResource(kind: .manifest, address: address, byteLimit: Int64(ManifestLimits.byteCount)))
    let next: Presentation
    do throws(Failure) {
      next = try Manifest.parse(bytes, at: came.address, keys: resources.options.keys)
    } catch {
      // A page of a server in trouble, or half a manifest: the next load may bring one again.
      throw error.kind == .media ? .failed(.badResponse(error.cause)) : .refused(error)
    }
    guard next.format == .dash else { throw .failed(.badResponse("its manifest is a playlist now")) }
    return next
  }

  /// The server's clock less the machine's; nil where none of the named clocks can be read.
  func clock(of manifest: ManifestState) throws(LoadProblem) -> MediaTime? {
    for source in manifest.facts.clocks {
      if let offset = try offset(by: source, loaded: manifest.loaded) { return offset }
    }
    return nil
  }

  private func offset(by source: ClockSource, loaded: Double) throws(LoadProblem) -> MediaTime? {
    let transport = resources.transport
    func age(_ instant: Double) -> MediaTime { MediaTime(seconds: max(0, transport.now - instant)) }
    switch source.method {
    case .direct(let instant): return instant + age(loaded) - transport.wall
    case .iso(let addresses):
      for address in addresses {
        guard let (bytes, came) = try answer(address, isHead: false) else { continue }
        let text = bytes.drop { $0 <= 0x20 }.prefix { $0 > 0x20 }
        guard let instant = WallTime(text) else { continue }
        return instant + age(came.times.firstByte ?? came.times.ended) - transport.wall
      }
    case .head(let addresses):
      for address in addresses {
        guard let (_, came) = try answer(address, isHead: true), let date = came.date else { continue }
        // Whole seconds: the middle of them.
        return date + MediaTime(seconds: 0.5) + age(came.times.firstByte ?? came.times.ended) - transport.wall
      }
    }
    return nil
  }

  private func answer(
    _ address: StreamAddress, isHead: Bool
  ) throws(LoadProblem) -> (bytes: [UInt8], loaded: LoadedResource)? {
    var resource = StreamResource(kind: .clock, address: address, byteLimit: 1024)
    resource.isHead = isHead
    do throws(LoadProblem) {
      return try resources.bytes(resource)
    } catch {
      guard case .failed = error else { throw error }
      return nil
    }
  }
}

extension Presentation {
  /// The same, so much later on the axis.
  fileprivate func moved(by shift: MediaTime) -> Presentation {
    guard shift != .zero else { return self }
    var moved = self
    moved.breaks = breaks.map { $0.moved(by: shift) }
    for period in periods.indices {
      moved.periods[period].start = periods[period].start + shift
      for set in periods[period].adaptationSets.indices {
        for rendition in periods[period].adaptationSets[set].renditions.indices {
          let place = (\Presentation.periods[period].adaptationSets[set].renditions[rendition])
          moved[keyPath: place].source = self[keyPath: place].source.moved(by: shift)
          moved[keyPath: place].mirrors = self[keyPath: place].mirrors.map { $0.moved(by: shift) }
        }
      }
    }
    return moved
  }

  /// What tells one state of a live manifest from the next.
  fileprivate var liveEnd: [MediaTime?] {
    periods.map(\.start) + [
      periods.last?.adaptationSets.first { $0.kind == .video }?.renditions.first?.timeline?.end
    ]
  }
}

extension SegmentSource {
  /// The same, so much later on the axis. Indexes of files are of streams on demand.
  fileprivate func moved(by shift: MediaTime) -> SegmentSource {
    guard case .timeline(let timeline) = self else { return self }
    return .timeline(timeline.moved(by: shift))
  }
}
