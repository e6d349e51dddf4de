import Frames
import TestPicture
import Verdict

/// Finds where a recording shows the picture of a flat clip, by the tiles of its frame code: scaled, and with anything around it.
///
/// The picture is upright, and has the clip's aspect ratio to about three percent.
package struct PictureFinder: Sendable {
  /// Width over height of the clip.
  private let aspect: Double
  /// Numbers below it are the clip's: stripes of another picture may show one that is not, at several places.
  private let frames: Int

  /// - Parameters:
  ///   - clip: the clip's size in square pixels.
  ///   - frames: of the clip.
  package init(clip: PictureSize, frames: Int) {
    (aspect, self.frames) = (Double(clip.width) / Double(clip.height), frames)
  }

  /// Recordings are searched at this width at most: cells of the code can be read from three pixels.
  private static let searchWidth = 960
  /// The smallest picture that is found, in pixels of the search.
  private static let leastWidth = 150.0
  /// From one size that is tried to the next. The outermost cell of a tile is three and a half cells from its centre.
  private static let sizeStep = 1.1
  /// From one position that is tried to the next, in cells.
  private static let positionStep = 0.4

  /// The rectangle of the picture in pixels of the recording; nil if fewer than two tiles with one number can be read.
  ///
  /// Where a whole row or column of tiles is covered, it may lie a row or a column off: what it reads is the same.
  package func find(in picture: LumaPicture) -> CodeGrid? {
    let (small, scale) = picture.shrunk(toWidth: Self.searchWidth)
    let search = Search(picture: small, aspect: aspect, frames: frames)
    var width = min(Double(small.size.width), Double(small.size.height) * aspect) * 1.02
    while width >= Self.leastWidth {
      if let grid = search.find(width: width) {
        let scale = Double(scale)
        return CodeGrid(
          left: grid.left * scale, top: grid.top * scale, width: grid.width * scale, height: grid.height * scale)
      }
      width /= Self.sizeStep
    }
    return nil
  }

  /// The search in one picture.
  private struct Search {
    let picture: GreyPicture
    let aspect: Double
    let frames: Int

    /// Looks for a tile of a picture of about that width, at every position, and then for the other tiles.
    func find(width: Double) -> CodeGrid? {
      let cell = (width: width / 48, height: width / aspect / 27)
      let (reach, depth) = (cell.width * 4, cell.height * 2)
      var y = depth
      while y <= Double(picture.size.height) - depth {
        var x = reach
        while x <= Double(picture.size.width) - reach {
          if let word = word(x, y, cell), let number = FrameCode.reading(of: word).number, number < frames,
            let grid = grid(around: centre(near: (x, y), word, cell), word, width)
          {
            return grid
          }
          x += cell.width * PictureFinder.positionStep
        }
        y += cell.height * PictureFinder.positionStep
      }
      return nil
    }

    /// The bits of a tile with that centre; nil if a cell is neither dark nor bright.
    private func word(_ x: Double, _ y: Double, _ cell: (width: Double, height: Double)) -> UInt32? {
      var word: UInt32 = 0
      for bit in 0..<FrameCode.bitCount {
        let (column, row) = (Double(bit % 8) - 3.5, Double(bit / 8) - 1.5)
        guard let isBright = isBright(x + column * cell.width, y + row * cell.height) else { return nil }
        if isBright { word |= 1 << UInt32(bit) }
      }
      return word
    }

    /// Nil outside the picture, and for a pixel that is neither dark nor bright.
    private func isBright(_ x: Double, _ y: Double) -> Bool? {
      let (x, y) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
      guard x >= 0, y >= 0, x < picture.size.width, y < picture.size.height else { return nil }
      let luma = picture.bytes[y * picture.size.width + x]
      if luma <= FrameCode.darkLimit { return false }
      return luma >= FrameCode.brightLimit ? true : nil
    }

    /// The middle of the positions near `position` at which a tile shows that word.
    private func centre(
      near position: (x: Double, y: Double), _ word: UInt32, _ cell: (width: Double, height: Double)
    ) -> (x: Double, y: Double) {
      let steps = (-10...10).map { Double($0) / 10 }
      let columns = steps.filter { self.word(position.x + $0 * cell.width, position.y, cell) == word }
      let rows = steps.filter { self.word(position.x, position.y + $0 * cell.height, cell) == word }
      let (across, down) = (Distribution.median(columns) ?? 0, Distribution.median(rows) ?? 0)
      return (position.x + across * cell.width, position.y + down * cell.height)
    }

    /// The rectangle with the most tiles that show that word; nil if fewer than two do.
    ///
    /// - Parameter centre: of one tile, which may be any of the nine.
    private func grid(around centre: (x: Double, y: Double), _ word: UInt32, _ width: Double) -> CodeGrid? {
      var best: (grid: CodeGrid, tiles: Int)?
      for tile in 0..<CodeGrid.tileCount {
        for percent in -14...14 {
          let width = width * (1 + Double(percent) / 100)
          let height = width / aspect
          let grid = CodeGrid(
            left: centre.x - width * (Double(tile % 3) + 0.5) / 3,
            top: centre.y - height * (Double(tile / 3) + 0.5) / 3, width: width, height: height)
          let tiles = tiles(of: grid, word)
          if tiles > best?.tiles ?? 1 { best = (grid, tiles) }
        }
      }
      return best.map { centred($0.grid, word) }
    }

    /// How many tiles of that rectangle show that word.
    private func tiles(of grid: CodeGrid, _ word: UInt32) -> Int {
      let cells = FrameCode.cells(for: .flat)
      return (0..<CodeGrid.tileCount).count { tile in
        (0..<FrameCode.bitCount).allSatisfy { bit in
          let cell = cells[tile * FrameCode.bitCount + bit]
          let isBright = isBright(grid.left + cell.u * grid.width, grid.top + cell.v * grid.height)
          return isBright == (word >> UInt32(bit) & 1 == 1)
        }
      }
    }

    /// Moves and stretches the rectangle to the middle of where all of its tiles can be read, which is where the centres of cells are.
    private func centred(_ grid: CodeGrid, _ word: UInt32) -> CodeGrid {
      var grid = grid
      let (width, height) = grid.cell
      for _ in 0..<4 {
        settle(&grid, word, step: width / 20) { $0.left += $1 }
        settle(&grid, word, step: height / 20) { $0.top += $1 }
        // The outermost tiles move by a third of the width.
        settle(&grid, word, step: width / 10) { grid, by in
          grid.left -= by / 2
          grid.width += by
        }
        settle(&grid, word, step: height / 10) { grid, by in
          grid.top -= by / 2
          grid.height += by
        }
      }
      return grid
    }

    private func settle(_ grid: inout CodeGrid, _ word: UInt32, step: Double, _ move: (inout CodeGrid, Double) -> Void)
    {
      let counts = (-40...40).map { (place: Int) -> (place: Int, tiles: Int) in
        var moved = grid
        move(&moved, Double(place) * step)
        return (place, tiles(of: moved, word))
      }
      guard let most = counts.map(\.tiles).max(), most > 1 else { return }
      let places = counts.filter { $0.tiles == most }.map(\.place)
      guard let first = places.first, let last = places.last else { return }
      move(&grid, Double(first + last) / 2 * step)
    }
  }
}
