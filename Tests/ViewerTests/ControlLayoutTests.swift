import Foundation
import Frames
import Overlay
import Playback
import Support
import Testing
import Viewer

/// Positions of controls in windows of all sizes.
@Suite struct ControlLayoutTests {
  private static let sizes = [
    "320x180", "320x720", "480x270", "640x360", "853x480", "1280x720", "1920x1080", "2560x1080", "3840x2160",
  ]

  private func layout(
    _ size: PictureSize, _ scale: Double, seconds: Double? = 3725, subtitles: Bool = true, streams: Bool = true,
    live: Bool = false
  )
    -> ControlLayout
  {
    var facts = ControlFacts()
    facts.files.count = 3
    if subtitles { facts.subtitles = [0: "English"] }
    if streams { facts.qualities = ControlFacts.Qualities(titles: ["1080p · 5 Mbit/s"], names: ["1080p"]) }
    facts.duration = seconds.map { MediaTime(seconds: $0) }
    if live { (facts.live, facts.ad) = (LiveWindowTests.window(place: 322), AdFacts(number: 1)) }
    return ControlLayout(
      ControlRoom(size: size, scale: scale, facts: facts), measure: ControlStage.measure)
  }

  @Test(arguments: sizes, [1, 1.5, 2])
  func controlsLieInTheWindowWithoutOverlap(text: String, scale: Double) throws {
    let size = try #require(PictureSize(text))
    let window = Canvas.Box(left: 0, top: 0, width: Double(size.width), height: Double(size.height))
    for (seconds, others, live) in [(3725.0, true, false), (9, false, false), (nil, true, false), (nil, true, true)] {
      let layout = layout(size, scale, seconds: seconds, subtitles: others, streams: others, live: live)
      #expect(layout.bar.lies(in: window) && layout.bar.height <= 0.42 * window.height)
      let boxes = layout.controls.compactMap { control in layout.boxes[control].map { (control, $0) } }
      for (index, (control, box)) in boxes.enumerated() {
        #expect(box.lies(in: layout.bar), "\(control)")
        #expect(min(box.width, box.height) >= 24, "\(control) is \(box.width) wide and \(box.height) high")
        for (other, box2) in boxes[..<index] { #expect(!box.overlaps(box2), "\(control) and \(other)") }
        // Whole pixels: edges are sharp.
        #expect([box.left, box.top, box.width, box.height].allSatisfy { $0 == $0.rounded() }, "\(control)")
      }
      #expect(layout.boxes[.play] != nil && (layout.boxes[.slider] != nil) == (seconds != nil || live))
      #expect((layout.boxes[.nextFile] != nil) == (layout.boxes[.previousFile] != nil))
      #expect(layout.style.text.height >= 16, "letters are 13 pixels high, which their lines exceed by a fifth")
    }
  }

  /// A narrower window shows a subset, in the order of `leaving`.
  @Test func lessImportantControlsLeaveFirst() {
    #expect(Set(Control.leaving.joined()).union([.slider, .play]) == Set(Control.allCases))
    var before: Set<Control>?
    for width in (60...1600).reversed() {
      let shown = Set(layout(PictureSize(width: width, height: 720), 1, live: true).boxes.keys)
      if let before { #expect(shown.isSubset(of: before), "\(width)") }
      before = shown
      let isThere = Control.leaving.map { !shown.isDisjoint(with: $0) }
      #expect(isThere == isThere.sorted { !$0 && $1 }, "at \(width): \(shown)")
      for group in Control.leaving { #expect(shown.isSuperset(of: group) || shown.isDisjoint(with: group)) }
    }
    #expect(layout(PictureSize(width: 1600, height: 720), 1, live: true).controls == Control.allCases)
    let small = layout(PictureSize(width: 320, height: 180), 1, seconds: 240).boxes
    #expect([.play, .time, .fullscreen, .slider].allSatisfy { small[$0] != nil })
  }

  @Test func tinyWindowsHaveALayout() {
    for (width, height) in [(1, 1), (16, 9), (60, 33), (5000, 20)] {
      let layout = layout(PictureSize(width: width, height: height), 2)
      #expect(layout.bar.height <= Double(height) && layout.bar.top >= 0)
    }
    for scale in [0, -1, .nan, .infinity] {
      let style = ControlStyle(size: PictureSize(width: 640, height: 360), scale: scale)
      #expect(style.unit > 0.1 && style.unit < 10)
    }
  }

  /// Random hands on the whole bar, in windows of every size and scale: positions are finite, and nothing traps.
  @Test func everySizeCanBeUsed() {
    var random = SeededGenerator(for: "everySizeCanBeUsed")
    func side(_ random: inout SeededGenerator) -> Int {
      Int(exp2(Double.random(in: 0...14, using: &random)).rounded())
    }
    let small = (1...48).flatMap { height in [1, 30, 640, 16384].map { PictureSize(width: $0, height: height) } }
    let others = (0..<200).map { _ in PictureSize(width: side(&random), height: side(&random)) }
    for size in small + others {
      let stage = ControlStage(width: size.width, height: size.height)
      stage.scale = Double.random(in: 0.5...4, using: &random)
      stage.refresh()
      for _ in 0..<12 {
        let (x, y) = (Double.random(in: -2...Double(size.width) + 2, using: &random), Double(size.height))
        stage.move(x, Bool.random(using: &random) ? y * 0.9 : Double.random(in: 0...y, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: stage.key([.tab, .enter, .escape, .down, .right].randomElement(using: &random) ?? .tab)
        case 1, 2: stage.button(Bool.random(using: &random))
        case 3: stage.send(.scroll(right: 0, up: Double.random(in: -3...3, using: &random)))
        default: stage.refresh(after: 0.6)
        }
        _ = stage.drawn()
      }
      guard let layout = stage.bar.layout else { continue }
      let edges = layout.boxes.values.flatMap { [$0.left, $0.top, $0.width, $0.height] }
      #expect(edges.allSatisfy { $0.isFinite }, "\(size), scale \(stage.scale)")
      let volumes = [0, Double(size.width) / 2, Double(size.width)].compactMap { layout.volume(at: $0) }
      let areShares = volumes.allSatisfy { $0 >= 0 && $0 <= 1 }
      #expect(areShares, "\(size), scale \(stage.scale)")
    }
  }

  @Test func hitTestMatchesTheBoxes() {
    let layout = layout(PictureSize(width: 1600, height: 720), 1, live: true)
    var found: Set<Control> = []
    for y in stride(from: layout.bar.top - 10, to: 720, by: 1) {
      for x in stride(from: 0.0, to: 1600, by: 3) {
        let point = Canvas.Point(x, y)
        let expected = Control.allCases.first { layout.boxes[$0]?.contains(point) == true }
        #expect(layout.control(at: point) == expected)
        if let expected { found.insert(expected) }
      }
    }
    #expect(found == Set(Control.allCases))
  }

  // MARK: The slider

  /// From a pixel to its time and back, for every pixel; and a time lies half a pixel from its pixel's at most.
  @Test func pixelsAndTimesRoundTrip() {
    var random = SeededGenerator(for: "pixelsAndTimesRoundTrip")
    for _ in 0..<200 {
      let width = Int.random(in: 2...3840, using: &random)
      let duration = MediaTime(nanoseconds: Int64.random(in: 1_000_000...20_000_000_000_000, using: &random))
      let left = Int.random(in: 0...40, using: &random)
      let track = SliderTrack(left: left, width: width, duration: duration)
      for pixel in [0, 1, width / 2, width - 2, width - 1, Int.random(in: 0..<width, using: &random)] where pixel >= 0 {
        let time = track.slider.time(atPixel: pixel)
        #expect(track.pixel(of: time) == pixel, "seed \(random.seed): \(pixel) of \(width), \(duration)")
        for part in [0, 0.5, 0.999] {
          #expect(track.pixel(at: Double(left + pixel) + part) == pixel && track.time(at: Double(left + pixel)) == time)
        }
      }
      let time = MediaTime(nanoseconds: Int64.random(in: 0...duration.nanoseconds, using: &random))
      let back = track.slider.time(atPixel: track.pixel(of: time))
      let step = Double(duration.nanoseconds) / Double(width - 1)
      #expect(abs(Double((back - time).nanoseconds)) <= step / 2 + 1, "seed \(random.seed)")
    }
    let track = SliderTrack(left: 10, width: 100, duration: MediaTime(seconds: 10))
    #expect(
      track.time(at: -500) == .zero && track.time(at: 1e9) == MediaTime(seconds: 10) && track.time(at: .nan) == .zero)
    #expect(track.pixel(of: MediaTime(seconds: -1)) == 0 && track.pixel(of: MediaTime(seconds: 99)) == 99)
  }

  @Test(arguments: sizes, [1, 1.5, 2])
  func wholeTrackIsReachable(text: String, scale: Double) throws {
    let layout = layout(try #require(PictureSize(text)), scale)
    let (track, box) = (try #require(layout.track), try #require(layout.boxes[.slider]))
    #expect(Double(track.left) >= box.left && Double(track.left + track.slider.width) <= box.right)
    #expect(track.time(at: box.left) == .zero && track.time(at: box.right - 1) == MediaTime(seconds: 3725))
    // The same on both sides.
    #expect(track.left + track.slider.width + track.left == layout.room.size.width)
  }

  // MARK: Texts

  @Test(arguments: [
    (3.99, 240.0, false, "0:03 / 4:00"), (3.99, 240, true, "−3:57 / 4:00"), (61, 3725, false, "0:01:01 / 1:02:05"),
    (0, 10, true, "−0:10 / 0:10"), (12, 10, true, "−0:00 / 0:10"), (-1, 10, false, "0:00 / 0:10"),
    (59.9999, 60.5, false, "0:59 / 1:00"),
  ])
  func clockTexts(place: Double, duration: Double, showsRemaining: Bool, text: String) {
    #expect(
      ClockText.time(MediaTime(seconds: place), of: MediaTime(seconds: duration), showsRemaining: showsRemaining)
        == text)
  }

  @Test func withoutADurationOnlyElapsedTimeIsShown() {
    #expect(ClockText.time(MediaTime(seconds: 75), of: nil, showsRemaining: true) == "1:15")
    #expect(ClockText.time(MediaTime(seconds: 3675), of: nil, showsRemaining: false) == "1:01:15")
  }

  // MARK: Colours

  /// By WCAG 2.1, of colours as they stand on the display: over white and over black views.
  private func contrast(_ text: Canvas.Color, on layers: [Canvas.Color], over view: Double) -> Double {
    func luminance(_ rgb: [Double]) -> Double {
      let linear = rgb.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
    func blend(_ color: Canvas.Color, over ground: [Double]) -> [Double] {
      zip([color.red, color.green, color.blue], ground).map { $0 * color.alpha + $1 * (1 - color.alpha) }
    }
    let ground = layers.reduce([view, view, view]) { blend($1, over: $0) }
    let (one, other) = (luminance(blend(text, over: ground)), luminance(ground))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  @Test(arguments: [false, true], [0, 0.5, 1])
  func textIsLegible(isHighContrast: Bool, view: Double) {
    let (colors, ratio) = isHighContrast ? (ControlColors.highContrast, 7.0) : (.usual, 4.5)
    for text in [colors.text, colors.accent] {
      for ground in [
        [colors.panel], [colors.panel, colors.hover], [colors.panel, colors.pressed], [colors.sheet],
        [colors.sheet, colors.pressed],
      ] {
        #expect(contrast(text, on: ground, over: view) >= ratio, "\(text) on \(ground)")
      }
    }
    // The focus ring is no text: 3 : 1.
    #expect(contrast(colors.focus, on: [colors.panel], over: view) >= 3)
    #expect(contrast(.white, on: [.black], over: view).rounded() == 21, "the formula")
  }
}
