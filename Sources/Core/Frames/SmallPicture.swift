/// A picture for display, such as a thumbnail: plain bytes, oriented and scaled as shown.
public struct SmallPicture: Sendable, Hashable {
  /// Red, green, blue and straight alpha, 8 bits each, without padding, top row first.
  public let rgba: [UInt8]
  public let size: PictureSize
  /// When it is shown.
  public var time: MediaTime

  /// - Parameter rgba: exactly width × height × 4 bytes.
  public init(rgba: [UInt8], size: PictureSize, time: MediaTime) {
    precondition(size.width > 0 && size.height > 0 && rgba.count == size.width * size.height * 4, "not a picture")
    self.rgba = rgba
    self.size = size
    self.time = time
  }

  /// The part of it at a column and row, which must lie inside the picture.
  public func cut(column: Int, row: Int, size part: PictureSize) -> SmallPicture {
    precondition(
      column >= 0 && row >= 0 && part.width > 0 && part.height > 0 && column <= size.width - part.width
        && row <= size.height - part.height, "not a part of the picture")
    var bytes: [UInt8] = []
    bytes.reserveCapacity(part.width * part.height * 4)
    for line in Range(from: row, to: row + part.height) {
      let start = (line * size.width + column) * 4
      bytes += rgba[Range(from: start, to: start + part.width * 4)]
    }
    return SmallPicture(rgba: bytes, size: part, time: time)
  }

  /// Mirrors left and right, then rotates clockwise, as players apply a display matrix.
  ///
  /// - Parameter rotation: 0, 90, 180 or 270 degrees.
  public func turned(by rotation: Int, isMirrored: Bool) -> SmallPicture {
    guard rotation != 0 || isMirrored else { return self }
    let isUpright = rotation % 180 == 0
    let target = isUpright ? size : PictureSize(width: size.height, height: size.width)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rgba.count)
    for row in 0..<target.height {
      for column in 0..<target.width {
        var (x, y) =
          switch rotation {
          case 90: (row, size.height - 1 - column)
          case 180: (size.width - 1 - column, size.height - 1 - row)
          case 270: (size.width - 1 - row, column)
          default: (column, row)
          }
        if isMirrored { x = size.width - 1 - x }
        y = (y * size.width + x) * 4
        bytes += rgba[Range(from: y, to: y + 4)]
      }
    }
    return SmallPicture(rgba: bytes, size: target, time: time)
  }
}
