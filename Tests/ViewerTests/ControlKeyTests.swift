import Frames
import Overlay
import Render
import Testing
import Viewer
import Window

/// The bar under a keyboard: focus, menus, help.
@Suite struct ControlKeyTests {
  @Test func tabFocusesAllControls() {
    let stage = LiveControlTests.fullStage()
    var order: [Control?] = []
    for _ in 0...Control.allCases.count {
      #expect(stage.key(.tab).isTaken)
      order.append(stage.bar.focus)
    }
    #expect(order == Control.allCases + [.slider], "and begins anew")
    var back: [Control?] = []
    for _ in 1...Control.allCases.count {
      stage.key(.tab, .shift)
      back.append(stage.bar.focus)
    }
    #expect(back == Control.allCases.reversed())
    #expect(stage.key(.escape).isTaken && stage.bar.focus == nil)
    #expect(!stage.key(.escape).isTaken, "the next one leaves full screen")
    stage.key(.tab, .shift)
    #expect(stage.bar.focus == .fullscreen, "from the view backwards: the last")
    // The pointer clears the focus.
    stage.click(.loop)
    #expect(stage.bar.focus == nil)
    // A control without room in a narrower window loses the focus.
    stage.key(.tab, .shift)
    stage.key(.tab, .shift)
    #expect(stage.bar.focus == .mini)
    stage.size = PictureSize(width: 320, height: 180)
    stage.refresh()
    #expect(stage.bar.focus == nil && stage.bar.layout?.boxes[.mini] == nil)
  }

  @Test func focusIsVisible() {
    let stage = LiveControlTests.fullStage()
    for control in Control.allCases {
      stage.key(.tab)
      let rings = stage.drawn().items.compactMap { item -> Canvas.Box? in
        if case .rectangle(let box, ControlColors.usual.focus, _, let border) = item, border >= 1 { box } else { nil }
      }
      #expect(rings == [stage.box(control)], "\(control)")
    }
  }

  @Test func keysActivateTheFocusedControl() {
    for key in [Key.enter, .space, .keypadEnter] {
      let stage = ControlStage()
      #expect(!stage.key(key).isTaken, "without focus \(key) keeps its binding")
      while stage.bar.focus != .loop { stage.key(.tab) }
      #expect(stage.key(key) == ControlAnswer(effects: [.perform(.loop)], isTaken: true))
      #expect(stage.bar.focus == .loop)
      #expect(stage.send(.key(key, .repeated, [])) == ControlAnswer(effects: [], isTaken: true), "held down: once")
      #expect(!stage.send(.key(key, .released, [])).isTaken)
      // Other keys keep their bindings.
      #expect(!stage.key(.right).isTaken && !stage.key(.p).isTaken && !stage.key(key, .control).isTaken)
    }
  }

  @Test func arrowsMoveTheFocusedSlider() {
    let stage = ControlStage()
    #expect(!stage.key(.right).isTaken)
    stage.key(.tab)
    for (key, seconds) in [(Key.right, 5), (.left, -5), (.up, 60), (.down, -60)] {
      #expect(stage.key(key).effects == [.perform(.skip(seconds))])
      #expect(stage.send(.key(key, .repeated, [])).effects == [.perform(.skip(seconds))], "repeats while held")
    }
    #expect(!stage.key(.space).isTaken, "it still plays and pauses")
  }

  @Test func boundTabDoesNotFocus() throws {
    let stage = ControlStage(keys: try KeyBindings("tab loop\n", file: "keys"))
    #expect(!stage.key(.tab).isTaken && stage.bar.focus == nil)
    #expect(stage.key(.tab, .shift).isTaken && stage.bar.focus == .fullscreen)
    #expect(stage.key(.tab).isTaken && stage.bar.focus == .slider, "it moves an existing focus")
  }

  /// Releases, and keys with Ctrl, Alt or Cmd, are passed on.
  @Test(arguments: KeyFocus.Mode.allCases)
  func otherKeysArePassed(mode: KeyFocus.Mode) {
    for key in Key.allCases {
      #expect(KeyFocus.command(for: key, .released, [], mode, isBound: false) == nil)
      for modifiers: Modifiers in [.control, .alt, .command, [.control, .shift]] {
        #expect(KeyFocus.command(for: key, .pressed, modifiers, mode, isBound: false) == nil)
      }
      if mode == .view, key != .tab { #expect(KeyFocus.command(for: key, .pressed, [], mode, isBound: false) == nil) }
      // Caps lock and num lock count for nothing.
      #expect(
        KeyFocus.command(for: key, .pressed, Modifiers(rawValue: 48), mode, isBound: false)
          == KeyFocus.command(for: key, .pressed, [], mode, isBound: false))
    }
  }

