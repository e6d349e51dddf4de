import Foundation
import Frames
import Support
import TestPicture
import Testing

@Suite struct FrameCodeTests {
  private static let size = PictureSize(width: 1600, height: 800)

  @Test(arguments: FrameCode.Layout.allCases)
  func layoutIsWithinItsLimits(layout: FrameCode.Layout) {
    let cells = FrameCode.cells(for: layout)
    #expect(cells.count <= 2048)
    #expect(Set(cells.map(\.bit)) == Set(0..<32))
    #expect(cells.allSatisfy { (0..<1).contains($0.u) && (0..<1).contains($0.v) })
    #expect(cells.allSatisfy { $0.v - $0.height / 2 >= 0 && $0.v + $0.height / 2 <= 1 })
  }

  @Test(arguments: FrameCode.Layout.allCases)
  func cellsDoNotOverlap(layout: FrameCode.Layout) {
    let cells = FrameCode.cells(for: layout)
    for (index, a) in cells.enumerated() {
      for b in cells[(index + 1)...] where abs(a.v - b.v) < (a.height + b.height) / 2 - 1e-9 {
        let apart = abs(a.u - b.u)
        #expect(min(apart, 1 - apart) >= (a.width + b.width) / 2 - 1e-9)
      }
    }
  }

  @Test(arguments: FrameCode.Layout.allCases)
  func numbersSurviveTheRoundTrip(layout: FrameCode.Layout) {
    for number in [0, 1, 2, 255, 256, 65_535, 1_000_000, FrameCode.capacity - 1] {
      let picture = Self.picture(FrameCode.word(for: number), layout: layout)
      #expect(readCode(picture, size: Self.size, layout: layout) == .number(number))
    }
  }

  @Test func singleBitErrorsAreDetected() {
    for number in [0, 299, 0xABCDEF] {
      for bit in 0..<32 {
        let picture = Self.picture(FrameCode.word(for: number) ^ 1 << UInt32(bit), layout: .flat)
        #expect(readCode(picture, size: Self.size, layout: .flat) == .unreadable(.checksum))
      }
    }
  }

  @Test func plainPicturesHaveNoNumber() {
    let count = Self.size.width * Self.size.height
    for (luma, reason) in [
      (UInt8(0), FrameCode.Reason.checksum), (255, .checksum), (128, .missing(bits: Array(0..<32))),
    ] {
      let picture = [UInt8](repeating: luma, count: count)
      #expect(readCode(picture, size: Self.size) == .unreadable(reason))
    }
  }

  @Test func tornPicturesAreDisputed() {
    let (a, b) = (Self.picture(FrameCode.word(for: 7)), Self.picture(FrameCode.word(for: 8)))
    let half = a.count / 2
    guard case .unreadable(.disputed) = readCode(Array(a[..<half] + b[half...]), size: Self.size) else {
      Issue.record("a picture torn in the middle was read")
      return
    }
  }

  @Test func someDamagedCellsAreOutvoted() {
    var random = SeededGenerator(for: "someDamagedCellsAreOutvoted")
    let word = FrameCode.word(for: 4711)
    let reading = FrameCode.read(.equirectangular) { u, v in
      let bit = FrameCode.cells(for: .equirectangular).first { $0.u == u && $0.v == v }?.bit ?? 0
      let isBright = word >> UInt32(bit) & 1 == 1
      return Int.random(in: 0..<10, using: &random) == 0 ? nil : isBright ? 200 : 50
    }
    #expect(reading == .number(4711))
  }

  /// Views 26° high at 16:9, upright; and rolled views that are 46° high and wide. Of either kind of code.
  @Test(.tier(.test), arguments: [(26.0, 16.0 / 9, false), (46.0, 1.0, true)])
  func everyViewSeesTheNumber(fieldOfView: Double, aspect: Double, isRolled: Bool) {
    var random = SeededGenerator(for: "everyViewSeesTheNumber")
    let codes: [(picture: [UInt8], reading: FrameCode.Reading)] = [
      (Self.picture(FrameCode.word(for: 123_456)), .number(123_456)),
      (Self.picture(FrameCode.word(for: 123_456, rung: 11)), .ladder(number: 123_456, rung: 11)),
    ]
    for round in 0..<1500 {
      let (picture, expected) = codes[round % 2]
      let view = View(
        pan: .random(in: -.pi ... .pi, using: &random), tilt: .random(in: -.pi / 2 ... .pi / 2, using: &random),
        roll: isRolled ? .random(in: -.pi ... .pi, using: &random) : 0, fieldOfView: fieldOfView, aspect: aspect)
      let reading = FrameCode.read(.equirectangular) { u, v in
        view.sees(u: u, v: v)
          ? picture[Int(v * Double(Self.size.height)) * Self.size.width + Int(u * Double(Self.size.width))] : nil
      }
      #expect(reading == expected, "seed \(random.seed): \(view)")
    }
  }

  /// Paints the cells on middle gray.
  static func picture(_ word: UInt32, layout: FrameCode.Layout = .equirectangular) -> [UInt8] {
    var picture = [UInt8](repeating: 128, count: size.width * size.height)
    for cell in FrameCode.cells(for: layout) {
      let value: UInt8 = word >> UInt32(cell.bit) & 1 == 1 ? 225 : 30
      let left = Int(((cell.u - cell.width / 2) * Double(size.width)).rounded())
      let right = Int(((cell.u + cell.width / 2) * Double(size.width)).rounded())
      let top = Int(((cell.v - cell.height / 2) * Double(size.height)).rounded())
      let bottom = Int(((cell.v + cell.height / 2) * Double(size.height)).rounded())
      for row in top..<bottom {
        for column in left..<right { picture[row * size.width + (column + size.width) % size.width] = value }
      }
    }
    return picture
  }
}

/// A perspective view into the sphere; angles in radians, the vertical field of view in degrees.
private struct View {
  var pan: Double
  var tilt: Double
  var roll: Double
  var fieldOfView: Double
  var aspect: Double

  /// Whether the place is in the picture with a fifth of a cell to spare.
  func sees(u: Double, v: Double) -> Bool {
    let (longitude, latitude) = ((u - 0.5) * 2 * .pi - pan, (0.5 - v) * .pi)
    let x = cos(latitude) * sin(longitude)
    let ahead = cos(latitude) * cos(longitude)
    let y = sin(latitude) * cos(tilt) - ahead * sin(tilt)
    let z = ahead * cos(tilt) + sin(latitude) * sin(tilt)
    guard z > 0.01 else { return false }
    let (screenX, screenY) = ((x * cos(roll) + y * sin(roll)) / z, (y * cos(roll) - x * sin(roll)) / z)
    let reach = tan(fieldOfView * .pi / 360)
    let margin = 0.4 * .pi / 180
    return abs(screenX) < reach * aspect - margin && abs(screenY) < reach - margin
  }
}
