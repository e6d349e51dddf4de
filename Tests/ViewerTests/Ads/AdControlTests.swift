import Frames
import GPU
import Overlay
import Render
import Support
import Testing
import Viewer

/// The bar over an ad, and ads on the slider of the clip.
@Suite struct AdControlTests {
  private static func stage(_ ad: AdFacts?) -> ControlStage {
    let stage = ControlStage()
    (stage.facts.files.count, stage.facts.subtitles, stage.facts.qualities) = (1, [:], .init())
    stage.facts.place = MediaTime(seconds: 12)
    stage.facts.loadedTo = MediaTime(seconds: 20)
    stage.facts.ad = ad
    stage.facts.marks.ads = ad == nil ? [0, 30, 59.99].map { MediaTime(seconds: $0) } : []
    stage.refresh()
    return stage
  }

  @Test func theButtonSkipsOnceItMay() {
    for (ad, text) in [
      (AdFacts(number: 2), "Ad 2"), (AdFacts(number: 1, secondsToSkip: 5), "Ad 1 · skip in 5 s"),
    ] {
      let stage = Self.stage(ad)
      #expect(stage.texts.contains(text) && stage.bar.picture?.looks[.ad]?.isEnabled == false, "\(stage.texts)")
      #expect(stage.click(.ad) == ControlAnswer(effects: [], isTaken: true))
    }
    let stage = Self.stage(AdFacts(number: 1, secondsToSkip: 0))
    #expect(stage.texts.contains("Skip ad") && stage.click(.ad).effects == [.perform(.skipAd)])
    // No control moves when the text changes.
    let box = stage.box(.ad)
    stage.facts.ad = AdFacts(number: 9, secondsToSkip: 99)
    stage.refresh()
    #expect(stage.box(.ad) == box)
    stage.facts.ad = nil
    stage.refresh()
    #expect(stage.bar.layout?.boxes[.ad] == nil)
  }

  @Test(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  func looksAsItDid() throws {
    let screen = try GoldenScreen(StreamGoldenTests.size)
    func canvas(_ name: String, _ screen: GoldenScreen?) -> Canvas {
      let measure: TextMeasure = screen.map { screen in { screen.painter.measure($0, $1) } } ?? ControlStage.measure
      let stage = Self.stage(name == "ad" ? AdFacts(number: 1, secondsToSkip: 0) : nil)
      _ = stage.bar.advance(
        to: MonotonicTime(nanoseconds: 3_000_000_000), stage.facts, size: StreamGoldenTests.size, scale: 1,
        measure: measure)
      var canvas = Canvas()
      stage.bar.picture?.draw(on: &canvas, measure: measure)
      return canvas
    }
    for name in ["ad", "ad-breaks"] {
      let isGolden = try screen.isGolden(name, canvas(name, screen), measured: canvas(name, nil))
      #expect(isGolden, "\(name)")
    }
  }
}
