import Frames

/// Records as one HTML page: the answer in a sentence, then charts, then every number.
///
/// A pure function of its values. The page is one file without scripts and network access; it is HTML and well-formed
/// XML. Any thread.
public struct Report: Sendable {
  /// Nil: the title names the inputs.
  public var title: String?
  /// The reported records, by what makes them comparable. The newest record of each group is complete; the others may
  /// be digests.
  public var groups: [RecordGroup]
  /// The comparison with a base; nil without one.
  public var comparison: Comparison?
  /// Damaged records that were left out.
  public var leftOut: [Failure]
  /// The picture of the clip of the first group's newest record; nil: the page neither shows nor mentions one.
  public var picture: ClipPicture?

  public init(
    title: String? = nil, groups: [RecordGroup], comparison: Comparison? = nil, leftOut: [Failure] = [],
    picture: ClipPicture? = nil
  ) {
    self.title = title
    self.groups = groups
    self.comparison = comparison
    self.leftOut = leftOut
    self.picture = picture
  }

  /// The whole file, with a trailing newline.
  public var html: String {
    let head = Markup.element(
      "head", [:],
      [
        .element("meta", ["charset": "utf-8"]),
        // An existing page is recognised by this before it is replaced.
        .element("meta", ["name": "generator", "content": "bench360"]),
        .element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        .element(
          "meta",
          [
            "http-equiv": "Content-Security-Policy",
            "content": "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
          ]),
        .element("meta", ["name": "color-scheme", "content": "light dark"]),
        .element("title", [:], name), .style(.page),
      ])
    let body = Markup.element(
      "body", [:],
      [
        .element("a", ["class": "skip", "href": "#content"], "Skip to the measurements"), header,
        .element("main", ["id": "content"], content), footer,
      ])
    return "<!DOCTYPE html>\n" + Markup.element("html", ["lang": "en"], [head, body]).source
  }

  private var name: String {
    if let title { return title }
    if let group = groups.first, groups.count == 1 { return group.name }
    return "bench360: \(groups.count) things measured"
  }

  private var layout: Layout {
    // Many groups still give a small file.
    Layout(group: 0, isAlone: groups.count == 1, columns: groups.count <= 4 ? 480 : groups.count <= 20 ? 240 : 120)
  }

  private var header: Markup {
    let days = Set(groups.flatMap(\.records).map { HistoryText.day($0.created) }).sorted()
    let count = groups.reduce(0) { $0 + $1.records.count }
    let span = days.count > 1 ? "\(days[0]) to \(days[days.count - 1])" : days.first ?? ""
    let kicker = ["bench360 report", span, count == 1 ? "1 record" : "\(count) records"].filter { !$0.isEmpty }
    var parts: [Markup] = [
      .element("p", ["class": "kicker"], kicker.joined(separator: " · ")), .heading(1, name),
      .element("p", ["class": "note about"], Self.about),
    ]
    if let comparison { parts.append(ComparisonPage(comparison).answer) }
    if let group = groups.first, groups.count == 1 {
      let page = GroupPage(group, layout)
      parts += page.answer + page.facts
      parts += clipPicture + page.warnings
      parts.append(contents(page.contents))
    } else {
      parts += clipPicture
      parts.append(groupContents)
    }
    return .element("header", [:], parts)
  }

  /// For a reader who has the page from somewhere else.
  private static let about =
    "bench360 measures how well a machine turns compressed video, flat or 360°, into pictures on a display, and on time."

  private var clipPicture: [Markup] {
    guard let picture, let group = groups.first else { return [] }
    return [picture.markup(group.newest)]
  }

  private func contents(_ entries: [(id: String, title: String)]) -> Markup {
    let all = (comparison == nil ? [] : [(id: "comparison", title: "Comparison")]) + entries
    return .element(
      "nav", ["aria-label": "Contents"],
      [
        .element(
          "ul", [:], all.map { .element("li", [:], [.element("a", ["href": "#\($0.id)"], $0.title)]) })
      ])
  }

  /// With several groups the contents show each one's answer.
  private var groupContents: Markup {
    var entries = groups.enumerated().map { index, group in
      Markup.element(
        "li", [:],
        [
          .element("a", ["href": "#g\(index)"], group.name),
          .element("span", [:], GroupPage.sentence(Answer(group.newest).sentence)),
        ])
    }
    if comparison != nil {
      entries.insert(.element("li", [:], [.element("a", ["href": "#comparison"], "Comparison")]), at: 0)
    }
    return .element(
      "nav", ["class": "groups", "aria-labelledby": "contents"],
      [.heading(2, id: "contents", "Measurements"), .element("ul", [:], entries)])
  }

  private var content: [Markup] {
    var parts: [Markup] = []
    if !leftOut.isEmpty {
      let items = leftOut.map { Markup.element("li", [:], "\($0.attempt): \($0.cause); it was left out") }
      parts.append(
        .element(
          "section", ["class": "warnings", "aria-label": "Records left out"], [.element("ul", [:], items)]))
    }
    if let comparison { parts.append(ComparisonPage(comparison).section) }
    for (index, group) in groups.enumerated() {
      var layout = layout
      layout.group = index
      parts.append(GroupPage(group, layout).body)
    }
    return parts
  }

  private var footer: Markup {
    let versions = Set(groups.map { "bench360 \($0.newest.build.version), commit \($0.newest.build.name)" }).sorted()
    return .element(
      "footer", [:],
      [
        .element("p", [:], "Measured by \(versions.joined(separator: "; ")). n/a: not known, which is not 0."),
        .element(
          "p", [:],
          "Quantiles of several trials are the median over the trials of each one's own: the typical trial. "
            + "Trials, not frames, are the samples of every comparison."),
      ])
  }
}

/// The place of a section on its page.
struct Layout: Sendable {
  /// Number of the group, which makes ids unique.
  var group: Int
  /// Whether there is no other group.
  var isAlone: Bool
  /// Most columns of a curve.
  var columns: Int

  func id(_ name: String) -> String { "g\(group)-\(name)" }
  /// Of a section's heading.
  var level: Int { isAlone ? 2 : 3 }
}
