import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

@Suite struct PageTests {
  // MARK: What it says

  /// The page without its style and its tags, a line for each piece of text.
  static func text(_ html: String) -> String {
    html.replacing(/<style>[^<]*<\/style>/, with: "").replacing(/<[^>]*>/, with: "\n").split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }.map { $0 + "\n" }.joined()
  }

  @Test func matchesItsGoldens() throws {
    let pages = [
      "page": Report(groups: RecordGroup.groups([Sample.record()])),
      "page-decode-only": Report(groups: RecordGroup.groups([Sample.decodeOnly])),
      "page-comparison": try Pages.full(), "page-stream": Pages.stream(),
    ]
    for (name, page) in pages {
      let text = Self.text(page.html)
      #expect(text == (try TestFiles.golden(name, rewritingWith: text)), "\(name)")
    }
  }

  @Test func theAnswerComesFirst() throws {
    let text = Self.text(Report(groups: RecordGroup.groups([Sample.record()])).html)
    let answer = try #require(text.firstRange(of: "Drops 2 of 150 frames"))
    for later in ["Contents", "Frame times over the run", "governor_powersave"] {
      if let range = text.firstRange(of: later) { #expect(answer.lowerBound < range.lowerBound, "\(later)") }
    }
    let compared = Self.text(try Pages.full().html)
    #expect(
      try #require(compared.firstRange(of: "regression")).lowerBound
        < compared.index(compared.startIndex, offsetBy: 900))
  }

  /// Unknown is n/a, and never 0.
  @Test func whatIsNotKnownIsNotZero() throws {
    let html = Report(groups: RecordGroup.groups([Sample.record()])).html
    let row = try #require(html.firstMatch(of: /gpu_memory_mib<\/code><\/th>(.*)<\/tr>/))
    #expect(row.1.contains("n/a") && !row.1.contains(">0<"))
    #expect(html.contains("<code>wrong_frame</code></th><td class=\"n\">n/a<"))
  }

  @Test func sectionsWithNothingToSayAreLeftOut() {
    let html = Report(groups: RecordGroup.groups([Sample.decodeOnly])).html
    for title in ["Pacing", "First picture", "Seeking", "History", "Distributions", "Frame times"] {
      #expect(!html.contains(">\(title)"), "\(title)")
    }
    #expect(html.contains(">Machine and settings<") && html.contains("ended early"))
  }

  /// All records of a clip, and what the sections about the newest leave out.
  @Test func everyRecordIsListed() throws {
    var older = Sample.record(
      scenarios: Sample.scenarios + [Sides.scenario("scrub", variant: "random/exact", ["seek_latency_ms": [5, 6, 7]])])
    older.created = Past.day(-100)
    older.label = "older one"
    let text = Self.text(Report(groups: RecordGroup.groups([Sample.record(), older])).html)
    #expect(text.contains("The other sections show the newest of 2 records"))
    #expect(text.contains("what only older records have: scrub random/exact."))
    #expect(text.contains("older one") && text.contains("scrub random/exact 6.00 ms"), "\(text)")
    #expect(!Self.text(Report(groups: RecordGroup.groups([older])).html).contains("Records\n"))
    let many = Self.text(Pages.past(130).html)
    #expect(many.contains("30 older records are left out of the table."))
  }

  @Test func warningsStandWithTheirRemedies() {
    let html = Report(groups: RecordGroup.groups([Sample.record()])).html
    #expect(html.contains("sudo cpupower frequency-set") && html.contains("<strong>steal_time</strong>"))
  }

  // MARK: What it is made of

  @Test func itAsksTheNetworkForNothing() throws {
    for page in [Report(groups: RecordGroup.groups([Sample.record()])), try Pages.full(), try Pages.hostile()] {
      let html = page.html.replacingOccurrences(of: "http-equiv", with: "")
      for word in ["http", "//", "@import", "url(", "<script", "<link", "<img", "<iframe", "javascript:", "src="] {
        #expect(!html.contains(word), "\(word)")
      }
      #expect(html.contains("default-src &#39;none&#39;"))
    }
  }

  @Test func whatRecordsSayStaysText() throws {
    let html = try Pages.hostile().html
    #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    #expect(
      !html.contains("<b>") && !html.contains("onload=\"") && !html.contains("\u{202E}") && !html.contains("\u{0}"))
    // Nothing but what the page itself is made of.
    let names = Set(html.matches(of: /<\/?([a-z0-9]+)/).map { String($0.1) })
    let known: Set<String> = [
      "html", "head", "meta", "title", "style", "body", "a", "header", "main", "footer", "nav", "article", "section",
      "h1",
      "h2", "h3", "h4", "p", "span", "strong", "br", "ul", "li", "dl", "div", "dt", "dd", "details", "summary",
      "figure",
      "figcaption", "table", "thead", "tbody", "tr", "th", "td", "svg", "desc", "path", "line", "rect", "circle",
      "text", "code",
    ]
    #expect(names.isSubset(of: known), "\(names.subtracting(known))")
  }

  /// An XML reader and an HTML reader that know nothing of this program.
  @Test(.tier(.test), .enabled("no python3") { PythonJudge.hasCSV || PythonJudge.isRequired })
  func itIsWellFormedAndEveryPictureHasItsWords() throws {
    let pages = [
      Report(groups: RecordGroup.groups([Sample.record()])), try Pages.full(), try Pages.hostile(), Pages.past(30),
      Pages.stream(),
    ]
    try TestFiles.withTemporaryFolder { folder in
      let files = try pages.enumerated().map { number, page in
        let url = folder.appending(path: "page-\(number).html")
        try Data(page.html.utf8).write(to: url)
        return url.path
      }
      let result = try PythonJudge.run(Pages.judge, module: "xml.etree.ElementTree, html.parser", files)
      #expect(result.status == 0 && result.output == "", "\(result.output)")
    }
  }

  // MARK: Size

  @Test(.tier(.test)) func manyRecordsMakeASmallFile() { Self.expectSmallFiles(records: 20) }

  @Test(.tier(.full)) func aHundredRecordsMakeASmallFile() { Self.expectSmallFiles(records: 100) }

  /// A hundred of them make less than 5 MiB.
  private static func expectSmallFiles(records count: Int) {
    let limit = (5 << 20) * count / 100
    let page = Pages.past(count)
    #expect(page.groups.count == 1 && page.html.utf8.count < limit, "\(page.html.utf8.count) bytes")
    // Each of another machine, and so with pictures of its own.
    let many = (0..<count).map { number in
      var record = Sample.record()
      record.environment.machine.hostClass = "machine-\(number)"
      return record
    }
    let html = Report(groups: RecordGroup.groups(many)).html
    #expect(html.utf8.count < limit, "\(html.utf8.count) bytes")
    #expect(html.contains("machine-0 ") && html.contains("machine-\(count - 1) "))
  }

  @Test(.tier(.test)) func manySamplesMakeASmallFile() { Self.expectSmallFile(samples: 100_000) }

  @Test(.tier(.full)) func aMillionSamplesMakeASmallFile() { Self.expectSmallFile(samples: 1_000_000) }

  private static func expectSmallFile(samples count: Int) {
    var samples = Sample.samples(16, count: count)
    samples[54_321] = 999.5
    let record = Sample.record(scenarios: [
      Record.Scenario(name: "render", trials: [Sample.trial(["render_gpu_ms": samples])])
    ])
    let html = Report(groups: RecordGroup.groups([record])).html
    #expect(html.utf8.count < 1 << 20)
    #expect(html.contains("\(count) samples of render_gpu_ms; each of the 480 columns spans"))
    #expect(html.contains("999.5 ms") && html.contains("frame 54322"))
  }

  @Test func numbersThatCannotBeDrawnDoNoHarm() {
    for values in [[Double.nan, .infinity, -.infinity], [1e300, -1e300, 1e-300], [0, 0, 0], [5]] {
      let samples = (0..<120).map { values[$0 % values.count] }
      let record = Sample.record(scenarios: [
        Record.Scenario(
          name: "play", trials: [Sample.trial(["display_interval_ms": samples, "frame_overrun_ms": samples])]),
        Record.Scenario(name: "render", trials: [Sample.trial(["render_gpu_ms": samples])]),
      ])
      let html = Report(groups: RecordGroup.groups([record])).html
      let drawing = html.matches(of: /(?: d| x| y| x1| x2| cx| width| height)="([^"]*)"/).map { $0.1 }
      #expect(!drawing.contains { $0.contains("nan") || $0.contains("inf") || $0.contains("e+") }, "\(values)")
    }
  }

  // MARK: Colours

  /// Relative luminance and contrast as WCAG 2.1 defines them.
  private static func luminance(_ hex: String) -> Double {
    let value = Int(hex.dropFirst(), radix: 16) ?? 0
    let channels = [16, 8, 0].map { shift -> Double in
      let channel = Double(value >> shift & 255) / 255
      return channel <= 0.03928 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
  }

  private static func contrast(_ one: String, _ other: String) -> Double {
    let (first, second) = (luminance(one), luminance(other))
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  @Test func everyColorCanBeSeen() {
    #expect(abs(Self.contrast("#000000", "#ffffff") - 21) < 1e-9)
    #expect(abs(Self.contrast("#777777", "#ffffff") - 4.478) < 1e-3)
    for palette in [Palette.light, .dark] {
      let grounds = [palette.background] + palette.guides.filter { ["soft", "band"].contains($0.name) }
      for ground in grounds {
        for color in palette.text {
          #expect(Self.contrast(color.hex, ground.hex) >= 4.5, "\(color.name) on \(ground.name)")
        }
      }
      for color in palette.graphics {
        #expect(Self.contrast(color.hex, palette.background.hex) >= 3, "\(color.name)")
      }
    }
  }

  /// Stages that lie side by side, as people with each kind of dichromacy see them (Machado, Oliveira and Fernandes, "A
  /// physiologically-based model for simulation of color vision deficiency", 2009, severity 1): they differ in CIELAB.
  @Test func neighboursDifferForEveryEye() {
    for palette in [Palette.light, .dark] {
      for (one, other) in zip(palette.graphics, palette.graphics.dropFirst()) {
        for eye in Eye.all {
          #expect(eye.difference(one.hex, other.hex) >= 15, "\(one.name) and \(other.name), \(eye.name)")
        }
      }
    }
  }
}
