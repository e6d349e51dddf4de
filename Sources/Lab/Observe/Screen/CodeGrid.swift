import Frames
import TestPicture

/// The cells of the frame code of a flat clip that fills a rectangle of a screen.
///
/// Nine tiles repeat the code over the picture. Each tile is read by itself: its check sum proves its number, so that a tile that a control
/// covers, or that is half painted, is unreadable and never wrong.
package struct CodeGrid: Sendable {
  package static let tileCount = 9

  /// The rectangle of the picture, in pixels of the screen.
  package var left: Int
  package var top: Int
  package var size: PictureSize

  /// The centres of all cells in pixels of the screen: those of tile 0 by bit, then of tile 1 and so on.
  package var cellCentres: [(x: Int, y: Int)] {
    FrameCode.cells(for: .flat).map { cell in
      let (x, y) = (Int(cell.u * Double(size.width)), Int(cell.v * Double(size.height)))
      return (left + min(x, size.width - 1), top + min(y, size.height - 1))
    }
  }

  /// Reads each tile from the luma of all cells, in the order of `cellCentres`.
  package static func tiles(_ cells: some RandomAccessCollection<UInt8>) -> Tiles {
    var tiles = Tiles()
    var start = cells.startIndex
    for tile in 0..<tileCount {
      let end = cells.index(start, offsetBy: FrameCode.bitCount)
      tiles[tile] = TileCode(cells[Range(from: start, to: end)])
      start = end
    }
    return tiles
  }
}

/// The number that one tile shows.
package struct TileCode: Hashable, Sendable {
  /// Negative: unreadable.
  package var number: Int32 = -1
  /// The rung of a ladder's picture; negative: the picture shows none.
  package var rung: Int8 = -1

  package var isLegible: Bool { number >= 0 }

  package static let unreadable = TileCode()
}

extension TileCode {
  /// - Parameter cells: the luma of the cells of a tile, from the number's lowest bit to the check sum's highest.
  package init(_ cells: some Sequence<UInt8>) {
    var word: UInt32 = 0
    for (bit, luma) in cells.enumerated() {
      // Between them is neither: a blend of two frames, or something else than the code.
      guard luma <= FrameCode.darkLimit || luma >= FrameCode.brightLimit else { return }
      if luma >= FrameCode.brightLimit { word |= 1 << UInt32(bit) }
    }
    let reading = FrameCode.reading(of: word)
    guard let number = reading.number else { return }
    self.number = Int32(number)
    rung = Int8(reading.rung ?? -1)
  }
}

/// The nine tiles of a screen at one moment.
package struct Tiles: Hashable, Sendable {
  private var codes = InlineArray<9, TileCode>(repeating: .unreadable)

  package subscript(tile: Int) -> TileCode {
    get { codes[tile] }
    set { codes[tile] = newValue }
  }

  package static func == (one: Tiles, other: Tiles) -> Bool {
    (0..<CodeGrid.tileCount).allSatisfy { one[$0] == other[$0] }
  }

  package func hash(into hasher: inout Hasher) {
    for tile in 0..<CodeGrid.tileCount { hasher.combine(self[tile]) }
  }
}
