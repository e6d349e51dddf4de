import Frames
import Support
import Testing

@Suite struct HostPlaneTests {
  private static let untouched: UInt8 = 0xEE

  /// A plane of `rows` rows with every byte of its memory different from its neighbours'.
  private static func plane(rowBytes: Int, rows: Int, pitch: Int) -> (plane: HostPlane, memory: HostMemory) {
    let memory = HostMemory(byteCount: abs(pitch) * rows)
    for offset in 0..<memory.byteCount {
      memory.base.storeBytes(
        of: UInt8(truncatingIfNeeded: offset &* 31 &+ offset >> 8), toByteOffset: offset, as: UInt8.self)
    }
    let first = pitch < 0 ? memory.base - pitch * (rows - 1) : memory.base
    return (HostPlane(base: first, bytesPerRow: pitch, rowBytes: rowBytes, rows: rows), memory)
  }

  /// Rows by the definition: row r starts r pitches after the top row.
  private static func rows(_ plane: HostPlane) -> [[UInt8]] {
    (0..<plane.rows).map { row in
      (0..<plane.rowBytes).map { plane.base.load(fromByteOffset: row * plane.bytesPerRow + $0, as: UInt8.self) }
    }
  }

  @Test(arguments: [(5, 1, 5), (5, 3, 8), (5, 3, -8), (64, 4, 64), (7, 2, 128), (33, 9, -40)])
  func everyPitchIsCopiedAlike(rowBytes: Int, rows: Int, pitch: Int) {
    let (plane, memory) = Self.plane(rowBytes: rowBytes, rows: rows, pitch: pitch)
    let expected = Self.rows(plane)
    #expect(plane.packedBytes() == expected.flatMap { $0 })
    for destinationPitch in [rowBytes, abs(pitch), rowBytes + 3] {
      let needed = (rows - 1) * destinationPitch + rowBytes
      let target = HostMemory(byteCount: needed + 64)
      target.base.initializeMemory(as: UInt8.self, repeating: Self.untouched, count: target.byteCount)
      plane.copy(to: target.base, bytesPerRow: destinationPitch)
      for row in 0..<rows {
        let copied = (0..<rowBytes).map {
          target.base.load(fromByteOffset: row * destinationPitch + $0, as: UInt8.self)
        }
        #expect(copied == expected[row], "row \(row) of pitch \(destinationPitch)")
      }
      let behind = (needed..<target.byteCount).map { target.base.load(fromByteOffset: $0, as: UInt8.self) }
      #expect(behind.allSatisfy { $0 == Self.untouched }, "bytes behind the last row of pitch \(destinationPitch)")
    }
    withExtendedLifetime(memory) {}
  }

  @Test func randomPlanesSurviveTheRoundTrip() {
    var random = SeededGenerator(for: "randomPlanesSurviveTheRoundTrip")
    for _ in 0..<200 {
      let rowBytes = Int.random(in: 1...70, using: &random)
      let rows = Int.random(in: 1...12, using: &random)
      let pitch = rowBytes + Int.random(in: 0...20, using: &random)
      let (plane, memory) = Self.plane(
        rowBytes: rowBytes, rows: rows, pitch: Bool.random(using: &random) ? pitch : -pitch)
      let target = HostMemory(byteCount: rows * pitch)
      plane.copy(to: target.base, bytesPerRow: pitch)
      let back = HostPlane(base: target.base, bytesPerRow: pitch, rowBytes: rowBytes, rows: rows)
      #expect(back.packedBytes() == plane.packedBytes())
      let (column, row) = (Int.random(in: 0..<rowBytes, using: &random), Int.random(in: 0..<rows, using: &random))
      #expect(plane[column, row] == Self.rows(plane)[row][column] && plane.row(row)[column] == plane[column, row])
      withExtendedLifetime(memory) {}
    }
  }
}
