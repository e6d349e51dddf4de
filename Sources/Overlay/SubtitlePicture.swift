import Frames

/// What subtitles look like at one moment, for a target of one size: coloured coverages, the later ones on top.
public struct SubtitlePicture: Sendable, Hashable {
  public private(set) var pieces: [Piece] = []

  public struct Piece: Sendable, Hashable {
    public var coverage: Coverage
    /// Of its top-left corner from the target's, in pixels.
    public var left: Int
    public var top: Int
    public var color: Canvas.Color
  }

  /// Nothing.
  public init() {}

  public var isEmpty: Bool { pieces.isEmpty }

  /// Pieces are no larger than this, so that they find room in an atlas.
  package static let side = 512
  /// Of all pieces together, in bytes: as much as an atlas holds. What is more is left out.
  package static let byteLimit = 4 << 20

  /// - Parameters:
  ///   - origin: of the target's part that the picture was made for.
  ///   - canvas: is drawn on, above what it has.
  public func draw(on canvas: inout Canvas, at origin: Canvas.Point) {
    for piece in pieces {
      canvas.coverage(
        piece.coverage, at: Canvas.Point(origin.x + Double(piece.left), origin.y + Double(piece.top)), piece.color)
    }
  }

  /// Adds a picture of one colour in pieces; those without ink are left out.
  ///
  /// - Parameters:
  ///   - left, top: of its corner, and with `width` and `height` where it lies.
  ///   - row: gives each row's coverage, `width` bytes.
  package mutating func add(
    left: Int, top: Int, width: Int, height: Int, color: Canvas.Color, row: (Int) -> UnsafeBufferPointer<UInt8>
  ) {
    var room = Self.byteLimit - pieces.reduce(0) { $0 + $1.coverage.bytes.count }
    for y in stride(from: 0, to: height, by: Self.side) {
      for x in stride(from: 0, to: width, by: Self.side) {
        let (columns, rows) = (x..<min(width, x + Self.side), y..<min(height, y + Self.side))
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
