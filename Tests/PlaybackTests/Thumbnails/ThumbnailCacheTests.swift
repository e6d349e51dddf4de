import Frames
import Playback
import Support
import Testing

@Suite struct ThumbnailCacheTests {
  static func picture(_ seconds: Int, side: Int = 4) -> SmallPicture {
    SmallPicture(
      rgba: [UInt8](repeating: UInt8(truncatingIfNeeded: seconds), count: side * side * 4),
      size: PictureSize(width: side, height: side), time: MediaTime(seconds: Double(seconds)))
  }

  private static func time(_ seconds: Int) -> MediaTime { MediaTime(seconds: Double(seconds)) }

  @Test func whatWasUsedLongestAgoGoesFirst() {
    var cache = ThumbnailCache(byteLimit: 3 * 64)
    for number in 0..<3 { #expect(cache.insert(Self.picture(number), for: Self.time(number)).isEmpty) }
    #expect(cache.picture(for: Self.time(0)) != nil)
    // Looking for the nearest is no use.
    #expect(cache.nearest(to: Self.time(1))?.time == Self.time(1))
    #expect(cache.insert(Self.picture(3), for: Self.time(3)) == [Self.time(1)])
    #expect(cache.count == 3 && cache.byteCount == 192 && cache.picture(for: Self.time(1)) == nil)
    // One of the size of two takes the room of two.
    #expect(cache.insert(Self.picture(9, side: 5), for: Self.time(9)) == [Self.time(2), Self.time(0)])
    #expect(cache.byteCount == 164)
    // One larger than all the room is not held, and nothing goes for it.
    #expect(cache.insert(Self.picture(5, side: 40), for: Self.time(5)).isEmpty)
    #expect(cache.count == 2 && cache.picture(for: Self.time(5)) == nil)
  }

  /// The slow twin: a list in the order of use.
  @Test func itIsWhatAListInOrderOfUseIs() {
    var random = SeededGenerator(for: "itIsWhatAListInOrderOfUseIs")
    for _ in 0..<50 {
      let limit = Int.random(in: 100...2000, using: &random)
      var cache = ThumbnailCache(byteLimit: limit)
      var list: [(key: Int, bytes: Int)] = []
      for _ in 0..<300 {
        let key = Int.random(in: 0..<30, using: &random)
        if Bool.random(using: &random) {
          let found = cache.picture(for: Self.time(key))
          #expect((found != nil) == list.contains { $0.key == key }, "seed \(random.seed)")
          if let position = list.firstIndex(where: { $0.key == key }) { list.append(list.remove(at: position)) }
        } else {
          let side = Int.random(in: 1...8, using: &random)
          cache.insert(Self.picture(key, side: side), for: Self.time(key))
          list.removeAll { $0.key == key }
          if side * side * 4 <= limit { list.append((key, side * side * 4)) }
          while list.reduce(0, { $0 + $1.bytes }) > limit { list.removeFirst() }
        }
        #expect(cache.byteCount == list.reduce(0) { $0 + $1.bytes } && cache.byteCount <= limit, "seed \(random.seed)")
        let target = Int.random(in: -3..<33, using: &random)
        let nearest = list.map(\.key).min { (abs($0 - target), $0) < (abs($1 - target), $1) }
        #expect(cache.nearest(to: Self.time(target))?.time == nearest.map(Self.time), "seed \(random.seed)")
      }
    }
  }
}
