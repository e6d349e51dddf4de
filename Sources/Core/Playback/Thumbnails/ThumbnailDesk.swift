import Decode
import Frames

/// Pending requests, cached pictures and known failures: the decisions of `ThumbnailMaker`. Pure.
package struct ThumbnailDesk: Sendable {
  /// The key of a request: a time before the source knows its pictures' places, a place afterwards.
  private enum Key: Hashable {
    case place(MediaTime)
    case time(MediaTime)
  }

  private struct Ask: Hashable {
    var key: Key
    var time: MediaTime
  }

  private(set) var cache: ThumbnailCache
  /// No picture comes any more.
  private(set) var failure: Failure?
  private var places: ThumbnailPlaces?
  /// The newest last.
  private var asks: [Ask] = []
  private var current: Ask?
  /// Pictures' keys and the times that got them, where no source knows places: all times between two have the same.
  private var answered: [MediaTime: ClosedRange<MediaTime>] = [:]
  private var missing: [Key: Miss] = [:]

  private struct Miss {
    var failure: Failure
    /// It is tried again from then on; nil: it would fail again.
    var end: MonotonicTime?

    func isOver(at now: MonotonicTime) -> Bool { end.map { $0 <= now } ?? false }
  }

  /// After a failure of the file or the network, a picture is asked for again after this many seconds.
  private static let missSeconds = 5.0

  /// The most pending requests; beyond it the oldest, which the pointer has left, are dropped.
  static let askLimit = 256
  private static let missingLimit = 1024

  package init(byteLimit: Int) {
    cache = ThumbnailCache(byteLimit: byteLimit)
  }

  var askCount: Int { asks.count + (current == nil ? 0 : 1) }

  /// - Returns: the answer, and whether the source has one more to make.
  package mutating func thumbnail(at time: MediaTime, now: MonotonicTime) -> (Thumbnail, isNew: Bool) {
    let key = key(of: time)
    if case .place(let place) = key, let picture = cache.picture(for: place) {
      return (Thumbnail(picture: picture, status: .ready), false)
    }
    if let miss = missing[key], miss.isOver(at: now) { missing[key] = nil }
    if let failure = missing[key]?.failure ?? failure {
      return (Thumbnail(picture: nil, status: .missing(failure)), false)
    }
    let isNew = ask(Ask(key: key, time: time))
    return (Thumbnail(picture: cache.nearest(to: time), status: .coming), isNew)
  }

  private mutating func ask(_ ask: Ask) -> Bool {
    if current?.key == ask.key { return false }
    if let position = asks.firstIndex(where: { $0.key == ask.key }) {
      asks.append(asks.remove(at: position))
      return false
    }
    if asks.count == Self.askLimit { asks.removeFirst() }
    asks.append(ask)
    return true
  }

  mutating func cancel(at time: MediaTime) {
    let key = key(of: time)
    asks.removeAll { $0.key == key || $0.time == time }
  }

  mutating func cancelAll() { asks.removeAll() }

  /// The newest request without an answer.
  package mutating func next() -> MediaTime? {
    current = nil
    while let ask = asks.popLast() {
      let key = key(of: ask.time)
      if case .place(let place) = key, cache.picture(for: place) != nil { continue }
      if missing[key] != nil { continue }
      current = Ask(key: key, time: ask.time)
      return ask.time
    }
    return nil
  }

  package mutating func learn(_ places: ThumbnailPlaces) { self.places = places }

  /// Takes the result of the request that `next` returned.
  package mutating func answer(_ result: Result<SmallPicture, Failure>, at time: MediaTime, now: MonotonicTime) {
    current = nil
    switch result {
    case .success(let picture):
      let place = places?.place(of: time)
      let key = place ?? picture.time
      for gone in cache.insert(picture, for: key) { answered[gone] = nil }
      guard cache.picture(for: key) != nil else {
        let cause = "its \(picture.rgba.count) bytes are more than all that are held"
        return miss(time, Failure(.failed, "cannot keep the thumbnail at \(time.seconds) s", cause: cause), now)
      }
      guard place == nil else { return }
      let known = answered[key] ?? key...key
      answered[key] = ClosedRange(from: min(known.lowerBound, time), through: max(known.upperBound, time))
    case .failure(let failure): miss(time, failure, now)
    }
  }

  /// Records a failed time; it may be tried again after `missingLimit` others.
  private mutating func miss(_ time: MediaTime, _ failure: Failure, _ now: MonotonicTime) {
    if missing.count >= Self.missingLimit { missing.removeAll() }
    let end = failure.kind == .input ? now.advanced(byMilliseconds: Self.missSeconds * 1000) : nil
    missing[key(of: time)] = Miss(failure: failure, end: end)
  }

  /// The source cannot be opened, or was stopped.
  mutating func fail(_ failure: Failure) {
    self.failure = failure
    asks.removeAll()
    current = nil
  }

  private func key(of time: MediaTime) -> Key {
    if let place = places?.place(of: time) { return .place(place) }
    let inside = cache.neighbours(of: time).first { answered[$0]?.contains(time) ?? false }
    return inside.map { .place($0) } ?? .time(time)
  }
}
