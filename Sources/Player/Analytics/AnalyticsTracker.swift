import Frames
import Media
import Playback

/// Tells what has happened from one look at a player to the next. A pure value: the caller gives the time.
package struct AnalyticsTracker: Sendable {
  /// A clip from its `load` to its `unload`.
  private struct Clip {
    var number: Int
    /// Nil: it was being played before anything was told.
    var began: AnalyticsInstant?
    var isReady = false
    var hasShown = false
    var hasEnded = false
    var last = PlayerSample()
    var stall: (began: AnalyticsInstant, cause: PlayerSample.StallCause)?
    var seek: (began: AnalyticsInstant, from: MediaTime)?
    var ad: (number: Int, began: AnalyticsInstant)?
    var frames: Frames

    /// Where the sums of the present while began.
    struct Frames {
      var at: AnalyticsInstant
      var presented = 0
      var dropped = 0
    }
  }

  /// Over the session, for its end and for metrics.
  package struct Sums: Sendable, Hashable {
    package var clips = 0
    package var presented = 0
    package var dropped = 0
    package var stalls = 0
    package var stallMilliseconds = 0.0
    package var seeks = 0
    package var errors = 0
  }

  package private(set) var sums = Sums()
  package private(set) var began: AnalyticsInstant?
  private let framesSeconds: Double
  private var clip: Clip?
  private var heard: (volume: Double, isMuted: Bool)?
  private var seen: AnalyticsInstant?

  /// - Parameter framesSeconds: from one event `frames` to the next.
  package init(framesSeconds: Double = 10) { self.framesSeconds = framesSeconds }

  // MARK: - Session

  package mutating func begin(at now: AnalyticsInstant) -> [AnalyticsEvent] {
    began = now
    return [AnalyticsEvent(name: .sessionBegin, at: now)]
  }

  package mutating func end(at now: AnalyticsInstant) -> [AnalyticsEvent] {
    let closed = unload(at: now)
    let fields = [
      AnalyticsEvent.Field("clips", .integer(sums.clips)), .init("presented", .integer(sums.presented)),
      .init("dropped", .integer(sums.dropped)), .init("stalls", .integer(sums.stalls)),
      .init("stalled_ms", .number(sums.stallMilliseconds)), .init("seeks", .integer(sums.seeks)),
      .init("errors", .integer(sums.errors)),
    ]
    return closed + [AnalyticsEvent(name: .sessionEnd, at: now, began: began, fields: fields)]
  }

  // MARK: - Clips

  /// A clip begins to be opened; another one is over.
  ///
  /// - Parameter content: the caller's name for it; nil: it is not named.
  package mutating func load(content: String? = nil, at now: AnalyticsInstant) -> [AnalyticsEvent] {
    let closed = unload(at: now)
    sums.clips += 1
    clip = Clip(number: sums.clips, began: now, frames: Clip.Frames(at: now))
    let fields = content.map { [AnalyticsEvent.Field("content", .text($0))] } ?? []
    return closed + [event(.load, at: now, fields)]
  }

  /// The clip is left, if there is one.
  package mutating func unload(at now: AnalyticsInstant) -> [AnalyticsEvent] {
    guard let left = clip else { return [] }
    var events = endStall(at: now) + endAd("left", at: now)
    events += frames(at: now, isLast: true)
    events.append(event(.unload, at: now, began: left.began))
    clip = nil
    return events
  }

  /// The clip cannot be shown, or not on.
  package mutating func fail(_ kind: Failure.Kind, at now: AnalyticsInstant) -> [AnalyticsEvent] {
    sums.errors += 1
    return endStall(at: now) + [event(.error, at: now, [.init("kind", .text(kind.rawValue))])]
  }

  // MARK: - Ads

  /// An ad takes the clip's place.
  ///
  /// - Parameter number: among those of its break, from 1.
  package mutating func beginAd(_ number: Int, at now: AnalyticsInstant) -> [AnalyticsEvent] {
    clip?.ad = (number, now)
    return [event(.adBegin, clip?.last, at: now, [.init("ad", .integer(number))])]
  }

  /// - Parameter outcome: how it is over, as the schema names it.
  package mutating func endAd(_ outcome: String, at now: AnalyticsInstant) -> [AnalyticsEvent] {
    guard let ad = clip?.ad else { return [] }
    clip?.ad = nil
    return [
      event(
        .adEnd, clip?.last, at: now, began: ad.began,
        [
          .init("ad", .integer(ad.number)), .init("outcome", .text(outcome)),
          .init("ad_ms", .number(now.milliseconds(since: ad.began))),
        ])
    ]
  }

  /// - Parameter code: VAST's number of the error.
  package mutating func failAd(_ code: Int, at now: AnalyticsInstant) -> [AnalyticsEvent] {
    [event(.adFailed, clip?.last, at: now, [.init("vast_error", .integer(code))])]
  }

  // MARK: - Looks

  /// What has happened since the last look.
  package mutating func observe(_ sample: PlayerSample, at now: AnalyticsInstant) -> [AnalyticsEvent] {
    if sample.status == .idle || sample.status == .opening { return [] }
    var events: [AnalyticsEvent] = []
    if clip == nil {
      events += load(at: now)
      clip?.began = nil
    }
    events += opened(sample, at: now)
    events += sought(sample, at: now)
    events += played(sample, at: now)
    events += changed(sample, at: now)
    clip?.last = sample
    events += frames(at: now, isLast: false)
    seen = now
    return events
  }

  private mutating func opened(_ sample: PlayerSample, at now: AnalyticsInstant) -> [AnalyticsEvent] {
    guard let found = clip else { return [] }
    var events: [AnalyticsEvent] = []
    if !found.isReady {
      clip?.isReady = true
      // Choices that were made before are told; tracks and seeks are as they are.
      var first = PlayerSample()
      (first.tracks, first.seeks, first.position) = (sample.tracks, sample.seeks, sample.position)
      clip?.last = first
      let milliseconds = found.began.map { AnalyticsEvent.Field("load_ms", .number(now.milliseconds(since: $0))) }
      events.append(event(.ready, sample, at: now, began: found.began, milliseconds.map { [$0] } ?? []))
    }
    if !found.hasShown, sample.presented > 0 {
      clip?.hasShown = true
      let milliseconds = found.began.map {
        AnalyticsEvent.Field("first_frame_ms", .number(now.milliseconds(since: $0)))
      }
      events.append(event(.firstFrame, sample, at: now, began: found.began, milliseconds.map { [$0] } ?? []))
    }
    return events
  }

  private mutating func sought(_ sample: PlayerSample, at now: AnalyticsInstant) -> [AnalyticsEvent] {
    guard let found = clip else { return [] }
    if sample.seeks > found.last.seeks, found.seek == nil {
      // It was ordered after the last look.
      clip?.seek = (seen ?? now, found.last.position)
    }
    guard let seek = clip?.seek, sample.status != .seeking else { return [] }
    clip?.seek = nil
    sums.seeks += 1
    return [
      event(
        .seek, sample, at: now, began: seek.began,
        [
          .init("from_s", .number(seek.from.seconds)), .init("to_s", .number(sample.position.seconds)),
          .init("seek_ms", .number(now.milliseconds(since: seek.began))),
        ])
    ]
  }

  private mutating func played(_ sample: PlayerSample, at now: AnalyticsInstant) -> [AnalyticsEvent] {
    guard let found = clip else { return [] }
    var events: [AnalyticsEvent] = []
    let hasEnded = sample.status.isAtEnd
    if hasEnded, !found.hasEnded { events.append(event(.ended, sample, at: now)) }
    clip?.hasEnded = hasEnded
    // The end is no pause of the user's, and what follows it is played anew.
    let plays = sample.isPlaying && !hasEnded
    let didPlay = found.last.isPlaying && !found.hasEnded
    if plays != didPlay, !hasEnded { events.append(event(plays ? .play : .pause, sample, at: now)) }
    if sample.status == .stalled {
      guard found.stall == nil else { return events }
      clip?.stall = (now, sample.cause)
      sums.stalls += 1
      events.append(event(.stallBegin, sample, at: now, [.init("cause", .text(sample.cause.rawValue))]))
    } else {
      events += endStall(sample, at: now)
    }
    return events
  }

  private mutating func endStall(_ sample: PlayerSample? = nil, at now: AnalyticsInstant) -> [AnalyticsEvent] {
    guard let stall = clip?.stall else { return [] }
    clip?.stall = nil
    let milliseconds = now.milliseconds(since: stall.began)
    sums.stallMilliseconds += milliseconds
    return [
      event(
        .stallEnd, sample, at: now, began: stall.began,
        [.init("cause", .text(stall.cause.rawValue)), .init("stalled_ms", .number(milliseconds))])
    ]
  }

  /// What the user chose, and what the network did.
  private mutating func changed(_ sample: PlayerSample, at now: AnalyticsInstant) -> [AnalyticsEvent] {
    guard let last = clip?.last else { return [] }
    var events: [AnalyticsEvent] = []
    func add(_ name: AnalyticsEvent.Name, _ fields: [AnalyticsEvent.Field]) {
      events.append(event(name, sample, at: now, fields))
    }
    if sample.rate != last.rate { add(.rate, [.init("rate", .number(sample.rate))]) }
    if let rung = sample.rung, rung != last.rung {
      add(
        .quality,
        [
          .init("rung", .integer(rung.number)), .init("bitrate_bps", .number(rung.bitrate)),
          .init("height", rung.height.map { .integer($0) } ?? .none),
        ])
    }
    if let heard {
      if heard.volume != sample.volume { add(.volume, [.init("volume", .number(sample.volume))]) }
      if heard.isMuted != sample.isMuted { add(.mute, [.init("is_muted", .flag(sample.isMuted))]) }
    }
    heard = (sample.volume, sample.isMuted)
    for (name, before, after) in [
      (AnalyticsEvent.Name.soundTrack, last.tracks.sound, sample.tracks.sound),
      (.subtitleTrack, last.tracks.subtitles, sample.tracks.subtitles),
    ] where before != after { add(name, [.init("track", after.map { .integer($0) } ?? .none)]) }
    if let live = sample.live, live.isAtEdge != last.live?.isAtEdge {
      add(.live, [.init("is_at_edge", .flag(live.isAtEdge)), .init("behind_s", .number(live.behindSeconds))])
    }
    return events
  }

  /// The sums since the last ones, where it is time for them.
  private mutating func frames(at now: AnalyticsInstant, isLast: Bool) -> [AnalyticsEvent] {
    guard let found = clip, isLast || now.milliseconds(since: found.frames.at) >= framesSeconds * 1000 else {
      return []
    }
    let (presented, dropped) = (
      found.last.presented - found.frames.presented, found.last.dropped - found.frames.dropped
    )
    defer {
      clip?.frames = Clip.Frames(at: now, presented: found.last.presented, dropped: found.last.dropped)
    }
    guard presented > 0 || dropped > 0 else { return [] }
    sums.presented += presented
    sums.dropped += dropped
    return [
      event(
        .frames, found.last, at: now, began: found.frames.at,
        [.init("presented", .integer(presented)), .init("dropped", .integer(dropped))])
    ]
  }

  private func event(
    _ name: AnalyticsEvent.Name, _ sample: PlayerSample? = nil, at now: AnalyticsInstant,
    began: AnalyticsInstant? = nil, _ fields: [AnalyticsEvent.Field] = []
  ) -> AnalyticsEvent {
    AnalyticsEvent(
      name: name, at: now, began: began, clip: clip?.number, position: sample?.position.seconds, fields: fields)
  }
}
