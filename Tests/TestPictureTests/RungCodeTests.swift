import Frames
import Support
import TestPicture
import Testing

@Suite struct RungCodeTests {
  /// Every pair of a number and a rung comes back, over random pairs.
  @Test func pairsSurviveTheRoundTrip() {
    var random = SeededGenerator(for: "pairsSurviveTheRoundTrip")
    let size = PictureSize(width: 256, height: 144)
    for _ in 0..<200 {
      let number = Int.random(in: 0..<FrameCode.ladderCapacity, using: &random)
      let rung = Int.random(in: FrameCode.rungs, using: &random)
      let picture = CodePicture(FrameCode.word(for: number, rung: rung), size: size, layout: .flat)
      let reading = readCode(picture.luma, size: size, layout: .flat)
      #expect(reading == .ladder(number: number, rung: rung), "seed \(random.seed)")
      #expect(reading.number == number && reading.rung == rung)
    }
  }

  /// Noise, another contrast, and a smaller picture by averages: what scaling and coding do to cells.
  @Test(arguments: [FrameCode.Layout.flat, .equirectangular])
  func damagedPicturesAreReadOrRefused(layout: FrameCode.Layout) {
    var random = SeededGenerator(for: "damagedPicturesAreReadOrRefused")
    let size = layout == .flat ? PictureSize(width: 512, height: 288) : PictureSize(width: 960, height: 480)
    let small = PictureSize(width: size.width / 2, height: size.height / 2)
    for _ in 0..<10 {
      let number = Int.random(in: 0..<FrameCode.ladderCapacity, using: &random)
      let rung = Int.random(in: FrameCode.rungs, using: &random)
      var picture = CodePicture(FrameCode.word(for: number, rung: rung), size: size, layout: layout)
      picture.add(noise: 60, using: &random)
      picture.flatten(to: 0.7)
      let reading = readCode(picture.halved, size: small, layout: layout)
      #expect(reading == .ladder(number: number, rung: rung), "seed \(random.seed)")
    }
  }

  /// Two wrong bits never make one kind of word of the other, nor one frame of another.
  @Test func twoWrongBitsAreDetected() {
    var random = SeededGenerator(for: "twoWrongBitsAreDetected")
    for _ in 0..<20 {
      let number = Int.random(in: 0..<FrameCode.ladderCapacity, using: &random)
      let rung = Int.random(in: FrameCode.rungs, using: &random)
      for word in [FrameCode.word(for: number, rung: rung), FrameCode.word(for: number)] {
        for first in 0..<32 {
          for second in first..<32 {
            let damaged = word ^ (1 << UInt32(first) | 1 << UInt32(second))
            #expect(reading(damaged) == .unreadable(.checksum), "seed \(random.seed)")
          }
        }
      }
    }
  }

  @Test func plainNumbersHaveNoRung() {
    for number in [0, 299, FrameCode.ladderCapacity, FrameCode.capacity - 1] {
      let reading = reading(FrameCode.word(for: number))
      #expect(reading == .number(number) && reading.rung == nil)
    }
  }

  private func reading(_ word: UInt32) -> FrameCode.Reading {
    let bits = FrameCode.cells(for: .flat).reduce(into: [Place: Int]()) { $0[Place(u: $1.u, v: $1.v)] = $1.bit }
    return FrameCode.read(.flat) { u, v in
      bits[Place(u: u, v: v)].map { word >> UInt32($0) & 1 == 1 ? FrameCode.bright : FrameCode.dark }
    }
  }

  private struct Place: Hashable {
    var u: Double
    var v: Double
  }

  /// The scene draws the word of its rung, and nothing but the code differs from a scene without one.
  @Test(arguments: SyntheticTag.Projection.allCases)
  func scenesShowTheirRung(projection: SyntheticTag.Projection) throws {
    var specification = SceneSpecification()
    specification.size =
      projection == .flat ? PictureSize(width: 256, height: 144) : PictureSize(width: 480, height: 240)
    specification.projection = projection
    let plain = try drawn(specification, frame: 77)
    specification.rung = 13
    let ladder = try drawn(specification, frame: 77)
    #expect(readCode(plain[0], size: specification.size, layout: projection) == .number(77))
    #expect(readCode(ladder[0], size: specification.size, layout: projection) == .ladder(number: 77, rung: 13))
    #expect(plain[1...] == ladder[1...])
    let cells = CodePicture(0xFFFF_FFFF, size: specification.size, layout: projection).luma
    #expect(zip(zip(plain[0], ladder[0]), cells).allSatisfy { $0.0 == $0.1 || $1 != 128 })
  }

  @Test func rungsOutsideTheirRangeAreRefused() {
    for rung in [-1, 16, Int.max] {
      var specification = SceneSpecification()
      specification.rung = rung
      #expect(failure { try specification.validate() }?.description.contains("use 0 to 15") == true)
    }
    var specification = SceneSpecification()
    specification.frames = FrameCode.ladderCapacity + 1
    #expect(failure { try specification.validate() } == nil)
    specification.rung = 0
    #expect(failure { try specification.validate() }?.kind == .usage)
  }

  @Test func tagsNameTheRung() {
    var tag = SceneSpecification().tag
    #expect(tag.rung == nil && !tag.comment.contains("rung"))
    tag.rung = 7
    #expect(SyntheticTag(comment: tag.comment) == tag)
    for wrong in ["rung=16", "rung=-1", "rung=x", "rung="] {
      #expect(SyntheticTag(comment: SceneSpecification().tag.comment + " " + wrong) == nil)
    }
  }

  /// Y, Cb and Cr without padding.
  private func drawn(_ specification: SceneSpecification, frame: Int) throws -> [[UInt8]] {
    let picture = HostPicture(format: .yuv420p, size: specification.size)
    try SyntheticScene(specification).draw(frame: frame, into: picture.planes)
    return picture.planes.map { $0.packedBytes() }
  }
}

/// The cells of a word on middle gray.
private struct CodePicture {
  private(set) var luma: [UInt8]
  private let size: PictureSize

  init(_ word: UInt32, size: PictureSize, layout: FrameCode.Layout) {
    self.size = size
    luma = [UInt8](repeating: 128, count: size.width * size.height)
    for cell in FrameCode.cells(for: layout) {
      let value = word >> UInt32(cell.bit) & 1 == 1 ? FrameCode.bright : FrameCode.dark
      func pixel(_ place: Double, _ side: Int) -> Int { Int((place * Double(side)).rounded()) }
      for row in pixel(cell.v - cell.height / 2, size.height)..<pixel(cell.v + cell.height / 2, size.height) {
        for column in pixel(cell.u - cell.width / 2, size.width)..<pixel(cell.u + cell.width / 2, size.width) {
          luma[row * size.width + (column + size.width) % size.width] = value
        }
      }
    }
  }

  mutating func add(noise: Int, using random: inout SeededGenerator) {
    for index in luma.indices {
      luma[index] = UInt8(clamping: Int(luma[index]) + .random(in: -noise...noise, using: &random))
    }
  }

  mutating func flatten(to contrast: Double) {
    for index in luma.indices { luma[index] = UInt8(128 + (Double(luma[index]) - 128) * contrast) }
  }

  /// Half as wide and high, by averages.
  var halved: [UInt8] {
    (0..<size.height / 2).flatMap { row in
      (0..<size.width / 2).map { column in
        let place = 2 * row * size.width + 2 * column
        let sum = [place, place + 1, place + size.width, place + size.width + 1].reduce(0) { $0 + Int(luma[$1]) }
        return UInt8(sum / 4)
      }
    }
  }
}