  // MARK: Menus

  @Test func keysMoveInAMenu() throws {
    let stage = ControlStage()
    stage.facts.stereo = .topBottom
    stage.refresh()
    while stage.bar.focus != .stereo { stage.key(.tab) }
    stage.key(.enter)
    let open = try #require(stage.bar.menu)
    #expect(open.menu.control == .stereo && open.choice == .stereo(.topBottom), "begins at the current item")
    stage.key(.down)
    #expect(stage.bar.menu?.choice == .stereo(.sideBySide))
    stage.key(.down)
    #expect(stage.bar.menu?.choice == .stereo(.mono), "the first comes after the last")
    stage.key(.up)
    #expect(stage.bar.menu?.choice == .stereo(.sideBySide))
    stage.key(.home)
    #expect(stage.bar.menu?.choice == .stereo(.mono))
    stage.key(.end)
    #expect(stage.key(.enter) == ControlAnswer(effects: [.choose(.stereo(.sideBySide))], isTaken: true))
    #expect(stage.bar.menu == nil && stage.bar.focus == .stereo)
    stage.key(.enter)
    #expect(stage.key(.escape) == ControlAnswer(effects: [], isTaken: true) && stage.bar.menu == nil)
    #expect(stage.bar.focus == .stereo, "Escape closes the menu first")
    stage.key(.enter)
    stage.key(.tab)
    #expect(stage.bar.menu == nil && stage.bar.focus == .goggles)
  }

  @Test func pointerChoosesInAMenu() throws {
    let stage = ControlStage()
    #expect(stage.click(.speed).effects.isEmpty)
    let open = try #require(stage.bar.menu)
    #expect(open.menu.items.filter(\.isCurrent).map(\.choice) == [.rate(1)])
    for (row, item) in open.menu.items.enumerated() {
      let place = open.layout.row(row).center
      stage.move(place.x, place.y)
      #expect(stage.bar.menu?.choice == item.choice)
      #expect(stage.texts.contains(item.title))
    }
    stage.button(true)
    #expect(stage.button(false) == ControlAnswer(effects: [.choose(.rate(4))], isTaken: true))
    #expect(stage.bar.menu == nil)
    // A click beside it closes it and does nothing else, on the view or on a control.
    for place in [Canvas.Point(300, 300), stage.box(.loop).center, stage.box(.speed).center] {
      stage.click(.speed)
      #expect(stage.bar.menu != nil)
      stage.move(place.x, place.y)
      #expect(stage.button(true) == ControlAnswer(effects: [], isTaken: true))
      #expect(stage.button(false) == ControlAnswer(effects: [], isTaken: true))
      #expect(stage.bar.menu == nil)
    }
  }

  @Test(arguments: [Control.speed, .quality, .projection, .stereo])
  func menusMarkTheCurrentItem(control: Control) throws {
    var facts = ControlFacts()
    (facts.projection, facts.stereo, facts.rate) = (.fisheye, .sideBySide, 1.5)
    facts.qualities = ControlFacts.Qualities(titles: ["360p", "720p"], names: ["360p", "720p"], fixed: 1)
    let menu = try #require(Menu(control, facts))
    #expect(menu.items.filter(\.isCurrent).count == 1 && Set(menu.items.map(\.choice)).count == menu.items.count)
    #expect(Set(menu.items.map(\.title)).count == menu.items.count)
    facts.rate = 1.1
    #expect(Menu(.speed, facts)?.items.contains(where: \.isCurrent) == false, "none of them")
    #expect(Menu(.loop, facts) == nil && control.purpose == .openMenu)
  }

