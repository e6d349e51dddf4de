import Frames
import HTTP

/// The manifest of a live stream of DASH as it was loaded last, and the clock that it names. One thread.
final class ManifestRefresher {
  private(set) var presentation: Presentation
  private(set) var facts: LiveFacts
  /// When it was loaded, in seconds since the stream was opened.
  private(set) var loaded: Double
  /// Its last load told of something new then.
  private(set) var advanced: Double
  /// The server's clock less the machine's.
  private(set) var clockOffset = MediaTime.zero
  private(set) var hasEnded = false
  private var isClockKnown = false

  /// Manifests that ask to be loaded all the time are loaded so often, in seconds.
  private static let leastInterval = 0.5

  /// Nil for a manifest on demand.
  init?(_ presentation: Presentation, at now: Double) {
    guard let facts = presentation.live else { return nil }
    (self.presentation, self.facts, loaded, advanced) = (presentation, facts, now, now)
  }

  /// Seconds until it is to be loaded again; nil: never.
  func wait(at now: Double) -> Double? {
    guard !hasEnded, let interval = facts.updateInterval else { return nil }
    return max(0, loaded + max(interval.seconds, Self.leastInterval) - now)
  }

  /// The server's time of day.
  func wall(_ transport: any StreamTransport) -> WallTime { transport.wall + clockOffset }

  /// Loads it again; true: something is new.
  func reload(_ resources: ResourceLoader) throws(LoadProblem) -> Bool {
    let address = facts.locations.first ?? presentation.address
    let (bytes, came) = try resources.bytes(
      StreamResource(kind: .manifest, address: address, byteLimit: Int64(ManifestLimits.byteCount)))
    let next: Presentation
    do throws(Failure) {
      next = try Manifest.parse(bytes, at: came.address)
    } catch {
      throw .refused(error)
    }
    guard next.format == .dash else { throw .failed(.badResponse("its manifest is a playlist now")) }
    loaded = resources.transport.now
    let isNew = next.liveEnd != presentation.liveEnd || next.live == nil
    // An older state, from a cache that lags.
    if let published = next.live?.published, let before = facts.published, published < before { return false }
    if isNew { advanced = loaded }
    presentation = next
    if let live = next.live { facts = live } else { hasEnded = true }
    return isNew
  }

  /// Follows the manifest's clock: once, and again where that failed.
  func followClock(_ resources: ResourceLoader) throws(LoadProblem) {
    guard !isClockKnown else { return }
    for source in facts.clocks {
      if let offset = try offset(by: source, resources) {
        (clockOffset, isClockKnown) = (offset, true)
        return
      }
    }
    isClockKnown = facts.clocks.isEmpty
  }

  private func offset(by source: ClockSource, _ resources: ResourceLoader) throws(LoadProblem) -> MediaTime? {
    let transport = resources.transport
    func age(_ instant: Double) -> MediaTime { MediaTime(seconds: max(0, transport.now - instant)) }
    switch source.method {
    case .direct(let instant): return instant + age(loaded) - transport.wall
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
