import Frames

/// Which requests of an ad are due while it plays. Pure: each is given once.
public struct AdProgress: Sendable {
  private let ad: PlayableAd
  /// Of the file that plays.
  private let duration: MediaTime?
  private var told: Set<AdEvent> = []
  private var place = MediaTime.zero

  /// - Parameter duration: of the file that plays; nil: as the server tells.
  public init(_ ad: PlayableAd, duration: MediaTime?) { (self.ad, self.duration) = (ad, duration ?? ad.duration) }

  /// It is shown up to a place: the first call tells of its start.
  public mutating func played(to place: MediaTime) -> [AdURL] {
    self.place = max(self.place, place)
    var events: [AdEvent] = [.impression, .start]
    if let duration, duration > .zero {
      let share = self.place.seconds / duration.seconds
      for (least, event) in [(0.25, AdEvent.firstQuartile), (0.5, .midpoint), (0.75, .thirdQuartile)]
      where share >= least {
        events.append(event)
      }
    }
    for case .progress(let offset) in ad.requests.map(\.event) {
      if let time = offset.time(in: duration), self.place >= time { events.append(.progress(offset)) }
    }
    return events.flatMap { tell($0) }
  }

  /// It was shown to its end.
  public mutating func end() -> [AdURL] {
    let late = played(to: duration ?? place)
    return late + tell(.complete)
  }

  /// The user left it.
  public mutating func skip() -> [AdURL] { tell(.skip) }

  /// Told as often as it happens: pause, resume, mute, unmute.
  public func happened(_ event: AdEvent) -> [AdURL] { urls(event) }

  /// Seconds until the user may leave it, 0 from then on; nil: may not.
  public func secondsToSkip(at place: MediaTime) -> Double? {
    ad.skips?.time(in: duration).map { max(0, ($0 - place).seconds) }
  }

  private mutating func tell(_ event: AdEvent) -> [AdURL] { told.insert(event).inserted ? urls(event) : [] }

  private func urls(_ event: AdEvent) -> [AdURL] { ad.requests.filter { $0.event == event }.map(\.url) }
}
