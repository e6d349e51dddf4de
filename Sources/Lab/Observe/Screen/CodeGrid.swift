import Frames
import TestPicture

/// The cells of the frame code of a flat clip that fills a rectangle of a screen, or of a recording of one.
///
/// Nine tiles repeat the code over the picture. Each tile is read by itself: its check sum proves its number, so that a tile that a control
/// covers, or that is half painted, is unreadable and never wrong.
package struct CodeGrid: Sendable {
  package static let tileCount = 9

  /// The rectangle of the picture, in pixels of the screen.
  package var left: Double
  package var top: Double
  package var width: Double
  package var height: Double

  package init(left: Double, top: Double, width: Double, height: Double) {
    (self.left, self.top, self.width, self.height) = (left, top, width, height)
  }

  /// A picture that fills a screen of that size.
  package init(filling size: PictureSize) {
    self.init(left: 0, top: 0, width: Double(size.width), height: Double(size.height))
  }

  /// Size of a cell, in pixels of the screen.
  package var cell: (width: Double, height: Double) {
    let cell = FrameCode.cells(for: .flat)[0]
    return (cell.width * width, cell.height * height)
  }

  /// The pixels at the centres of all cells: those of tile 0 by bit, then of tile 1 and so on. Some lie outside the screen where the
  /// rectangle does.
  package var cellCentres: [(x: Int, y: Int)] {
    FrameCode.cells(for: .flat).map { cell in
      (Int((left + cell.u * width).rounded(.down)), Int((top + cell.v * height).rounded(.down)))
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
