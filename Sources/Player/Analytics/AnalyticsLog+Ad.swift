import Ads

extension AnalyticsLog {
  /// What became of an ad.
  package func note(_ turn: AdTurn) {
    switch turn {
    case .began(let number): beginAd(number)
    case .ended(_, let end): endAd(end.rawValue)
    case .failed(let failure): failAd(failure.code.rawValue)
    }
  }
}
