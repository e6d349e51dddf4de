import Frames

/// The subtitles of one moment, for a target of one size: coloured coverages, the later ones on top.
public struct SubtitlePicture: Sendable, Hashable {
  public private(set) var pieces: [Piece] = []

  public struct Piece: Sendable, Hashable {
    public var coverage: Coverage
    /// Of its top-left corner from the target's, in pixels.
    public var left: Int
    public var top: Int
    public var color: Canvas.Color
  }

  /// A picture without pieces.
  public init() {}

  public var isEmpty: Bool { pieces.isEmpty }

  /// Largest side of a piece, so that it fits into an atlas.
  package static let side = 512
  /// Limit for all pieces together, in bytes: the size of an atlas. Pieces beyond it are left out.
  package static let byteLimit = 4 << 20

  /// - Parameters:
  ///   - canvas: receives the pieces, above its items.
  ///   - origin: top-left corner of the part of the target that the picture was made for.
  public func draw(on canvas: inout Canvas, at origin: Canvas.Point) {
    for piece in pieces {
      canvas.coverage(
        piece.coverage, at: Canvas.Point(origin.x + Double(piece.left), origin.y + Double(piece.top)), piece.color)
    }
  }

  /// Adds a picture of one colour in pieces; those without ink are left out.
  ///
  /// - Parameters:
  ///   - left, top: its corner in the target; `width` and `height` its size in pixels.
  ///   - row: returns a row's coverage, `width` bytes.
  package mutating func add(
    left: Int, top: Int, width: Int, height: Int, color: Canvas.Color, row: (Int) -> UnsafeBufferPointer<UInt8>
  ) {
    var room = Self.byteLimit - pieces.reduce(0) { $0 + $1.coverage.bytes.count }
    for y in stride(from: 0, to: height, by: Self.side) {
      for x in stride(from: 0, to: width, by: Self.side) {
        let (columns, rows) = (
          Range(from: x, to: min(width, x + Self.side)), Range(from: y, to: min(height, y + Self.side))
        )
        guard columns.count * rows.count <= room else { continue }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(columns.count * rows.count)
        for place in rows { bytes += row(place)[columns] }
        guard bytes.contains(where: { $0 > 0 }) else { continue }
        room -= bytes.count
        pieces.append(
          Piece(
            coverage: Coverage(width: columns.count, height: rows.count, bytes: bytes), left: left + x, top: top + y,
            color: color))
      }
    }
  }
}
