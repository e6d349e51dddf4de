/// How a page names metrics: a plain label, with the key that records and scripts use beside it.
extension Markup {
  /// `time to first frame ttff_ms`, the key in small letters of equal width. The key alone where this build does not know the metric.
  static func metric(_ key: String) -> Markup {
    guard let label = Metric.named(key)?.label else { return Markup(text: key) }
    return joined(["\(label) ", code(key)])
  }

  /// Text in which each key of a metric has its label before it. A single word such as `late` is a key only where it is the whole text.
  static func labelled(_ text: String) -> Markup {
    guard Metric.named(text) == nil else { return metric(text) }
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return joined(
      words.enumerated().map { index, word in
        joined([index == 0 ? "" : " ", word.contains("_") ? metric(word) : Markup(text: word)])
      })
  }

  /// A key of a record.
  static func code(_ key: String) -> Markup { element("code", [:], key) }
}

extension Metric {
  /// The label at the beginning of a title: `Time to first frame`.
  var heading: String { label.prefix(1).uppercased() + label.dropFirst() }
}
