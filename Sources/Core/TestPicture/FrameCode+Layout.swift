import Frames

extension FrameCode {
  private static let columns = 8
  private static let rows = 4

  /// Latitude of a band's centre in degrees, its number of tiles, and the first tile's offset in tiles. Found by
  /// search: all of 100,000 random views 25° high contain the centres of cells of all bits, and at 26° a good part of
  /// each; with one tile less in any band some views do not.
  private static let bands: [(latitude: Double, tiles: Int, offset: Double)] = [
    (0, 10, 0), (20.25, 10, 0.5), (-20.25, 10, 0.5), (40.5, 8, 0), (-40.5, 8, 0), (60.75, 6, 0.5), (-60.75, 6, 0.5),
    (78.75, 3, 0), (-78.75, 3, 0),
  ]
  /// A side of a cell on the sphere, in degrees: 4 pixels in a picture 640 wide, and cells' edges stay on pixels.
  private static let cellDegrees = 2.25

  static let sphereCells: [Cell] = bands.flatMap { band in
    (0..<band.tiles).flatMap { tile in
      sphereTile(latitude: band.latitude, turn: (Double(tile) + band.offset) / Double(band.tiles), count: band.tiles)
    }
  }

  static let flatCells: [Cell] = (0..<9).flatMap { tile in
    flatTile(centerU: (Double(tile % 3) + 0.5) / 3, centerV: (Double(tile / 3) + 0.5) / 3)
  }

  private static func sphereTile(latitude: Double, turn: Double, count: Int) -> [Cell] {
    grid { row, column in
      let rowLatitude = latitude + (Double(rows - 1) / 2 - Double(row)) * cellDegrees
      // Towards the poles a cell spans more longitude, at most its share of the circle.
      let width = min(cellDegrees / 360 / cosine(turns: rowLatitude / 360), 1 / Double(count * columns))
      let u = 0.5 + turn + (Double(column) - Double(columns - 1) / 2) * width
      return (u - u.rounded(.down), 0.5 - rowLatitude / 180, width, cellDegrees / 180)
    }
  }

  /// Cells are square in a 16:9 picture.
  private static func flatTile(centerU: Double, centerV: Double) -> [Cell] {
    let (width, height) = (1.0 / 48, 1.0 / 27)
    return grid { row, column in
      let u = centerU + (Double(column) - Double(columns - 1) / 2) * width
      let v = centerV + (Double(row) - Double(rows - 1) / 2) * height
      return (u, v, width, height)
    }
  }

  private static func grid(
    _ place: (_ row: Int, _ column: Int) -> (u: Double, v: Double, width: Double, height: Double)
  ) -> [Cell] {
    (0..<bitCount).map { bit in
      let (u, v, width, height) = place(bit / columns, bit % columns)
      return Cell(bit: bit, u: u, v: v, width: width, height: height)
    }
  }
}
