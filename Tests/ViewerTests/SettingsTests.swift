import Frames
import Media
import Overlay
import Testing
import Viewer

/// The settings file, remembered positions, chapters and the A–B loop.
@Suite struct SettingsTests {
  @Test func fileSetsEverySetting() throws {
    let text = """
      # my settings
      remember-position no
      repeat all   # always
      shuffle yes
      inertia no
      volume 40%
      when-minimised audio
      audio-delay -0.2
      subtitle-delay -1.5
      subtitle-size 150%
      text-size 200
      media-controls no
      high-contrast yes
      language fr

      screenshot-folder ~/My Pictures
      """
    let settings = try ViewerSettings(text, file: "settings")
    #expect(
      settings.remembersPosition == .no && settings.repeats == .all && settings.isShuffled && !settings.hasInertia
        && settings.isHighContrast)
    #expect(settings.subtitleDelay == -1.5 && settings.subtitleSize == 1.5 && settings.textSize == 2)
    #expect(settings.volume == 0.4 && settings.hearsMinimised && settings.audioDelay == -0.2)
    #expect(!settings.hasMediaControls && ViewerSettings().hasMediaControls)
    #expect(settings.screenshotFolder == "~/My Pictures" && settings.language == .french)
    for row in ViewerSettings.table { #expect(text.contains("\n\(row.name) "), "\(row.name) is not tested") }
    #expect(try ViewerSettings("", file: "settings") == ViewerSettings())
    #expect(ViewerSettings().remembersPosition == .ask && ViewerSettings().textSize == 1)
  }

  @Test(arguments: [
    ("shuffle", "line 1: '' is no value of shuffle"),
    ("\nshuffle maybe", "line 2: 'maybe' is no value of shuffle, which takes yes|no"),
    ("repeat yes", "line 1: 'yes' is no value of repeat, which takes off|one|all"),
    ("text-size 10%", "line 1: '10%' is no value"), ("subtitle-delay nan", "line 1: 'nan' is no value"),
    ("volume 101%", "line 1: '101%' is no value of volume"), ("when-minimised stop", "line 1: 'stop' is no value"),
    ("audio-delay 11", "line 1: '11' is no value"), ("dance yes", "line 1: there is no setting 'dance'"),
  ])
  func errorsNameTheLine(text: String, cause: String) {
    let failure = #expect(throws: Failure.self) { try ViewerSettings(text, file: "mine") }
    #expect(failure?.kind == .usage && failure?.cause.hasPrefix(cause) == true, "\(failure?.cause ?? "")")
    #expect(failure?.attempt.contains("'mine'") == true)
  }

  @Test func positionsAreRememberedInsideTheClip() {
    var positions = ClipPositions()
    let minute = MediaTime(seconds: 60)
    positions.leave("/a b.mp4", at: MediaTime(seconds: 30.25), of: minute)
    #expect(positions.position(in: "/a b.mp4") == MediaTime(seconds: 30.25) && positions.position(in: "/a") == nil)
    #expect(ClipPositions(text: positions.text) == positions)
    for seconds in [2.0, 58] {
      positions.leave("/a b.mp4", at: MediaTime(seconds: 30), of: minute)
      positions.leave("/a b.mp4", at: MediaTime(seconds: seconds), of: minute)
      #expect(positions.position(in: "/a b.mp4") == nil, "\(seconds) s is near an end")
    }
    for path in ["https://me:secret@example.org/a.mp4", "/with\nbreak"] {
      positions.leave(path, at: MediaTime(seconds: 30), of: minute)
      #expect(positions.position(in: path) == nil)
    }
    positions.leave("/live", at: MediaTime(seconds: 30), of: nil)
    #expect(positions.position(in: "/live") == nil)
    for number in 0..<300 { positions.leave("/\(number)", at: MediaTime(seconds: 30), of: minute) }
    #expect(positions.position(in: "/299") != nil && positions.position(in: "/0") == nil)
    #expect(ClipPositions(text: "nan /x\n-1 /y\nfoo\n\n5\n").position(in: "/x") == nil)
  }

