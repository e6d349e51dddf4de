import Playlists
import Support
import Testing

/// What is played in which order.
@Suite struct PlayQueueTests {
  private static func queue(_ count: Int, seed: UInt64 = 1) -> PlayQueue {
    PlayQueue((0..<count).map { PlaylistItem("\($0)") }, seed: seed)
  }

  /// What is played from now on, at most `limit` entries.
  private static func played(_ queue: PlayQueue, limit: Int = 50) -> [String] {
    var (queue, played) = (queue, [String]())
    var entry = queue.current
    while let playing = entry, played.count < limit {
      played.append(playing.item.source)
      entry = queue.advance()
    }
    return played
  }

  @Test func playsInOrderOnce() {
    var queue = Self.queue(3)
    #expect(Self.played(queue) == ["0", "1", "2"])
    #expect(queue.skip(-1) == nil && queue.current?.item.source == "0" && !queue.canSkip(-1))
    #expect(queue.skip(1)?.item.source == "1" && queue.skip(1)?.item.source == "2")
    #expect(queue.next == nil && queue.skip(1) == nil && queue.current == nil)
    #expect(queue.skip(-1)?.item.source == "2")
  }

  @Test func repeatsOneOrAll() {
    var queue = Self.queue(3)
    queue.repeats = .one
    #expect(Self.played(queue, limit: 4) == ["0", "0", "0", "0"] && queue.next?.item.source == "0")
    // A person leaves it.
    #expect(queue.skip(1)?.item.source == "1" && queue.advance()?.item.source == "1")
    queue.repeats = .all
    #expect(Self.played(queue, limit: 5) == ["1", "2", "0", "1", "2"])
    #expect(queue.skip(-1)?.item.source == "0" && queue.skip(-1)?.item.source == "2")
    #expect(queue.next?.item.source == "0")
  }

