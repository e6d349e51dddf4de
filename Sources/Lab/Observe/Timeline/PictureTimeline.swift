import Frames

/// The pictures that a screen showed of a clip without numbers, from the changes of its pixels. A pure function of them.
///
/// Changes that follow each other closely are the painting of one picture. A picture that is equal to the one before cannot be seen.
package struct PictureTimeline: Sendable {
  package struct Picture: Hashable, Sendable {
    /// When its painting was first seen.
    package var began: ScreenLog.Interval
    /// When it was last seen to change.
    package var complete: ScreenLog.Interval

    /// ms
    package var paint: Double { complete.by.milliseconds(since: began.by) }
  }

  /// In the order of time, from the first picture to the last: what a player shows before and behind its clip is not among them.
  package let pictures: [Picture]

  /// - Parameter period: of the clip, ms.
  package init(_ log: PictureLog, period: Double) {
    var paintings: [(picture: Picture, isPicture: Bool)] = []
    for change in log.changes {
      let pause = paintings.last.map { change.time.after.milliseconds(since: $0.picture.complete.by) } ?? .infinity
      if let last = paintings.indices.last, pause < period / Self.shareOfPeriod {
        paintings[last].picture.complete = change.time
        paintings[last].isPicture = change.isPicture
      } else {
        paintings.append((Picture(began: change.time, complete: change.time), change.isPicture))
      }
    }
    guard let first = paintings.firstIndex(where: \.isPicture), let last = paintings.lastIndex(where: \.isPicture)
    else {
      pictures = []
      return
    }
    pictures = paintings[ClosedRange(from: first, through: last)].map(\.picture)
  }

  /// A pause of a third of a period lies between two pictures, not within the painting of one.
  private static let shareOfPeriod = 3.0
}
