import Foundation
import Frames
import RecordSamples
import Verdict

/// Pages to test with.
enum Pages {
  /// Two machines, seeks, and a comparison that has one of everything.
  static func full() throws -> Report {
    var other = Sample.record(device: Sample.device(software: false), scenarios: scrub)
    other.environment.machine.hostClass = "workstation"
    return Report(
      title: "Before and after", groups: RecordGroup.groups([Sample.record(), other]), comparison: try Sides.full())
  }

  /// A stream in two trials; the first is the one that stalled.
  static func stream(_ sessions: [StreamSession] = [Sample.stream(), Sample.stream(seconds: 20)]) -> Report {
    Report(groups: RecordGroup.groups([Sample.record(of: sessions)]))
  }

  private static var scrub: [Record.Scenario] {
    ["exact", "half-pixel", "infinite"].enumerated().map { index, tolerance in
      Record.Scenario(
        name: "scrub", variant: "random/\(tolerance)", presentSource: .simulated,
        trials: [
          Sample.trial(
            ["seek_latency_ms": Sample.samples(60 / Double(index + 1), count: 24)], counters: ["out_of_tolerance": 0])
        ])
    }
  }

  /// The sample record over and over, each of a commit of its own, slower from the middle on.
  static func past(_ count: Int) -> Report {
    let records = (0..<count).map { index in
      let level = (index < count / 2 ? 69.0 : 62) * (1 + Double(index * 7 % 11 - 5) / 500)
      var scenarios = Sample.scenarios
      scenarios[1] = Sides.scenario("pipeline", variant: "direct", ["pipeline_fps": [level - 0.1, level, level + 0.1]])
      var record = Sample.record(scenarios: scenarios)
      record.build.commit = Past.commit(index * 30 / count)
      record.created = Past.day(index)
      record.session = "session \(index)"
      return record
    }
    return Report(groups: RecordGroup.groups(records))
  }

  /// Pages of all kinds.
  static func all() throws -> [Report] {
    [
      Report(groups: RecordGroup.groups([Sample.record()])), Report(groups: RecordGroup.groups([Sample.decodeOnly])),
      try full(), past(30), stream(),
    ]
  }

  /// The names on `long`: clip, device, processor, and variants.
  static let longNames = [
    "A walk through the old harbour of a town in the north, in the morning, for eight cameras, take 14, graded.mp4",
    "An extremely capable graphics processor with a long marketing name, laptop edition, 24 GiB",
    "A processor of the seventh generation with 64 cores and an equally long name @ 2.45 GHz",
    "random-with-many-words-and-no-blank-that-would-break-it/half-pixel-tolerance/long",
    "direct-into-the-memory-of-the-device-with-a-fallback-to-staging-buffers",
  ]

  /// Names that are longer than a telephone is wide.
  static func long() throws -> Report {
    var record = Sample.record(scenarios: Sample.scenarios + scrub)
    record.input.name = longNames[0]
    record.environment.device?.name = longNames[1]
    record.environment.machine.cpu = longNames[2]
    for index in record.scenarios.indices where record.scenarios[index].variant != nil {
      record.scenarios[index].variant = longNames[record.scenarios[index].name == "scrub" ? 3 : 4] + "/\(index)"
    }
    var other = record
    other.build.commit = String(repeating: "ab", count: 20)
    return Report(groups: RecordGroup.groups([record]), comparison: try Sides.compare([record], [other]))
  }

  /// Everything that a record can say says something else.
  static func hostile() throws -> Report {
    let text = "\"><script>alert(1)</script><b>'&amp;\u{0}\u{1B}\u{202E}\u{FFFF} onload=\"x\" ]]> -->"
    var record = Sample.record(scenarios: Sample.scenarios + scrub)
    record.label = text
    record.session = text
    record.build.version = text
    record.build.commit = text
    record.created = text
    record.command = [text]
    record.input.name = text
    record.input.codec = text
    record.environment.machine.hostClass = text
    record.environment.machine.cpu = text
    record.environment.device?.name = text
    record.environment.device?.driver = text
    record.settings.reasons = [text: text]
    record.settings.decoding.decoder = text
    record.warnings = [Record.Warning(code: text, text: text, remedy: text), Record.Warning(code: text, text: text)]
    for index in record.scenarios.indices {
      record.scenarios[index].variant = text + "/\(index)"
      record.scenarios[index].summary.counters[text] = 1
      record.scenarios[index].summary.phases[text] = 1
      record.scenarios[index].trials[0].histograms[text] = [text: 1]
      record.scenarios[index].summary.metrics[text] = record.scenarios[index].summary.metrics.values.first
    }
    var later = record
    later.build.commit = "other" + text
    return Report(
      title: text, groups: RecordGroup.groups([record, later]), comparison: try Sides.hostile(),
      leftOut: [Failure(.input, text, cause: text, remedy: text)])
  }

