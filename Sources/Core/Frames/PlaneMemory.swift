// The one place outside the C-facing targets that knows raw pointers.

/// One plane of samples in host memory.
///
/// Valid only while the picture that returned it is alive. Not synchronised: one owner at a time reads or writes it
/// (decoder → queue → renderer).
public struct HostPlane: Sendable {
  /// First byte of the top row.
  nonisolated(unsafe) public let base: UnsafeMutableRawPointer
  /// Bytes from one row to the next; negative for bottom-up pictures.
  public let bytesPerRow: Int
  /// Bytes of a row that carry samples.
  public let rowBytes: Int
  public let rows: Int

  public init(base: UnsafeMutableRawPointer, bytesPerRow: Int, rowBytes: Int, rows: Int) {
    self.base = base
    self.bytesPerRow = bytesPerRow
    self.rowBytes = rowBytes
    self.rows = rows
  }

  /// The byte at a column and row; both are checked.
  public subscript(column: Int, row: Int) -> UInt8 {
    precondition(column >= 0 && column < rowBytes && row >= 0 && row < rows, "sample outside the plane")
    return base.load(fromByteOffset: row * bytesPerRow + column, as: UInt8.self)
  }

  /// Row `row` as bytes, without its padding.
  public func row(_ row: Int) -> UnsafeRawBufferPointer {
    precondition(row >= 0 && row < rows, "row outside the plane")
    return UnsafeRawBufferPointer(start: base + row * bytesPerRow, count: rowBytes)
  }

  /// Copies all rows to `destination`, whose rows are `destinationBytesPerRow` apart.
  ///
  /// `destination` has room for `rows` rows; the pitch is at least `rowBytes`.
  public func copy(to destination: UnsafeMutableRawPointer, bytesPerRow destinationBytesPerRow: Int) {
    precondition(destinationBytesPerRow >= rowBytes, "rows would overlap")
    if bytesPerRow == destinationBytesPerRow {
      // One run: the padding between rows is ours on both sides, that behind the last row is not.
      destination.copyMemory(from: base, byteCount: (rows - 1) * bytesPerRow + rowBytes)
      return
    }
    for row in 0..<rows {
      (destination + row * destinationBytesPerRow).copyMemory(from: base + row * bytesPerRow, byteCount: rowBytes)
    }
  }

  /// All samples without padding, top row first.
  public func packedBytes() -> [UInt8] {
    (0..<rows).flatMap { row($0) }
  }
}

/// The planes of one picture, at most four, in place: a list of them takes no memory of its own.
public struct PlaneList: RandomAccessCollection, Sendable {
  private var first: HostPlane?
  private var second: HostPlane?
  private var third: HostPlane?
  private var fourth: HostPlane?
  public private(set) var endIndex = 0
  public var startIndex: Int { 0 }

  public init() {}

  public init(_ planes: some Sequence<HostPlane>) {
    for plane in planes { append(plane) }
  }

  /// Traps at a fifth: no picture has as many.
  public mutating func append(_ plane: HostPlane) {
    switch endIndex {
    case 0: first = plane
    case 1: second = plane
    case 2: third = plane
    case 3: fourth = plane
    default: preconditionFailure("a picture has at most four planes")
    }
    endIndex += 1
  }

  public subscript(index: Int) -> HostPlane {
    let plane =
      switch index {
      case 0: first
      case 1: second
      case 2: third
      default: fourth
      }
    guard let plane, index >= 0, index < endIndex else { preconditionFailure("there is no plane \(index)") }
    return plane
  }
}

/// A block of zeroed memory, 64-byte aligned, freed with its last reference.
public final class HostMemory: Sendable {
  nonisolated(unsafe) public let base: UnsafeMutableRawPointer
  public let byteCount: Int

  public init(byteCount: Int) {
    // SIMD code reads past the last row: leave room.
    base = .allocate(byteCount: byteCount + 128, alignment: 64)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount + 128)
    self.byteCount = byteCount
  }

  deinit {
    base.deallocate()
  }
}