  /// Each once before any again, with any seed; no entry twice in a row where there is another.
  @Test func shufflesWithoutRepeats() {
    var generator = SeededGenerator(for: "shuffles without repeats")
    for _ in 0..<200 {
      let count = Int.random(in: 1...8, using: &generator)
      var queue = Self.queue(count, seed: generator.next())
      for _ in 0..<Int.random(in: 0..<count, using: &generator) { _ = queue.advance() }
      let playing = queue.current
      queue.shuffle(true)
      #expect(queue.current == playing)
      queue.repeats = .all
      let played = Self.played(queue, limit: 5 * count)
      for round in 0..<5 { #expect(Set(played[(round * count)..<((round + 1) * count)]).count == count, "\(played)") }
      if count > 1 { #expect(zip(played, played.dropFirst()).allSatisfy { $0 != $1 }, "\(played)") }
      queue.shuffle(false)
      queue.repeats = .off
      let first = Int(playing?.item.source ?? "") ?? 0
      #expect(Self.played(queue) == (first..<count).map { "\($0)" })
    }
  }

  /// What `next` promises is what is played, also where a shuffled queue begins again.
  @Test func nextKeepsItsPromise() {
    for seed in 0..<50 as Range<UInt64> {
      var queue = Self.queue(5, seed: seed)
      queue.repeats = .all
      queue.shuffle(true)
      for _ in 0..<20 {
        let (promised, skipped) = (queue.next, queue.entry(after: 1))
        let played = queue.advance()
        #expect(promised == played && skipped == played && played != nil)
      }
    }
  }

  @Test func clipsAreReplacedAndFoundElsewhere() {
    var queue = Self.queue(2)
    var item = PlaylistItem("a")
    item.alternatives = ["b"]
    queue.shuffle(true)
    queue.replace(with: [item, PlaylistItem("c")])
    #expect(queue.entries.map(\.id) == [2, 3] && queue.isShuffled && queue.position == 1)
    let found = queue.takeAlternative(of: 2)
    #expect(found && queue.entries[0].item.source == "b")
    let again = queue.takeAlternative(of: 2)
    #expect(!again)
    queue.replace(with: [])
    #expect(queue.current == nil && queue.position == 0 && !queue.canSkip(1))
  }

  /// Another seed gives another order, the same one the same.
  @Test func ordersFollowTheSeed() {
    let orders = (0..<20).map { seed in
      var queue = Self.queue(10, seed: UInt64(seed))
      queue.shuffle(true)
      return Self.played(queue)
    }
    #expect(Set(orders).count > 15)
    var again = Self.queue(10, seed: 7)
    again.shuffle(true)
    #expect(Self.played(again) == orders[7])
  }

  @Test func entriesComeAndGo() {
    var queue = Self.queue(3)
    _ = queue.advance()
    queue.insertNext(PlaylistItem("next"))
    queue.append(PlaylistItem("last"))
    #expect(Self.played(queue) == ["1", "next", "2", "last"])
    #expect(queue.entries.map(\.item.source) == ["0", "1", "next", "2", "last"])
    if let playing = queue.current?.id { queue.remove(playing) }
    #expect(queue.current?.item.source == "next")
    if let first = queue.entries.first?.id { queue.remove(first) }
    #expect(queue.current?.item.source == "next" && Self.played(queue) == ["next", "2", "last"])
    if let last = queue.entries.last?.id { queue.move(last, to: 0) }
    #expect(queue.current?.item.source == "next" && Self.played(queue) == ["next", "2"])
    #expect(queue.skip(-1)?.item.source == "last")
    let ids = queue.entries.map(\.id)
    queue.append(PlaylistItem("new"))
    #expect(!ids.contains(queue.entries.last?.id ?? 0))
  }

  /// What cannot be played is passed over; a queue of nothing else ends.
  @Test(arguments: PlayQueue.Repeat.allCases, [false, true])
  func refusedEntriesArePassedOver(repeats: PlayQueue.Repeat, isShuffled: Bool) {
    var queue = Self.queue(4)
    queue.repeats = repeats
    queue.shuffle(isShuffled)
    for entry in queue.entries where Int(entry.item.source).map({ $0 % 2 == 1 }) ?? false { queue.refuse(entry.id) }
    var copy = queue
    let played = (0..<6).compactMap { _ in copy.skip(1)?.item.source }
    #expect(Set(played).isSubset(of: ["0", "2"]) && (repeats != .all || played.count == 6), "\(played)")
    for entry in queue.entries { queue.refuse(entry.id) }
    #expect(queue.advance() == nil && !queue.canSkip(1) && !queue.canSkip(-1))
    let first = queue.entries[0].id
    let goes = queue.go(to: first)
    #expect(!goes)
  }

  /// Beside a slow twin: a list of names that are played in the list's order.
  @Test func followsItsTwin() {
    var generator = SeededGenerator(for: "follows its twin")
    for _ in 0..<100 {
      var queue = PlayQueue()
      var (names, place) = ([String](), 0)
      for step in 0..<60 {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
          queue.append(PlaylistItem("\(step)"))
          names.append("\(step)")
        case 1:
          queue.insertNext(PlaylistItem("\(step)"))
          names.insert("\(step)", at: place < names.count ? place + 1 : names.count)
        case 2 where !names.isEmpty:
          let index = Int.random(in: names.indices, using: &generator)
          queue.remove(queue.entries[index].id)
          names.remove(at: index)
          if index < place { place -= 1 }
        case 3 where !names.isEmpty:
          let (old, new) = (
            Int.random(in: names.indices, using: &generator), Int.random(in: names.indices, using: &generator)
          )
          let playing = place < names.count ? names[place] : nil
          queue.move(queue.entries[old].id, to: new)
          names.insert(names.remove(at: old), at: new)
          place = playing.flatMap { names.firstIndex(of: $0) } ?? names.count
        case 4:
          _ = queue.advance()
          place = min(place + 1, names.count)
        default:
          if queue.skip(-1) != nil { place -= 1 }
        }
        #expect(queue.entries.map(\.item.source) == names)
        #expect(queue.current?.item.source == (place < names.count ? names[place] : nil), "\(names) \(place)")
      }
    }
  }
}