  /// Prints a line for each fault of each page.
  static let judge = """
    import re, sys, xml.etree.ElementTree as tree
    from html.parser import HTMLParser
    def judge(path):
      say = lambda *words: print(path.split("/")[-1], *words)
      text = open(path, encoding="utf-8").read()
      root = tree.fromstring(text.split("\\n", 1)[1])
      if not text.startswith("<!DOCTYPE html>\\n"): say("no doctype")
      if root.get("lang") != "en": say("no language")
      parents = {child: parent for parent in root.iter() for child in parent}
      ids = [e.get("id") for e in root.iter() if e.get("id")]
      for name in set(ids):
        if ids.count(name) > 1: say("id used twice:", name)
        if re.search(r"\\s", name): say("id with blanks:", name)
      by_id = {e.get("id"): e for e in root.iter() if e.get("id")}
      words = lambda e: "".join(e.itertext()).strip()
      pictures = [e for e in root.iter("svg") if parents[e].tag != "svg"]
      for picture in pictures:
        if picture.get("role") != "img": say("a picture without a role")
        names = (picture.get("aria-labelledby") or "").split()
        if len(names) != 2 or not all(n in by_id and words(by_id[n]) for n in names): say("not labelled:", names)
        if [e.tag for e in picture][:2] != ["title", "desc"]: say("no title or description:", names)
        if len(list(picture)) < 3: say("nothing is drawn:", names)
        figure = parents[picture]
        if figure.tag != "figure" or not any(len(list(t.iter("tr"))) > 1 for t in figure.iter("table")):
          say("no numbers behind", names)
        if not any(words(c) for c in figure.iter("figcaption")): say("no caption:", names)
      if not pictures: say("no picture")
      for e in root.iter():
        for name in ("aria-labelledby",):
          for n in (e.get(name) or "").split():
            if n not in by_id: say("names nothing:", n)
        if e.tag == "a" and (e.get("href") or "")[1:] not in by_id: say("leads nowhere:", e.get("href"))
        if any(k.startswith("on") for k in e.attrib): say("a handler:", e.attrib)
      levels = [int(e.tag[1]) for e in root.iter() if re.fullmatch("h[1-6]", e.tag)]
      if levels[:1] != [1] or levels.count(1) != 1: say("headings begin with", levels[:3])
      if any(b > a + 1 for a, b in zip(levels, levels[1:])): say("a heading is left out:", levels)
      for mark in ("header", "main", "footer", "nav"):
        if not list(root.iter(mark)): say("no", mark)
      for row in root.iter("table"):
        counts = {len(list(tr)) for tr in row.iter("tr")}
        if len(counts) != 1: say("a table with ragged rows:", counts)
      class Balance(HTMLParser):
        void, open = {"meta", "br"}, []
        def handle_starttag(self, tag, attrs):
          if tag not in self.void: self.open.append(tag)
        def handle_startendtag(self, tag, attrs): pass
        def handle_endtag(self, tag):
          if not self.open or self.open.pop() != tag: say("closes what is not open:", tag)
      balance = Balance()
      balance.feed(text)
      if balance.open: say("left open:", balance.open)
    for path in sys.argv[1:]: judge(path)
    """
}

/// Colours as an eye sees them that lacks one kind of cone; matrices apply to linear RGB.
struct Eye: Sendable {
  let name: String
  private let matrix: [[Double]]

  static let all = [
    Eye(name: "usual", matrix: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    Eye(
      name: "protanopia",
      matrix: [
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998],
      ]),
    Eye(
      name: "deuteranopia",
      matrix: [
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881],
      ]),
    Eye(
      name: "tritanopia",
      matrix: [
        [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900],
      ]),
  ]

  /// ΔE of CIE 1976.
  func difference(_ one: String, _ other: String) -> Double {
    zip(lab(one), lab(other)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
  }

  private func lab(_ hex: String) -> [Double] {
    let value = Int(hex.dropFirst(), radix: 16) ?? 0
    let linear = [16, 8, 0].map { shift -> Double in
      let channel = Double(value >> shift & 255) / 255
      return channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
    }
    let seen = matrix.map { row in min(1, max(0, zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 })) }
    let xyz = [
      [0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041],
    ]
    .map { row in zip(row, seen).reduce(0) { $0 + $1.0 * $1.1 } }
    let f = zip(xyz, [0.95047, 1, 1.08883]).map { value, white -> Double in
      let t = value / white
      return t > 0.008856 ? cbrt(t) : t * 7.787 + 16.0 / 116
    }
    return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
  }
}
