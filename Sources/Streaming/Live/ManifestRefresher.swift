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

/// Keeps the manifest of a live stream of DASH up to date: loads it, or takes what the loader of the video has. One thread.
final class ManifestRefresher {
  private(set) var state: ManifestState
  /// Of the video, whose loader loads the manifest; nil: it is loaded here.
  private let leader: LiveMonitor?
  private var isClockKnown = false
  /// When it was asked for last, in seconds since the stream was opened: also a damaged answer is asked for again only when it is time.
  private var asked = -Double.infinity
  /// Loads in a row that gave an older state.
  private var older = 0

  /// Manifests that ask to be loaded all the time are loaded so often, and the video's is looked at, in seconds.
  private static let leastInterval = 0.5
  private static let lookInterval = 0.05
  private static let olderLimit = 4

  /// Nil for a manifest on demand.
  init?(_ presentation: Presentation, at now: Double) {
    guard let state = ManifestState(presentation, at: now) else { return nil }
    (self.state, leader) = (state, nil)
  }

  /// Of a track beside the video. Nil where the video is none of DASH, or not live.
  init?(following leader: LiveMonitor) {
    guard let state = leader.manifest else { return nil }
    (self.state, self.leader) = (state, leader)
  }

  var presentation: Presentation { state.presentation }
  var facts: LiveFacts { state.facts }
  var clockOffset: MediaTime { state.clockOffset }
  var hasEnded: Bool { state.hasEnded }

  /// The wall clock of the first picture.
  var begin: WallTime { facts.availabilityStart + (presentation.periods.first?.start ?? .zero) }

  /// Seconds until it is to be loaded again; nil: never.
  func wait(at now: Double) -> Double? {
    guard !hasEnded else { return nil }
    if let leader { return leader.manifest?.loaded == state.loaded ? Self.lookInterval : 0 }
    return facts.updateInterval.map { max(0, max(state.loaded, asked) + max($0.seconds, Self.leastInterval) - now) }
  }

  /// The server's time of day.
  func wall(_ transport: any StreamTransport) -> WallTime { transport.wall + clockOffset }

  /// Loads it again; true: something is new.
  func reload(_ resources: ResourceLoader) throws(LoadProblem) -> Bool {
    if let leader {
      guard let next = leader.manifest, next.loaded != state.loaded else { return false }
      defer { state = next }
      return next.presentation.liveEnd != presentation.liveEnd || next.hasEnded
    }
    let address = facts.locations.first ?? presentation.address
    defer { asked = resources.transport.now }
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
    state.loaded = resources.transport.now
    let isNew = next.liveEnd != presentation.liveEnd || next.live == nil
    // A cache that lags shows an older state for a while; a packager that began again shows it for ever.
    if let published = next.live?.published, let before = facts.published, published < before {
      older += 1
      guard older >= Self.olderLimit else { return false }
    }
    older = 0
    state.presentation = next
    if let live = next.live { state.facts = live } else { state.hasEnded = true }
    return isNew
  }

  /// Follows the manifest's clock: once, and again where that failed.
  func followClock(_ resources: ResourceLoader) throws(LoadProblem) {
    guard leader == nil, !isClockKnown else { return }
    for source in facts.clocks {
      if let offset = try offset(by: source, resources) {
        (state.clockOffset, isClockKnown) = (offset, true)
        return
      }
    }
    isClockKnown = facts.clocks.isEmpty
  }

  private func offset(by source: ClockSource, _ resources: ResourceLoader) throws(LoadProblem) -> MediaTime? {
    let transport = resources.transport
    func age(_ instant: Double) -> MediaTime { MediaTime(seconds: max(0, transport.now - instant)) }
    switch source.method {
    case .direct(let instant): return instant + age(state.loaded) - transport.wall
    case .iso(let addresses):
      for address in addresses {
        guard let (bytes, came) = try clock(address, isHead: false, resources) else { continue }
        let text = bytes.drop { $0 <= 0x20 }.prefix { $0 > 0x20 }
        guard let instant = WallTime(text) else { continue }
        return instant + age(came.times.firstByte ?? came.times.ended) - transport.wall
      }
    case .head(let addresses):
      for address in addresses {
        guard let (_, came) = try clock(address, isHead: true, resources), let date = came.date else { continue }
        // Whole seconds: the middle of them.
        return date + MediaTime(seconds: 0.5) + age(came.times.firstByte ?? came.times.ended) - transport.wall
      }
    }
    return nil
  }

  private func clock(
    _ address: StreamAddress, isHead: Bool, _ resources: ResourceLoader
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
  /// What tells one state of a live manifest from the next.
  fileprivate var liveEnd: [MediaTime?] {
    periods.map(\.start) + [
      periods.last?.adaptationSets.first { $0.kind == .video }?.renditions.first?.timeline?.end
    ]
  }
}
