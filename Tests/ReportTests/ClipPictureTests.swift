import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// The measured clip on its page: its picture, and how often it was played.
@Suite struct ClipPictureTests {
  private static let frame = ClipPicture.frame(
    jpeg: [0xFF, 0xD8, 0xFF, 0xD9], size: PictureSize(width: 640, height: 360), seconds: 10.014)

  private static func html(_ picture: ClipPicture?, _ change: (inout Record) -> Void = { _ in }) -> String {
    var record = Sample.record()
    record.settings.geometry.pose = Pose.none
    change(&record)
    return Report(groups: RecordGroup.groups([record]), picture: picture).html
  }

  @Test func thePictureIsInThePageBelowTheAnswer() throws {
    let html = Self.html(Self.frame)
    let image =
      "<img src=\"data:image/jpeg;base64,/9j/2Q==\" width=\"640\" height=\"360\" alt=\"A frame of balloon, &quot;the&quot; tour.mp4\"/>"
    let place = try #require(html.firstRange(of: image)).lowerBound
    #expect(try #require(html.firstRange(of: "class=\"answer verdict")).lowerBound < place)
    #expect(place < (try #require(html.firstRange(of: "<nav"))).lowerBound)
    #expect(
      html.contains(
        "The measured clip at 10.01 s in the view of this run: pan −12.5°, tilt 0°, field of view 85°.</figcaption>"))
    #expect(html.contains("img-src data:") && html.matches(of: /src="/).count == 1)
  }

  @Test func theCaptionSaysHowTheRunDrewIt() {
    #expect(Self.html(Self.frame) { $0.settings.viewing.camera = "orbit" }.contains("in the first view of this run"))
    let rolled = Self.html(Self.frame) { $0.settings.viewing.view = Record.Settings.View(roll: 3) }
    #expect(rolled.contains("field of view 85°, roll 3°."))
    #expect(Self.html(Self.frame) { $0.settings.geometry.pose = nil }.contains("s, drawn flat as this run drew it."))
    #expect(
      Self.html(Self.frame) { $0.settings.viewing.view = nil }.contains(
        "This run drew no view: the picture is the whole"))
  }

  @Test func aMissingPictureHasItsReason() {
    let html = Self.html(.missing(reason: "its <file> is not at hand"))
    #expect(
      html.contains("There is no picture of the clip: its &lt;file&gt; is not at hand.") && !html.contains("<img"))
    #expect(!Self.html(nil).contains("picture of the clip"))
  }

  @Test(.tier(.test), .enabled("no python3") { PythonJudge.hasCSV || PythonJudge.isRequired })
  func aPageWithAPictureIsWellFormed() throws {
    try TestFiles.withTemporaryFolder { folder in
      let url = folder.appending(path: "page.html")
      try Data(Self.html(Self.frame).utf8).write(to: url)
      let result = try PythonJudge.run(Pages.judge, module: "xml.etree.ElementTree, html.parser", [url.path])
      #expect(result.status == 0 && result.output == "", "\(result.output)")
    }
  }

  @Test func thePageSaysWhatBench360Is() throws {
    for page in try Pages.all() {
      #expect(page.html.contains("bench360 measures how well a machine turns compressed video"))
    }
  }

  // MARK: Loops

  private static func note(frames: Int?, _ scenarios: [Record.Scenario]) -> String? {
    var record = Sample.record(scenarios: scenarios)
    record.input.frames = frames
    record.input.durationSeconds = 2
    let html = Report(groups: RecordGroup.groups([record])).html
    return html.firstMatch(of: /The clip has [^<]*/).map { String($0.0) }
  }

  private static func scenario(_ name: String, variant: String? = nil, _ counters: [[String: Int?]]) -> Record.Scenario
  {
    Record.Scenario(name: name, variant: variant, trials: counters.map { Sample.trial([:], counters: $0) })
  }

  @Test func aClipThatWasPlayedAgainIsNoted() {
    let decode = Self.scenario("decode", [["decoded_frames": 300], ["decoded_frames": 310], ["decoded_frames": 290]])
    let play = Self.scenario("play", [["presented": 280, "dropped": 15, "skipped": 5]])
    let pipeline = Self.scenario("pipeline", variant: "direct", [["presented": 105]])
    #expect(
      Self.note(frames: 60, [decode, play])
        == "The clip has 60 frames (2 s); each trial of decode and play played it about 5 times.")
    #expect(
      Self.note(frames: 60, [decode, pipeline])
        == "The clip has 60 frames (2 s); each trial of decode played it about 5 times; each trial of pipeline played it about 1.8 times."
    )
    // Earlier builds counted no decoded frames.
    let old = Record.Scenario(
      name: "decode",
      trials: [Sample.trial(["decode_latency_ms": Sample.samples(9, count: 240)], counters: ["wrong_frame": 0])])
    #expect(Self.note(frames: 60, [old])?.hasSuffix("each trial of decode played it about 4 times.") == true)
  }

  @Test func aClipThatWasPlayedOnceIsNotNoted() {
    let decode = Self.scenario("decode", [["decoded_frames": 60]])
    #expect(Self.note(frames: 60, [decode]) == nil)
    #expect(Self.note(frames: 58, [decode]) == nil, "the display shows a few frames of the next pass")
    #expect(Self.note(frames: nil, [decode]) == nil && Self.note(frames: 0, [decode]) == nil)
    #expect(Self.note(frames: 1, [decode]) == nil, "a still picture")
    // What these decode says nothing about the clip's end.
    for name in ["scrub", "startup", "stream", "render", "unheard of"] {
      #expect(Self.note(frames: 60, [Self.scenario(name, [["presented": 600]])]) == nil, "\(name)")
    }
  }
}
