import Support

/// A live playlist as a server would keep it: it grows, forgets its beginning, and is written whole or as a delta.
struct LivePlaylist {
  struct Item {
    /// In milliseconds.
    var duration: Int
    var tags: [String] = []
    var isDiscontinuous = false
    /// Of its own; the others follow from it.
    var date: String?
    /// Tags that stay in force.
    var key: String?
    var map: String?
  }

  private(set) var items: [Item] = []
  /// The number of the first item.
  let first: Int
  let hasRanges: Bool
  private let hasParts: Bool

  init(count: Int, using random: inout SeededGenerator) {
    first = Int.random(in: 0...1_000, using: &random)
    hasRanges = Bool.random(using: &random)
    hasParts = Bool.random(using: &random)
    var milliseconds = Int.random(in: 0...50_000, using: &random)
    for place in 0..<count {
      var item = Item(duration: Int.random(in: 1...9_000, using: &random))
      item.isDiscontinuous = place > 0 && Int.random(in: 0..<8, using: &random) == 0
      if place == 0 || item.isDiscontinuous || Int.random(in: 0..<4, using: &random) == 0 {
        if item.isDiscontinuous { milliseconds += Int.random(in: 0...60_000, using: &random) }
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        let seconds = "\(milliseconds / 1_000 % 60).\(String(milliseconds % 1_000 + 1_000).dropFirst())"
        item.date = "2020-01-01T\(Self.two(hours)):\(Self.two(minutes)):\(seconds.utf8.count < 6 ? "0" : "")\(seconds)Z"
      }
      if place == 0 || Int.random(in: 0..<6, using: &random) == 0 {
        item.key = ["NONE", "AES-128,URI=\"k\(place)\"", "AES-128,URI=\"k\(place)\",IV=0x\(place)"].randomElement(
          using: &random)
        item.map = "init\(place).mp4"
      }
      if Int.random(in: 0..<9, using: &random) == 0 { item.tags.append("#EXT-X-GAP") }
      milliseconds += item.duration
      items.append(item)
    }
  }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  /// The window `places`. `skipping`: how many of its segments a delta update leaves out.
  func text(_ places: Range<Int>, skipping: Int = 0, isEnded: Bool = false) -> String {
    let discontinuities = items[..<places.lowerBound].count { $0.isDiscontinuous }
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:9", "#EXT-X-TARGETDURATION:9", "#EXT-X-PART-INF:PART-TARGET=1",
      "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=54,PART-HOLD-BACK=3",
      "#EXT-X-MEDIA-SEQUENCE:\(first + places.lowerBound)",
      // The first segment's own discontinuity is counted in front of it.
      "#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuities)",
    ]
    if skipping > 0 { lines.append("#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipping)") }
    for place in places.dropFirst(skipping) {
      let item = items[place]
      if item.isDiscontinuous { lines.append("#EXT-X-DISCONTINUITY") }
      let isFirst = place == places.lowerBound
      if let key = isFirst ? inForce(place, \.key) : item.key { lines.append("#EXT-X-KEY:METHOD=\(key)") }
      if let map = isFirst ? inForce(place, \.map) : item.map { lines.append("#EXT-X-MAP:URI=\"\(map)\"") }
      if let date = item.date { lines.append("#EXT-X-PROGRAM-DATE-TIME:\(date)") }
      lines += item.tags
      if hasParts, place >= places.upperBound - 2 {
        lines.append("#EXT-X-PART:DURATION=\(Self.seconds(item.duration)),URI=\"p\(place).mp4\"")
      }
      lines.append("#EXTINF:\(Self.seconds(item.duration)),")
      if hasRanges {
        let isContinued = place > places.lowerBound && place % 7 != 0
        lines.append("#EXT-X-BYTERANGE:\(100 + place)\(isContinued ? "" : "@\(offset(place))")")
      }
      lines.append(hasRanges ? "all.mp4" : "\(place).mp4")
    }
    if isEnded { lines.append("#EXT-X-ENDLIST") }
    return lines.joined(separator: "\n")
  }

  private func inForce(_ place: Int, _ field: KeyPath<Item, String?>) -> String? {
    items[...place].compactMap { $0[keyPath: field] }.last
  }

  private static func seconds(_ milliseconds: Int) -> String {
    "\(milliseconds / 1_000).\(String(milliseconds % 1_000 + 1_000).dropFirst())"
  }

  func offset(_ place: Int) -> Int { (0..<place).reduce(0) { $0 + 100 + $1 } }
}