  /// Menus of any length lie in windows of any size, and all of their items can be reached.
  @Test(arguments: ["320x180", "640x360", "1280x720", "3840x2160"], [1, 2, 9, 60])
  func menusLieInTheWindow(text: String, count: Int) throws {
    let size = try #require(PictureSize(text))
    var facts = ControlFacts()
    facts.duration = MediaTime(seconds: 60)
    let layout = ControlLayout(
      ControlRoom(size: size, scale: 1, facts: facts), measure: ControlStage.measure)
    for control in [Control.speed, .fullscreen, .play] {
      let items = (0..<count).map { Menu.Item("choice number \($0)", .rate(Double($0)), isCurrent: $0 == count / 2) }
      let menu = Menu(control, items)
      let place = MenuLayout(menu, layout, measure: ControlStage.measure)
      #expect(
        place.box.lies(in: Canvas.Box(left: 0, top: 0, width: Double(size.width), height: Double(size.height))))
      #expect((0..<place.rowCount).allSatisfy { place.row($0).lies(in: place.box) } && place.rowHeight >= 16)
      #expect(place.rowCount == count || count > 9)
      var open = OpenMenu(menu, place, in: layout.room)
      var seen: Set<Int> = []
      for _ in 0..<count {
        seen.insert(open.highlighted)
        #expect((open.top..<open.top + place.rowCount).contains(open.highlighted))
        #expect(open.item(at: place.row(open.highlighted - open.top).center) == open.highlighted)
        open.move(1)
      }
      #expect(seen.count == count)
      open.scroll(-1000)
      #expect(open.top == 0)
      open.scroll(1000)
      #expect(open.top + place.rowCount == count)
    }
  }

  // MARK: Help

  @Test func helpListsAllKeys() {
    let rows = HelpSheet.rows(KeyBindings())
    for row in ViewerAction.table {
      if case .jump = row.action { continue }
      let found = rows.first { $0.help == row.help }
      #expect(row.keys.allSatisfy { found?.keys.contains(Tooltip.shown("\($0)")) == true }, "\(row.name)")
    }
    #expect(rows.contains { $0.keys == "0 … 9" } && rows.contains { $0.keys.contains("Tab") })
  }

  @Test func helpListsTheUsersKeys() throws {
    let rows = HelpSheet.rows(try KeyBindings("f12 loop\no none\n3 none\nc none\n", file: "keys"))
    #expect(rows.contains { $0.keys == "F12" && $0.help == ViewerAction.loop.help })
    #expect(!rows.contains { $0.help == ViewerAction.screenshot.help }, "it has no key")
    #expect(rows.contains { $0.keys == "4" } && !rows.contains { $0.keys == "3" || $0.keys == "0 … 9" })
  }

  @Test(arguments: ["320x180", "480x270", "640x360", "1280x720", "1920x1080", "3840x2160"], [1, 1.5, 2])
  func helpFitsTheWindow(text: String, scale: Double) throws {
    let size = try #require(PictureSize(text))
    let rows = HelpSheet.rows(KeyBindings())
    let sheet = HelpSheet(rows, size: size, scale: scale, measure: ControlStage.measure)
    let window = Canvas.Box(left: 0, top: 0, width: Double(size.width), height: Double(size.height))
    #expect(sheet.box.lies(in: window) && sheet.style.height >= 16)
    #expect(sheet.pages.allSatisfy { (1...3).contains($0.count) })
    if scale == 1, size.width >= 640 { #expect(sheet.pages[0].count >= 2) }
    if scale == 1, size.width >= 1280 { #expect(sheet.pages.count == 1 && sheet.pages[0].count >= 2) }
    var told: [String] = []
    for page in sheet.pages.indices {
      var canvas = Canvas()
      sheet.draw(page, on: &canvas)
      for case .text(let text, let style, let place, _, .left) in canvas.items {
        told.append(text)
        let extent = ControlStage.measure(text, style)
        #expect(
          Canvas.Box(left: place.x, top: place.y, width: Double(extent.width), height: Double(extent.height))
            .lies(in: sheet.box), "'\(text)' at \(place)")
      }
    }
    let all = told.joined(separator: " ")
    for word in rows.flatMap({ $0.help.split(separator: " ") }) { #expect(all.contains(word)) }
  }

  @Test func helpCloses() {
    let stage = ControlStage(width: 320, height: 180)
    stage.bar.toggleHelp()
    stage.refresh()
    #expect(stage.bar.picture?.help?.page == 0)
    // The key that opened it is bound, and not taken here.
    #expect(!stage.key(.h).isTaken)
    stage.key(.down)
    #expect(stage.bar.helpPage == 1)
    stage.key(.end)
    #expect(stage.bar.helpPage == (stage.bar.help?.pages.count ?? 0) - 1)
    stage.send(.scroll(right: 0, up: 100))
    #expect(stage.bar.helpPage == 0)
    #expect(stage.key(.escape).isTaken && stage.bar.helpPage == nil && stage.bar.picture?.help == nil)
    stage.bar.toggleHelp()
    stage.move(100, 100)
    #expect(stage.button(true).isTaken && stage.bar.helpPage == nil && stage.button(false).isTaken)
    stage.bar.toggleHelp()
    stage.bar.toggleHelp()
    #expect(stage.bar.helpPage == nil)
    // It stays when the bar hides, and the pointer with it.
    stage.bar.toggleHelp()
    for _ in 0..<5 { stage.refresh(after: 1) }
    #expect(!stage.bar.isShown && stage.bar.picture?.help != nil && !stage.bar.hidesPointer)
  }
}
