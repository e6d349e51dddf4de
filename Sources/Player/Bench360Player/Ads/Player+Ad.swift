import Frames

extension Player {
  /// An ad in place of the clip.
  public struct Ad: Sendable, Hashable {
    public var title: String?
    /// Among those of its break, from 1.
    public var number = 1
    /// In the ad.
    public var position = MediaTime.zero
    /// Nil: unknown.
    public var duration: MediaTime?
    /// Until `skipAd` leaves it, 0 from then on; nil: it may not be left.
    public var secondsToSkip: Double?

    public init() {}

    /// Nil while an ad is waited for.
    init?(_ ads: ClipAds) {
      guard let clip = ads.clip, let shown = ads.shown else { return nil }
      (title, number, secondsToSkip) = (shown.title, shown.number, shown.secondsToSkip)
      (position, duration) = (clip.place, clip.duration)
    }

    /// Whether it is one ad, at another place maybe.
    static func isSame(_ one: Ad?, _ other: Ad?) -> Bool { one?.title == other?.title && one?.number == other?.number }
  }
}
