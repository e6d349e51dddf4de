import Frames
import Testing

@Suite struct SyntheticTagTests {
  @Test func commentHasTheDocumentedFormat() {
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

  @Test func repetitionsRestartFrameNumbers() {
    var tag = SyntheticTag(rate: Ratio(25, 1), frames: 50, seed: 0, projection: .flat, stereo: .mono)
    #expect(!tag.comment.contains("repetitions") && tag.frameNumber(at: MediaTime(seconds: 2)) == nil)
    tag.repetitions = 3
    #expect(tag.comment.hasSuffix(" stereo=mono repetitions=3") && SyntheticTag(comment: tag.comment) == tag)
    #expect([0, 1.96, 2, 3.96, 4, 5.96].map { tag.frameNumber(at: MediaTime(seconds: $0)) } == [0, 49, 0, 49, 0, 49])
    #expect(tag.frameNumber(at: MediaTime(seconds: 6)) == nil)
    let plain = tag.comment.replacing(" repetitions=3", with: "")
    for wrong in ["0", "-1", "x", "99999999999"] {
      #expect(SyntheticTag(comment: plain + " repetitions=\(wrong)") == nil)
    }
  }

  @Test func unknownFieldsAreIgnored() {
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
