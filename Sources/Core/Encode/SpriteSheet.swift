import Frames

/// Small pictures of one size in rows and columns of a large one, from the top left on.
public struct SpriteSheet: Sendable {
  public let cell: PictureSize
  public let columns: Int
  public let rows: Int
  public private(set) var count = 0
  private var rgba: [UInt8] = []

  public init(cell: PictureSize, columns: Int, rows: Int) {
    precondition(cell.width > 0 && cell.height > 0 && columns > 0 && rows > 0, "a sheet has room for a picture")
    (self.cell, self.columns, self.rows) = (cell, columns, rows)
  }

  public var isFull: Bool { count == columns * rows }

  /// Size of the used cells: full rows, or the used part of a single row.
  public var size: PictureSize {
    PictureSize(
      width: min(count, columns) * cell.width, height: (count + columns - 1) / columns * cell.height)
  }

  /// Puts a picture into the next cell. Traps where the sheet is full or the picture has another size than the cells.
  ///
  /// - Returns: column and row of its first pixel.
  @discardableResult
  public mutating func add(_ picture: SmallPicture) -> (column: Int, row: Int) {
    precondition(!isFull && picture.size == cell, "the picture does not fit")
    let (column, row) = (count % columns * cell.width, count / columns * cell.height)
    let pitch = columns * cell.width * 4
    if column == 0 { rgba += [UInt8](repeating: 0, count: pitch * cell.height) }
    for line in 0..<cell.height {
      let start = (row + line) * pitch + column * 4
      rgba.replaceSubrange(
        Range(from: start, to: start + cell.width * 4),
        with: picture.rgba[Range(from: line * cell.width * 4, to: (line + 1) * cell.width * 4)])
    }
    count += 1
    return (column, row)
  }

  /// The sheet as one picture of `size`. Traps where it is empty.
  public var picture: SmallPicture {
    let whole = PictureSize(width: columns * cell.width, height: size.height)
    return SmallPicture(rgba: rgba, size: whole, time: .zero).cut(column: 0, row: 0, size: size)
  }
}
