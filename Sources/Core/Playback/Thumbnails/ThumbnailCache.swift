import Frames

/// Small pictures by what times they stand for; the ones not used for longest go first. Pure.
public struct ThumbnailCache: Sendable {
  /// Of samples.
  public let byteLimit: Int
  public private(set) var byteCount = 0
  public var count: Int { entries.count }
  private var entries: [MediaTime: Entry] = [:]
  /// Keys of `entries` in ascending order.
  private var keys: [MediaTime] = []
  private var uses: UInt64 = 0

  private struct Entry {
    var picture: SmallPicture
    var lastUse: UInt64
  }

  public init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  /// Counts as a use.
  public mutating func picture(for key: MediaTime) -> SmallPicture? {
    guard let picture = entries[key]?.picture else { return nil }
    uses += 1
    entries[key]?.lastUse = uses
    return picture
  }

  /// The one whose key lies nearest; of two, the earlier. Counts as no use.
  public func nearest(to time: MediaTime) -> SmallPicture? {
    let count = keysCount(before: time)
    let (before, after) = (count > 0 ? keys[count - 1] : nil, count < keys.count ? keys[count] : nil)
    guard let before, let after else { return (before ?? after).flatMap { entries[$0]?.picture } }
    return entries[after - time < time - before ? after : before]?.picture
  }

  /// The keys beside a time, at most two.
  public func neighbours(of time: MediaTime) -> [MediaTime] {
    let count = keysCount(before: time)
    return Array(keys[Range(from: max(0, count - 1), to: min(keys.count, count + 1))])
  }

  /// Holds a picture and lets others go until there is room; one that is larger than all the room is not held.
  ///
  /// - Returns: the removed keys.
  @discardableResult
  public mutating func insert(_ picture: SmallPicture, for key: MediaTime) -> [MediaTime] {
    var gone = remove(key) ? [key] : []
    guard picture.rgba.count <= byteLimit else { return gone }
    while byteCount + picture.rgba.count > byteLimit {
      guard let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else { break }
      _ = remove(oldest)
      gone.append(oldest)
    }
    uses += 1
    entries[key] = Entry(picture: picture, lastUse: uses)
    keys.insert(key, at: keysCount(before: key))
    byteCount += picture.rgba.count
    return gone
  }

  private mutating func remove(_ key: MediaTime) -> Bool {
    guard let entry = entries.removeValue(forKey: key) else { return false }
    keys.remove(at: keysCount(before: key))
    byteCount -= entry.picture.rgba.count
    return true
  }

  private func keysCount(before time: MediaTime) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
