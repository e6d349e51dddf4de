import Frames

/// What is played in which order. A value; pure: the same seed gives the same order.
///
/// Entries keep their identity while others come and go. Shuffled, each is played once before any is played again.
public struct PlayQueue: Sendable, Hashable {
  /// A clip in the queue.
  public struct Entry: Sendable, Hashable, Identifiable {
    /// Of this queue; never given twice.
    public let id: Int
    public var item: PlaylistItem
    /// It could not be played: it is passed over from then on.
    public fileprivate(set) var isRefused = false
  }

  /// What comes after the last entry, or after each.
  public enum Repeat: String, Sendable, Codable, CaseIterable {
    case off, one, all
  }

  /// In the order of the list.
  public private(set) var entries: [Entry] = []
  public var repeats = Repeat.off
  public private(set) var isShuffled = false
  /// Identities in the order in which they are played: the list's, or a shuffled one.
  private var order: [Int] = []
  /// In `order`; its count behind the last entry of a queue that has ended.
  private var place = 0
  private var nextID = 0
  /// Of `entries`, to be looked up at once.
  private var refused: Set<Int> = []
  private var generator: SplitMix64

  /// - Parameter seed: of the shuffled orders.
  public init(_ items: [PlaylistItem] = [], seed: UInt64 = 1) {
    generator = SplitMix64(seed: seed)
    replace(with: items)
  }

  // MARK: - Where it is

  /// Nil for an empty queue, and once it has ended.
  public var current: Entry? { order.indices.contains(place) ? entry(order[place]) : nil }

  /// What `advance` would play; nil where it would end.
  public var next: Entry? {
    var copy = self
    return copy.advance()
  }

  /// What `skip` would play: 1 forwards, -1 back.
  public func entry(after way: Int) -> Entry? {
    var copy = self
    return copy.skip(way)
  }

  /// Whether a user can go to another entry: 1 forwards, -1 back.
  public func canSkip(_ way: Int) -> Bool {
    neighbour(way) != nil || repeats == .all && entries.count > 1 && order.contains(where: isPlayable)
  }

  /// Of the current entry in the order in which they are played, from 1; 0 once the queue has ended.
  public var position: Int { order.indices.contains(place) ? place + 1 : 0 }

  public func entry(_ id: Int) -> Entry? { entries.first { $0.id == id } }

  // MARK: - Going on

  /// The current entry has ended. Returns what is played now; nil at the queue's end.
  public mutating func advance() -> Entry? {
    if repeats == .one, let current, !current.isRefused { return current }
    return skip(1)
  }

  /// The user goes on, or back; a single entry that is repeated is left. Returns what is played now; nil, and the queue does not move
  /// back, where there is none: forwards it has ended then.
  public mutating func skip(_ way: Int) -> Entry? {
    if let following = neighbour(way) {
      place = following
    } else if repeats == .all, order.contains(where: isPlayable) {
      if way > 0 { beginAgain() } else { place = order.lastIndex(where: isPlayable) ?? place }
    } else {
      if way > 0 { place = order.count }
      return nil
    }
    return current
  }

  /// Goes to an entry; false where there is none that can be played.
  @discardableResult public mutating func go(to id: Int) -> Bool {
    guard isPlayable(id), let found = order.firstIndex(of: id) else { return false }
    place = found
    return true
  }

  /// Takes the next of the places that an entry's clip lies in; false where there is none.
  public mutating func takeAlternative(of id: Int) -> Bool {
    guard let index = entries.firstIndex(where: { $0.id == id }), !entries[index].item.alternatives.isEmpty else {
      return false
    }
    entries[index].item.source = entries[index].item.alternatives.removeFirst()
    return true
  }

  /// An entry cannot be played.
  public mutating func refuse(_ id: Int) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[index].isRefused = true
    refused.insert(id)
  }

  // MARK: - Changes

  /// Other clips take the place of all, from the first one on; modes stay.
  public mutating func replace(with items: [PlaylistItem]) {
    (entries, order, place, refused) = ([], [], 0, [])
    for item in items { _ = add(item, at: entries.count) }
    order = entries.map(\.id)
    if isShuffled { order.shuffle(using: &generator) }
  }

  /// Behind all others; shuffled, at a random place among the entries still to come.
  @discardableResult public mutating func append(_ item: PlaylistItem) -> Int {
    let id = add(item, at: entries.count)
    let coming = ClosedRange(from: min(place + 1, order.count), through: order.count)
    order.insert(id, at: isShuffled ? Int.random(in: coming, using: &generator) : order.count)
    return id
  }

  /// Played next: behind the current entry in the list too.
  @discardableResult public mutating func insertNext(_ item: PlaylistItem) -> Int {
    let index = current.flatMap { current in entries.firstIndex { $0.id == current.id } }
    let id = add(item, at: index.map { $0 + 1 } ?? entries.count)
    order.insert(id, at: min(place + 1, order.count))
    return id
  }

  /// The current one may be removed: the one behind it takes its place.
  public mutating func remove(_ id: Int) {
    guard let index = order.firstIndex(of: id) else { return }
    entries.removeAll { $0.id == id }
    order.remove(at: index)
    if index < place { place -= 1 }
  }

  /// Moves an entry to another index of the list. Not shuffled, it is played there.
  public mutating func move(_ id: Int, to index: Int) {
    guard let old = entries.firstIndex(where: { $0.id == id }) else { return }
    let entry = entries.remove(at: old)
    entries.insert(entry, at: min(max(0, index), entries.count))
    guard !isShuffled else { return }
    let playing = current?.id
    order = entries.map(\.id)
    place = playing.flatMap { order.firstIndex(of: $0) } ?? order.count
  }

  /// The current entry stays; shuffled, all others follow it in random order, and in the list's order they go on from it.
  public mutating func shuffle(_ isShuffled: Bool) {
    guard isShuffled != self.isShuffled else { return }
    self.isShuffled = isShuffled
    let playing = current?.id
    order = entries.map(\.id)
    if isShuffled {
      order.shuffle(using: &generator)
      if let playing, let index = order.firstIndex(of: playing) { order.swapAt(0, index) }
      place = playing == nil ? order.count : 0
    } else {
      place = playing.flatMap { order.firstIndex(of: $0) } ?? order.count
    }
  }

  // MARK: -

  private mutating func add(_ item: PlaylistItem, at index: Int) -> Int {
    entries.insert(Entry(id: nextID, item: item), at: index)
    nextID += 1
    return nextID - 1
  }

  /// - Parameter id: of an entry.
  private func isPlayable(_ id: Int) -> Bool { !refused.contains(id) }

  private func neighbour(_ way: Int) -> Int? {
    guard way != 0 else { return nil }
    var index = place + way.signum()
    while order.indices.contains(index), !isPlayable(order[index]) { index += way.signum() }
    return order.indices.contains(index) ? index : nil
  }

  /// After the last one. Shuffled, in another order, whose first entry is not the last of the one before.
  private mutating func beginAgain() {
    if isShuffled, order.count > 1 {
      let last = order.indices.contains(place) ? order[place] : order.last
      order.shuffle(using: &generator)
      if let first = order.firstIndex(where: isPlayable), order[first] == last,
        let other = order.indices.last(where: { $0 > first && isPlayable(order[$0]) })
      {
        order.swapAt(first, other)
      }
    }
    place = order.firstIndex(where: isPlayable) ?? 0
  }
}
