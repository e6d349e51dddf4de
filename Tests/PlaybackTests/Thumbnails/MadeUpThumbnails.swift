import Decode
import Dispatch
import Frames
import Media
import Synchronization

/// A source that makes a picture only when the test lets it, and notes for which times it was asked.
final class MadeUpThumbnails: ThumbnailSource, Sendable {
  /// What the test and the maker's thread share.
  final class Control: Sendable {
    private let asked = Mutex<[Double]>([])
    private let gate = DispatchSemaphore(value: 0)
    private let begun = DispatchSemaphore(value: 0)

    /// Times in the order in which they were served, in seconds.
    var times: [Double] { asked.withLock { $0 } }

    /// Lets so many pictures be made.
    func release(_ count: Int) { for _ in 0..<count { gate.signal() } }

    /// Waits until one more is being made.
    func waitUntilOneIsBegun() { begun.wait() }

    func pass(_ time: MediaTime) {
      asked.withLock { $0.append(time.seconds) }
      begun.signal()
      gate.wait()
    }
  }

  let control: Control
  private let starts: [MediaTime]
  private let bad: Set<Double>
  /// Which times share a picture is not known.
  private let isVague: Bool

  init(_ control: Control, starts: [Double], bad: Set<Double> = [], isVague: Bool = false) {
    self.control = control
    self.starts = starts.map { MediaTime(seconds: $0) }
    self.bad = bad
    self.isVague = isVague
  }

  var places: ThumbnailPlaces { isVague ? .syncSamples(SyncSampleIndex()) : .starts(starts) }

  func picture(at time: MediaTime) throws(Failure) -> SmallPicture? {
    control.pass(time)
    guard let place = ThumbnailPlaces.starts(starts).place(of: time) else { return nil }
    guard !bad.contains(place.seconds) else { throw Failure(.media, "cannot decode", cause: "it is bad") }
    var picture = ThumbnailCacheTests.picture(Int(place.seconds))
    picture.time = place
    return picture
  }
}

/// Waits until asking may give something else.
final class Bell: Sendable {
  private let rung = DispatchSemaphore(value: 0)

  func ring() { rung.signal() }
  func wait() { rung.wait() }
}
