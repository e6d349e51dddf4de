import Frames
import Overlay
import Playback
import Render
import Testing
import Viewer
import Window

/// The bar under a pointer: visibility, picture, and the effects of clicks, drags and the wheel.
@Suite struct ControlBarTests {
  // MARK: Hiding

  @Test func hidesWithoutInput() {
    let stage = ControlStage()
    #expect(stage.bar.isShown && stage.bar.height > 0)
    stage.move(400, 200)
    stage.refresh(after: 2.9)
    #expect(stage.bar.isShown && !stage.bar.hidesPointer)
    let hasChanged = stage.refresh(after: 0.2)
    #expect(hasChanged && !stage.bar.isShown && stage.bar.picture == nil && stage.bar.height == 0)
    #expect(stage.bar.hidesPointer, "it plays")
    stage.facts.isPlaying = false
    stage.refresh()
    #expect(!stage.bar.isShown && !stage.bar.hidesPointer, "the pointer stays visible while paused")
    stage.move(401, 200)
    #expect(stage.bar.isShown && stage.bar.picture != nil)
  }

  @Test func keysKeepABarButDoNotShowIt() {
    let stage = ControlStage()
    for _ in 0..<5 {
      stage.refresh(after: 2)
      let answer = stage.key(.k)
      #expect(!answer.isTaken && stage.bar.isShown)
    }
    stage.refresh(after: 3.1)
    stage.key(.k)
    #expect(!stage.bar.isShown)
    stage.key(.tab)
    #expect(stage.bar.isShown && stage.bar.focus == .slider)
  }

  @Test func staysWhileInUse() {
    for use in 0..<4 {
      let stage = ControlStage()
      switch use {
      case 0: stage.point(at: .loop)
      case 1: stage.key(.tab)
      case 2:
        stage.click(.speed)
        stage.move(400, 100)
      default:
        stage.point(at: .slider)
        stage.button(true)
        stage.move(400, 100)
      }
      for _ in 0..<10 { stage.refresh(after: 1) }
      #expect(stage.bar.isShown, "\(use)")
      switch use {
      case 0: stage.send(.pointerLeft)
      case 1: stage.key(.escape)
      case 2: stage.key(.escape)
      default: stage.button(false)
      }
      stage.refresh(after: 2.5)
      #expect(stage.bar.isShown, "\(use): three seconds from then on")
      stage.refresh(after: 0.6)
      #expect(!stage.bar.isShown, "\(use)")
    }
  }

  @Test func togglesVisibility() {
    let stage = ControlStage()
    stage.point(at: .play)
    stage.bar.toggle(at: stage.now)
    stage.refresh()
    #expect(!stage.bar.isShown && stage.bar.picture == nil)
    stage.bar.toggle(at: stage.now)
    stage.refresh()
    #expect(stage.bar.isShown)
  }

  /// The view gets the input where the bar is hidden.
  @Test func hiddenBarPassesInput() {
    let stage = ControlStage()
    stage.point(at: .play)
    stage.bar.toggle(at: stage.now)
    stage.refresh()
    #expect(!stage.button(true).isTaken && !stage.button(false).isTaken)
    #expect(!stage.send(.scroll(right: 0, up: 1)).isTaken)
  }

  // MARK: What is drawn

  /// The picture changes only with its visible content.
  @Test func unchangedPictureIsNotRedrawn() {
    let stage = ControlStage()
    (stage.facts.duration, stage.facts.isPlaying) = (MediaTime(seconds: 3600), false)
    stage.facts.place = MediaTime(seconds: 100.01)
    stage.facts.loadedTo = stage.facts.place
    stage.refresh()
    stage.point(at: .loop)
    stage.refresh(after: 1)
    var changes = 0
    for _ in 0..<500 where stage.refresh() { changes += 1 }
    #expect(changes == 0, "paused")
    // An hour on 1242 pixels: three seconds are a pixel, and each second another text.
    stage.facts.isPlaying = true
    stage.refresh()
    for _ in 0..<600 {
      stage.facts.place = stage.facts.place + MediaTime(seconds: 1.0 / 60)
      stage.facts.loadedTo = stage.facts.place
      if stage.refresh(after: 1.0 / 60) { changes += 1 }
    }
    #expect((10...14).contains(changes), "\(changes) in ten seconds")
    stage.send(.pointerLeft)
    stage.refresh(after: 4)
    changes = 0
    for _ in 0..<100 {
      stage.facts.place = stage.facts.place + MediaTime(seconds: 5)
      if stage.refresh() { changes += 1 }
    }
    #expect(changes == 0, "hidden")
  }

