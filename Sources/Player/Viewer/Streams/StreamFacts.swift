import Bench360Player
import Frames
import Glibc

extension LoadedStream {
  /// For the statistics: `rung 3 of 5 · 720p · 2.4 Mbit/s · 12.3 s loaded ahead · network 8.1 Mbit/s`.
  ///
  /// - Parameter place: of the picture.
  func facts(at place: MediaTime, _ words: Words) -> String {
    var parts: [String] = []
    if let rung = segment(at: place)?.rung {
      parts = [words[.rung(rung + 1, of: rungs.count)]] + (rungs[rung].facts(words).map { [$0] } ?? [])
    }
    parts.append(words[.loadedAhead(words.tenths(bufferSeconds) + " s")])
    if let rate = lastSegment?.bitsPerSecond { parts.append(words[.network(words.megabits(rate))]) }
    return parts.joined(separator: " · ")
  }

  /// The rungs for a menu, and the one that is shown.
  func qualities(at place: MediaTime, _ words: Words) -> ControlFacts.Qualities {
    ControlFacts.Qualities(
      titles: titles(words), names: rungs.enumerated().map { $1.name ?? "\($0 + 1)/\(rungs.count)" }, fixed: fixedRung,
      shown: segment(at: place)?.rung)
  }

  fileprivate func titles(_ words: Words) -> [String] {
    rungs.enumerated().map { $1.facts(words) ?? words[.rungTitle($0 + 1, of: rungs.count)] }
  }
}

extension Showing {
  /// What of a live stream can be played; nil where the clip is none, and before that is known.
  var liveWindow: LiveWindow? {
    guard let stream = clip.loader, let edge = stream.liveEdge, let live = stream.livePlace else { return nil }
    return LiveWindow(edge, live: live, place: place, now: stream.now, zone: Self.zone(at: stream.wall))
  }

  /// The user's clock at an instant, in seconds east of Greenwich.
  private static func zone(at instant: WallTime) -> Int {
    var (seconds, parts) = (time_t(instant.nanoseconds / 1_000_000_000), tm())
    return localtime_r(&seconds, &parts) == nil ? 0 : parts.tm_gmtoff
  }

  /// For the page of the network.
  func networkFacts(_ loaded: LoadedStream, _ words: Words) -> NetworkFacts {
    var facts = NetworkFacts()
    (facts.format, facts.server) = (loaded.format.rawValue.uppercased(), ShownClip(loaded.serverName).text)
    (facts.rungs.titles, facts.rungs.bitrates) = (loaded.titles(words), loaded.rungs.map(\.bitrate))
    facts.rungs.shown = loaded.segment(at: clip.pictureTime)?.rung
    facts.rungs.loading = loaded.segment(at: loaded.loadedEnd - MediaTime(nanoseconds: 1))?.rung
    facts.rungs.chooser = loaded.fixedRung == nil ? loaded.controller : words[.you]
    (facts.buffer, facts.bufferLimit) = (loaded.bufferSeconds, loaded.load.maximum)
    facts.statistics = loaded.statistics
    (facts.stalls, facts.stallSeconds) = (clip.stalls.count, clip.stalls.seconds(at: .now))
    facts.trouble = loaded.trouble
    guard let edge = loaded.liveEdge else { return facts }
    var live = NetworkFacts.Live()
    (live.latency, live.target) = (loaded.latency(at: place), edge.target?.seconds)
    (live.edge, live.window) = (edge.distance(of: place, at: loaded.now), (edge.end - edge.start).seconds)
    live.rate = clip.displayedRate
    facts.live = live
    return facts
  }
}

extension StreamRung {
  /// `720p`; nil where the manifest does not tell the size.
  fileprivate var name: String? { height.map { "\($0)p" } }

  /// `720p · 2.4 Mbit/s`; nil where the manifest tells neither.
  fileprivate func facts(_ words: Words) -> String? {
    let parts = [name, bitrate > 1 ? words.megabits(bitrate) : nil].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}
