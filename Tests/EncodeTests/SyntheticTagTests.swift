import Frames
import Testing

@Suite struct SyntheticTagTests {
  @Test func commentIsAsPromised() {
    let tag = SyntheticTag(rate: Ratio(30, 1), frames: 300, seed: 7, projection: .equirectangular, stereo: .mono)
    #expect(
      tag.comment == "bench360-synthetic/1 rate=30/1 frames=300 seed=7 projection=equirectangular stereo=mono")
  }

  @Test func survivesTheRoundTrip() {
    for projection in SyntheticTag.Projection.allCases {
      for stereo in StereoLayout.allCases {
        let tag = SyntheticTag(
          rate: Ratio(30000, 1001), frames: 1, seed: .max, projection: projection, stereo: stereo)
        #expect(SyntheticTag(comment: tag.comment) == tag)
      }
    }
  }

  @Test func unknownFieldsArePassedOver() {
    let tag = SyntheticTag(rate: Ratio(25, 1), frames: 9, seed: 0, projection: .flat, stereo: .topBottom)
    #expect(SyntheticTag(comment: tag.comment + " later=field") == tag)
  }

  @Test(arguments: [
    "", "holiday", "bench360-synthetic/", "bench360-synthetic/0 rate=30/1 frames=3 seed=7 projection=flat stereo=mono",
    "bench360-synthetic/1 rate=30/0 frames=3 seed=7 projection=flat stereo=mono",
    "bench360-synthetic/1 rate=30/1 frames=0 seed=7 projection=flat stereo=mono",
    "bench360-synthetic/1 rate=30/1 frames=3 projection=flat stereo=mono",
    "bench360-synthetic/1 rate=30/1 frames=3 seed=7 projection=cube stereo=mono",
  ])
  func othersAreRefused(comment: String) {
    #expect(SyntheticTag(comment: comment) == nil)
  }

  @Test func frameNumbersFollowFromTimeStamps() {
    let tag = SyntheticTag(rate: Ratio(30000, 1001), frames: 300, seed: 7, projection: .flat, stereo: .mono)
    for number in 0..<300 {
      let period = 1001.0 / 30000
      for stray in [-0.4, 0, 0.4] where number > 0 || stray >= 0 {
        #expect(tag.frameNumber(at: MediaTime(seconds: (Double(number) + stray) * period)) == number)
      }
    }
    #expect(tag.frameNumber(at: MediaTime(seconds: 11)) == nil)
    #expect(tag.frameNumber(at: MediaTime(seconds: -1)) == nil)
  }
}