  @Test func looksFollowThePlaybackState() {
    func icon(_ change: (inout ControlFacts) -> Void, _ control: Control) -> ControlLook {
      var facts = ControlFacts()
      change(&facts)
      return ControlLook(control, facts, time: "")
    }
    #expect(icon({ $0.isPlaying = true }, .play).icon == .pause && icon({ _ in }, .play).icon == .play)
    #expect(icon({ $0.isAtEnd = true }, .play).icon == .replay)
    #expect(icon({ $0.rate = 1.5 }, .speed).text == "1.5×" && icon({ $0.rate = 2 }, .speed).isOn)
    #expect(icon({ _ in }, .speed).text == "1×" && !icon({ _ in }, .speed).isOn)
    #expect(icon({ $0.window.isFullscreen = true }, .fullscreen).icon == .leaveFullScreen)
    #expect(!icon({ _ in }, .nextFile).isEnabled && icon({ $0.files.hasNext = true }, .nextFile).isEnabled)
    #expect(
      icon({ $0.files.repeats = .all }, .loop).isOn && icon({ $0.window.showsStatistics = true }, .statistics).isOn)
    #expect(icon({ $0.showsBothEyes = true }, .goggles).isOn && icon({ $0.window.isMini = true }, .mini).isOn)
    for control in Control.allCases where ![.slider, .volume].contains(control) {
      var facts = ControlFacts()
      if control == .live { facts.live = LiveWindowTests.window(place: 322) }
      if control == .ad { facts.ad = AdFacts(number: 1) }
      let look = ControlLook(control, facts, time: "0:00")
      #expect((look.icon == nil) != (look.text == nil), "\(control)")
    }
    let stage = ControlStage()
    stage.facts.place = MediaTime(seconds: 15)
    stage.facts.loadedTo = MediaTime(seconds: 15.5)
    stage.refresh()
    #expect(stage.texts.contains("0:15 / 1:00"))
    stage.bar.showsRemaining = true
    stage.refresh()
    #expect(stage.texts.contains("−0:45 / 1:00"))
    // 1242 pixels are a minute.
    #expect(stage.bar.picture?.knob == 310 && stage.bar.picture?.loadedTo == 321)
  }

  /// File buttons are always there, and greyed with one file; frame steps have glyphs of their own.
  @Test func fileButtonsAreGreyedWithOneFile() {
    let stage = ControlStage()
    stage.facts.files = .init()
    stage.refresh()
    for (control, icon) in [(Control.previousFile, Icon.previousFile), (.nextFile, .nextFile)] {
      let look = stage.bar.picture?.looks[control]
      #expect(stage.bar.layout?.boxes[control] != nil && look?.icon == icon && look?.isEnabled == false, "\(control)")
      #expect(stage.click(control).effects.isEmpty)
    }
    var drawings: [Canvas] = []
    for icon in Icon.allCases {
      var canvas = Canvas()
      canvas.icon(icon, in: Canvas.Box(left: 0, top: 0, width: 20, height: 20), .white)
      #expect(!drawings.contains(canvas), "\(icon) looks like another one")
      drawings.append(canvas)
    }
  }

  // MARK: Clicks and drags

  @Test func clickPerformsTheAction() {
    let stage = LiveControlTests.fullStage()
    for control in Control.allCases {
      guard case .act(let action) = control.purpose, control != .previousFile else { continue }
      let answer = stage.click(control)
      #expect(answer.isTaken && answer.effects == [.perform(action)], "\(control)")
    }
    #expect(stage.click(.previousFile) == ControlAnswer(effects: [], isTaken: true), "there is none")
  }

  @Test func releaseElsewhereHasNoEffect() {
    let stage = ControlStage()
    stage.point(at: .loop)
    #expect(stage.button(true) == ControlAnswer(effects: [], isTaken: true))
    stage.move(300, 300)
    #expect(stage.button(false) == ControlAnswer(effects: [], isTaken: true), "the view gets no release")
    // Between the controls nothing happens, and the view gets nothing.
    stage.move((stage.box(.time).right + stage.box(.mute).left) / 2, stage.box(.play).center.y)
    #expect(stage.button(true).isTaken && stage.button(false) == ControlAnswer(effects: [], isTaken: true))
  }

  @Test func dragOnTheSliderScrubs() throws {
    let stage = ControlStage()
    let track = try #require(stage.bar.layout?.track)
    let (x, y) = (Double(track.left), stage.box(.slider).center.y)
    stage.move(x + 100, y)
    #expect(
      stage.button(true).effects == [
        .beginScrubbing(ScrubSlider(duration: MediaTime(seconds: 60), width: track.slider.width)),
        .scrub(track.slider.time(atPixel: 100)),
      ])
    #expect(stage.move(x + 100.4, y).effects.isEmpty, "the same pixel")
    // Only the pointer's column counts, and the view does not get the button.
    let answer = stage.move(x + 700.9, 50)
    #expect(answer.effects == [.scrub(track.slider.time(atPixel: 700))])
    #expect(stage.bar.picture?.knob == 700, "the knob follows the pointer")
    #expect(stage.texts.contains { $0.hasPrefix(ClockText.text(track.slider.time(atPixel: 700), hours: false)) })
    #expect(stage.move(-50, 50).effects == [.scrub(.zero)])
    #expect(stage.button(false) == ControlAnswer(effects: [.endScrubbing], isTaken: true))
    #expect(stage.move(x + 300, y).effects.isEmpty)
  }

  @Test func dragFromTheViewStaysWithTheView() {
    let stage = ControlStage()
    stage.move(400, 300)
    #expect(stage.button(true) == ControlAnswer(effects: [], isTaken: false))
    stage.point(at: .slider)
    #expect(stage.bar.hovered == nil && stage.bar.picture?.hint == nil)
    #expect(stage.move(900, stage.box(.slider).center.y) == ControlAnswer(effects: [], isTaken: false))
    #expect(stage.button(false) == ControlAnswer(effects: [], isTaken: false))
  }

  @Test func anotherFileEndsADrag() {
    let stage = ControlStage()
    stage.point(at: .slider)
    stage.button(true)
    stage.bar.startOver()
    #expect(stage.move(500, 300).effects.isEmpty && stage.button(false).effects.isEmpty)
  }

  @Test func wheelSkipsOverTheSliderOnly() {
    let stage = ControlStage()
    stage.point(at: .slider)
    #expect(stage.send(.scroll(right: 0, up: 1)).effects == [.perform(.skip(5))])
    #expect(stage.send(.scroll(right: 0, up: -2)).effects == [.perform(.skip(-10))])
    // Parts of steps, as touchpads have them.
    let parts = (0..<4).map { _ in stage.send(.scroll(right: 0, up: 0.25)).effects }
    #expect(parts == [[], [], [], [.perform(.skip(5))]])
    stage.point(at: .play)
    #expect(stage.send(.scroll(right: 0, up: 1)) == ControlAnswer(effects: [], isTaken: true))
    stage.move(400, 300)
    #expect(stage.send(.scroll(right: 0, up: 1)) == ControlAnswer(effects: [], isTaken: false), "the view's")
    stage.point(at: .slider)
    #expect(stage.send(.scroll(right: 0, up: .nan)).effects.isEmpty)
  }

  // MARK: Previews and tooltips

  @Test func pointerShowsTimeAndThumbnail() throws {
    let stage = ControlStage()
    stage.thumbnail = SmallPicture(
      rgba: [UInt8](repeating: 9, count: 160 * 80 * 4), size: PictureSize(width: 160, height: 80), time: .zero)
    #expect(stage.asked.isEmpty, "the pointer was not over the slider")
    let track = try #require(stage.bar.layout?.track)
    let window = Canvas.Box(left: 0, top: 0, width: 1280, height: 720)
    for pixel in [0, 3, 620, track.slider.width - 1] {
      stage.move(Double(track.left + pixel), stage.box(.slider).center.y)
      #expect(stage.asked.last == track.slider.time(atPixel: pixel))
      #expect(stage.bar.picture?.hint?.text == ClockText.text(track.slider.time(atPixel: pixel), hours: false))
      let frames = stage.drawn().items.compactMap { if case .picture(_, let box, _, _) = $0 { box } else { nil } }
      let frame = try #require(frames.first)
      #expect(frame.lies(in: window))
      #expect(frame.width == 2 * frame.height && frame.bottom <= (stage.bar.layout?.bar.top ?? 0))
    }
    // A thumbnail that comes later is drawn once.
    stage.thumbnail = nil
    #expect(stage.refresh() && !stage.refresh())
    let count = stage.asked.count
    stage.point(at: .play)
    stage.refresh()
    #expect(stage.asked.count == count)
  }

  @Test func tooltipsAppearWhereThePointerRests() {
    let stage = ControlStage()
    stage.point(at: .loop)
    stage.refresh(after: 0.4)
    #expect(stage.bar.picture?.tip == nil)
    stage.move(stage.box(.loop).center.x + 2, stage.box(.loop).center.y)
    stage.refresh(after: 0.4)
    #expect(stage.bar.picture?.tip == nil, "the pointer moved")
    stage.refresh(after: 0.2)
    #expect(stage.bar.picture?.tip?.control == .loop)
    stage.move(stage.box(.loop).center.x, stage.box(.loop).center.y)
    #expect(stage.bar.picture?.tip?.control == .loop, "stays while the pointer rests")
    stage.point(at: .goggles)
    #expect(stage.bar.picture?.tip == nil)
    stage.refresh(after: 0.6)
    #expect(stage.bar.picture?.tip?.control == .goggles)
    stage.click(.goggles)
    stage.refresh(after: 5)
    #expect(stage.bar.picture?.tip == nil, "no tooltip after a click")
  }

  /// Tooltips have the table's words and the bound keys.
  @Test(arguments: Control.allCases)
  func tooltipsNameKeys(control: Control) throws {
    let text = Tooltip.text(for: control, KeyBindings())
    for action in control.actions {
      let row = try #require(ViewerAction.table.first { $0.action == action })
      #expect(text.lowercased().contains(row.help.lowercased()), "\(text)")
      for key in row.keys { #expect(text.contains(Tooltip.shown("\(key)")), "\(text)") }
    }
    #expect(!control.actions.isEmpty)
    let other = try KeyBindings("f12 loop\no none\n", file: "keys")
    #expect(Tooltip.text(for: .loop, other) == "Repeat: one clip, all, off · F12")
    let none = try KeyBindings("o none\n", file: "keys")
    #expect(Tooltip.text(for: .loop, none) == "Repeat: one clip, all, off")
  }

  @Test(arguments: ["320x180", "640x360", "1280x720"], Control.allCases)
  func tooltipsLieInTheWindow(text: String, control: Control) throws {
    let size = try #require(PictureSize(text))
    let stage = ControlStage(width: size.width, height: size.height)
    guard stage.bar.layout?.boxes[control] != nil else { return }
    while stage.bar.focus != control { stage.key(.tab) }
    stage.refresh(after: 0.6)
    #expect(stage.bar.picture?.tip?.control == control)
    let window = Canvas.Box(left: 0, top: 0, width: Double(size.width), height: Double(size.height))
    for item in stage.drawn().items {
      switch item {
      case .rectangle(let box, _, _, _): #expect(box.lies(in: window), "\(box)")
      case .text(let text, let style, let place, _, .left):
        let extent = ControlStage.measure(text, style)
        let box = Canvas.Box(
          left: place.x, top: place.y, width: Double(extent.width), height: Double(extent.height))
        #expect(box.lies(in: window), "'\(text)' at \(box)")
      default: break
      }
    }
  }

  @Test func linesBreakBetweenWords() {
    func wrapped(_ text: String, _ width: Double) -> String {
      Tooltip.wrapped(text, to: width, TextStyle(height: 10)) { text, _ in (text.count, 10) }
    }
    #expect(wrapped("one two three", 7) == "one two\nthree" && wrapped("one two three", 13) == "one two three")
    #expect(wrapped("incomprehensible it is", 5) == "incomprehensible\nit is" && wrapped("a\nb c", 1) == "a\nb\nc")
  }
}
