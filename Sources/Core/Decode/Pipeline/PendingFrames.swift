/// The frames still in the decoder: of packets sent and not yet returned. Counts the frames that the decoder left out
/// as asked.
///
/// Packets and frames are matched by time stamp, in ticks, and by tag where they have none. Frames come out in
/// presentation order: a frame to be left out that lies before a returned one was left out.
struct PendingFrames {
  /// Frames that were left out so far.
  private(set) var leftOut = 0
  private var entries: [Entry] = []

  /// No decoder holds packets for so long.
  private static let longestStay: Int64 = 256

  private struct Entry {
    var tag: Int64
    var stamp: Int64?
    var isSyncSample: Bool
    /// The packet need not give a frame.
    var mayBeLeftOut: Bool
    var isCounted = false
  }

  /// Packets whose frames may still come.
  var count: Int { entries.count { !$0.isCounted } }

  /// When frames that may still come are shown, in ticks; nil where that is not said.
  var stamps: [Int64?] { entries.filter { !$0.isCounted }.map(\.stamp) }

  mutating func sent(tag: Int64, stamp: Int64?, isSyncSample: Bool, mayBeLeftOut: Bool) {
    entries.append(Entry(tag: tag, stamp: stamp, isSyncSample: isSyncSample, mayBeLeftOut: mayBeLeftOut))
  }

  /// A frame came out and is delivered.
  mutating func delivered(tag: Int64, stamp: Int64?) {
    if let found = entries.firstIndex(where: { stamp == nil ? $0.tag == tag : $0.stamp == stamp }) {
      // Time stamps went back: the frame was late, not left out.
      if entries[found].isCounted { leftOut -= 1 }
      entries.remove(at: found)
    }
    for index in entries.indices where Self.isPast(entries[index], tag, stamp) { settle(index) }
    entries.removeAll { $0.tag + Self.longestStay < tag || !$0.mayBeLeftOut && Self.isPast($0, tag, stamp) }
  }

  /// Nothing more comes: the decoder was drained.
  mutating func ended() {
    for index in entries.indices { settle(index) }
    entries.removeAll(keepingCapacity: true)
  }

  /// Nothing more comes: the decoder was flushed so that frames are left out.
  mutating func abandoned() {
    for index in entries.indices { entries[index].mayBeLeftOut = true }
    ended()
  }

  /// Nothing more comes, for other reasons.
  mutating func forget() { entries.removeAll(keepingCapacity: true) }

  mutating func leaveOut(_ frames: Int) { leftOut += frames }

  /// The first sync sample in the decoder whose stamp `isWanted`; frames before it are left out from now on.
  mutating func leaveOut(beforeSyncSample isWanted: (Int64) -> Bool) -> Int64? {
    guard let stamp = entries.first(where: { $0.isSyncSample && $0.stamp.map(isWanted) ?? false })?.stamp else {
      return nil
    }
    for index in entries.indices where entries[index].stamp.map({ $0 < stamp }) ?? false {
      entries[index].mayBeLeftOut = true
    }
    return stamp
  }

  private static func isPast(_ entry: Entry, _ tag: Int64, _ stamp: Int64?) -> Bool {
    if let stamp, let own = entry.stamp { return own < stamp }
    return entry.tag + longestStay < tag
  }

  private mutating func settle(_ index: Int) {
    guard entries[index].mayBeLeftOut, !entries[index].isCounted else { return }
    entries[index].isCounted = true
    leftOut += 1
  }
}