  @Test func abLoopRepeatsItsPart() {
    func at(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds) }
    var loop = ABLoop()
    #expect(loop.target(at: at(9), hasEnded: true) == nil && loop.notice() == "A–B loop: off")
    loop.press(at: at(5))
    #expect(loop.target(at: at(9), hasEnded: true) == nil && loop.notice() == "A–B loop: from 0:05")
    loop.press(at: at(12))
    #expect(loop.notice() == "A–B loop: 0:05 – 0:12")
    #expect(loop.target(at: at(11.9), hasEnded: false) == nil && loop.target(at: at(12), hasEnded: false) == at(5))
    #expect(loop.target(at: at(11), hasEnded: true) == at(5))
    loop.press(at: at(7))
    #expect(loop == ABLoop())
    loop.press(at: at(8))
    loop.press(at: at(3))
    #expect(loop.start == at(3) && loop.end == nil, "B before A begins anew")
  }

  private static let marks = SliderMarks(chapters: [
    Chapter(startSeconds: 0, title: "Start"), Chapter(startSeconds: 20), Chapter(startSeconds: 40, title: "Lake"),
  ])

  @Test func chaptersAreFound() {
    func next(_ way: Int, _ seconds: Double) -> Int? { Self.marks.chapter(way, from: MediaTime(seconds: seconds)) }
    #expect(next(1, 0) == 1 && next(1, 20) == 2 && next(1, 41) == nil)
    #expect(next(-1, 30) == 1 && next(-1, 21) == 0 && next(-1, 0) == 0)
    #expect(SliderMarks().chapter(1, from: .zero) == nil && SliderMarks().chapter(-1, from: .zero) == nil)
    #expect(Self.marks.title(2) == "Chapter 3 of 3: Lake" && Self.marks.title(1) == "Chapter 2 of 3")
  }

  @Test func sliderShowsChaptersAndLoop() throws {
    let stage = ControlStage()
    let before = stage.drawn()
    stage.facts.marks = Self.marks
    stage.facts.marks.loop.press(at: MediaTime(seconds: 15))
    stage.facts.marks.loop.press(at: MediaTime(seconds: 30))
    stage.refresh()
    let track = try #require(stage.bar.layout?.track)
    let pixels = [15, 20, 30, 40].map { track.pixel(of: MediaTime(seconds: $0)) }
    #expect(stage.bar.picture?.marks.chapters == [pixels[1], pixels[3]])
    #expect(stage.bar.picture?.marks.loop == [pixels[0], pixels[2]])
    #expect(stage.drawn().items.count == before.items.count + 5)
    // The preview names the chapter.
    stage.move(Double(track.left + track.pixel(of: MediaTime(seconds: 45))), stage.box(.slider).center.y)
    #expect(stage.texts.contains { $0.hasSuffix("· Lake") })
    stage.move(Double(track.left + track.pixel(of: MediaTime(seconds: 25))), stage.box(.slider).center.y)
    #expect(!stage.texts.contains { $0.contains("·") })
  }

  @Test func textSizeEnlargesControls() throws {
    let stage = ControlStage()
    let usual = stage.box(.play)
    stage.facts.window.textSize = 1.5
    stage.refresh()
    #expect(stage.box(.play).height > usual.height * 1.3)
    stage.facts.window.isHighContrast = true
    stage.refresh()
    #expect(
      stage.drawn().items.contains { if case .rectangle(_, Canvas.Color.black, _, 0) = $0 { true } else { false } })
  }

  @Test(arguments: [
    (1920.0, 1080.0, 1280, 720), (1080, 1920, 405, 720), (640, 480, 960, 720), (2560, 1080, 1280, 540),
    (100, 4000, 320, 720), (4000, 100, 1280, 180),
  ])
  func windowTakesTheClipsShape(width: Double, height: Double, windowWidth: Int, windowHeight: Int) {
    #expect(
      windowSize(forPicture: (width, height), in: PictureSize(width: 1280, height: 720))
        == PictureSize(width: windowWidth, height: windowHeight))
  }
}
