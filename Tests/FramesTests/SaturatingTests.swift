import Frames
import Support
import Testing

@Suite struct SaturatingTests {
  @Test func doublesBecomeTheNearestWholeNumber() {
    #expect(Int(saturating: 2.9) == 2 && Int(saturating: -2.9) == -2 && Int(saturating: .nan) == 0)
    #expect(Int(saturating: 0x1p63) == .max && Int(saturating: -0x1p63) == .min && Int(saturating: -0x1.1p63) == .min)
    #expect(Int(saturating: .infinity) == .max && Int64(saturating: -.infinity) == .min)
    #expect(UInt8(saturating: 255.5) == 255 && UInt8(saturating: 256) == 255 && UInt8(saturating: -1) == 0)
    #expect(UInt8(saturating: -0.5) == 0)
  }

  /// Compared with a wider type, near the ends of the range and at random.
  @Test func sumsAndProductsStopAtTheEnds() {
    var random = SeededGenerator(for: "sumsAndProductsStopAtTheEnds")
    for _ in 0..<10_000 {
      let (a, b) = (Int8.random(in: .min ... .max, using: &random), Int8.random(in: .min ... .max, using: &random))
      #expect(a.addingSaturated(b) == Int8(clamping: Int(a) + Int(b)), "seed \(random.seed)")
      #expect(a.multipliedSaturated(by: b) == Int8(clamping: Int(a) * Int(b)), "seed \(random.seed)")
    }
    #expect(UInt8(200).addingSaturated(100) == 255 && UInt8(200).multipliedSaturated(by: 2) == 255)
  }

  @Test func infinitiesBecomeFinite() {
    #expect(Double.infinity.clampedToFinite == .greatestFiniteMagnitude)
    #expect((-Double.infinity).clampedToFinite == -.greatestFiniteMagnitude)
    #expect(Double.nan.clampedToFinite == 0 && 1.5.clampedToFinite == 1.5)
  }

  /// A hostile comment in a clip: the number of frames is `Int.max`.
  @Test func framesOfAHostileTagAreCounted() throws {
    let comment =
      "bench360-synthetic/1 rate=2147483647/1 frames=9223372036854775807 seed=1 projection=flat stereo=mono "
      + "repetitions=1000"
    let tag = try #require(SyntheticTag(comment: comment))
    #expect(tag.frameNumber(at: MediaTime(nanoseconds: .max)) != nil)
  }
}
