/// Packs rectangles into a square on shelves: each is as high as its first rectangle and is filled from the left.
/// Rectangles cannot be removed one by one.
struct ShelfPacker {
  let side: Int
  private var shelves: [Shelf] = []
  /// Where the next shelf begins.
  private var bottom = 0

  private struct Shelf {
    var top: Int
    var height: Int
    /// Where the next rectangle goes.
    var right: Int
  }

  init(side: Int) { self.side = side }

  /// The top-left corner of the room found; nil: there is none.
  mutating func place(width: Int, height: Int) -> (left: Int, top: Int)? {
    guard width > 0, height > 0, width <= side, height <= side else { return nil }
    // The lowest shelf that is high enough; one that is twice as high would waste too much while there is other room.
    let isRoomBelow = side - bottom >= height
    var best: Int?
    for (index, shelf) in shelves.enumerated() {
      guard shelf.height >= height, side - shelf.right >= width else { continue }
      if isRoomBelow, shelf.height > 2 * height { continue }
      if let found = best, shelves[found].height <= shelf.height { continue }
      best = index
    }
    if let best {
      defer { shelves[best].right += width }
      return (shelves[best].right, shelves[best].top)
    }
    guard isRoomBelow else { return nil }
    shelves.append(Shelf(top: bottom, height: height, right: width))
    defer { bottom += height }
    return (0, bottom)
  }

  mutating func removeAll() {
    shelves.removeAll(keepingCapacity: true)
    bottom = 0
  }
}
