import FoundationEssentials
import Frames

/// A chart with its title, a description for screen readers, a caption, and the numbers it was drawn from.
///
/// Text and marks are placed in percent of the width and in pixels of the height, so that letters keep their size on a
/// telephone as on a desk; only what lies in a `plane` is stretched.
struct Chart {
  /// Unique on the page.
  let id: String
  let title: String
  /// The key of the metric that is drawn, which stands behind the title; nil where the chart has several, or none.
  var metric: Metric?
  /// The chart's content in words, with its main numbers.
  let description: String
  /// Pixels.
  let height: Int
  let drawing: [Markup]
  var legend: [Markup] = []
  /// Whether numbers stand left of the drawing, which needs room for them.
  var hasScale = false
  let caption: String
  let table: Table

  private var heading: [Markup] {
    [Markup(text: title)] + (metric.map { [" ", .code($0.name)] } ?? [])
  }

  var figure: Markup {
    let svg = Markup.element(
      "svg",
      [
        "role": "img", "class": hasScale ? "scaled" : nil, "aria-labelledby": "\(id)-title \(id)-text",
        "height": "\(height)",
      ],
      [
        .element("title", ["id": "\(id)-title"], title), .element("desc", ["id": "\(id)-text"], description),
      ] + drawing)
    return .element(
      "figure", ["id": id],
      [.element("p", ["class": "title"], heading), svg]
        + (legend.isEmpty ? [] : [.element("ul", ["class": "legend"], legend)])
        + [.element("figcaption", [:], caption), table.folded("Numbers: \(title)")])
  }
}

/// Pieces of drawings. Places across are fractions of the width, heights are pixels from the top.
enum Draw {
  /// Width of a stretched plane, in its own units.
  static let units = 1000.0

  /// A part of the drawing that is stretched to the width; paths in it count `units` across.
  static func plane(y: Double, height: Double, _ content: [Markup]) -> Markup {
    .element(
      "svg",
      [
        "x": "0", "y": number(y), "width": "100%", "height": number(height),
        "viewBox": "0 0 \(number(units)) \(number(height))", "preserveAspectRatio": "none",
      ], content)
  }

  static func path(_ data: PathData, class name: String) -> Markup {
    .element("path", ["class": name, "d": data.text])
  }

  static func line(x: (Double, Double), y: (Double, Double), class name: String) -> Markup {
    .element(
      "line",
      ["class": name, "x1": percent(x.0), "x2": percent(x.1), "y1": number(y.0), "y2": number(y.1)])
  }

  static func bar(x: (Double, Double), y: Double, height: Double, class name: String) -> Markup {
    .element(
      "rect",
      [
        "class": name, "x": percent(x.0), "y": number(y), "width": percent(max(0, x.1 - x.0)), "height": number(height),
      ])
  }

  static func dot(x: Double, y: Double, radius: Double = 4, class name: String) -> Markup {
    .element("circle", ["class": name, "cx": percent(x), "cy": number(y), "r": number(radius)])
  }

  /// Text beside that place: it grows inwards near the edges, so that none is cut off.
  static func text(_ text: String, x: Double, y: Double, class name: String? = nil) -> Markup {
    let anchor: String? = x < 0.12 ? nil : x > 0.88 ? "end" : "middle"
    return .element("text", ["class": name, "x": percent(x), "y": number(y), "text-anchor": anchor], text)
  }

  /// Short text that ends or begins at that place, whichever side has more room.
  static func aside(_ text: String, x: Double, y: Double, class name: String? = nil) -> Markup {
    let isLeft = x > 0.5
    return .element(
      "text",
      [
        "class": name, "x": percent(x), "y": number(y), "dx": isLeft ? "-4" : "4", "text-anchor": isLeft ? "end" : nil,
      ], text)
  }

  /// Text at the right edge.
  static func atEnd(_ text: String, y: Double, class name: String? = nil) -> Markup {
    .element("text", ["class": name, "x": "100%", "y": number(y), "text-anchor": "end"], text)
  }

  /// An axis below a drawing: numbers, and the unit behind the last one. A number without room on a telephone is left out, its tick stays.
  static func axis(_ scale: Scale, unit: String, y: Double, ticks: Int = 4) -> [Markup] {
    let values = scale.ticks(ticks)
    var (parts, free) = ([Markup](), Double.infinity)
    for (index, value) in values.enumerated().reversed() {
      let place = scale.place(value)
      let label = scale.label(value, ticks: ticks) + (index == values.count - 1 ? " \(unit)" : "")
      let width = Double(label.count) / RowLabel.letters
      let left = place < 0.12 ? place : place > 0.88 ? place - width : place - width / 2
      let hasRoom = left + width <= free
      if hasRoom { free = left - 1 / RowLabel.letters }
      parts =
        [line(x: (place, place), y: (y, y + 4), class: "axis")] + (hasRoom ? [text(label, x: place, y: y + 17)] : [])
        + parts
    }
    return [line(x: (0, 1), y: (y, y), class: "axis")] + parts
  }

  /// Lines across a drawing, each with its number left of it, in a chart that `hasScale`.
  static func grid(_ scale: Scale, y: Double, height: Double, ticks: Int = 3) -> [Markup] {
    scale.ticks(ticks).flatMap { value in
      let place = y + height * (1 - scale.place(value))
      return [
        line(x: (0, 1), y: (place, place), class: "grid"),
        .element(
          "text", ["x": "-8", "y": number(place + 4), "text-anchor": "end"], scale.label(value, ticks: ticks)),
      ]
    }
  }

  static func percent(_ fraction: Double) -> String { shortened(fraction * 100, decimals: 2) + "%" }

  /// At most one decimal: a tenth of a pixel.
  static func number(_ value: Double) -> String { shortened(value, decimals: 1) }

  private static func shortened(_ value: Double, decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e7 else { return "0" }
    let scale = decimals == 1 ? 10.0 : 100.0
    let rounded = Int(saturating: (value * scale).rounded())
    let sign = rounded < 0 ? "-" : ""
    let (whole, rest) = abs(rounded).quotientAndRemainder(dividingBy: Int(scale))
    guard rest != 0 else { return sign + "\(whole)" }
    let digits = decimals == 1 ? "\(rest)" : rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)"
    return "\(sign)\(whole).\(digits)"
  }
}

/// The `d` of a path, in units across and pixels down.
struct PathData {
  private(set) var text = ""
  var isEmpty: Bool { text.isEmpty }

  mutating func move(_ x: Double, _ y: Double) { text += "M\(Draw.number(x)) \(Draw.number(y))" }
  mutating func line(_ x: Double, _ y: Double) { text += "L\(Draw.number(x)) \(Draw.number(y))" }
  mutating func across(_ x: Double) { text += "H\(Draw.number(x))" }
  mutating func down(_ y: Double) { text += "V\(Draw.number(y))" }
  mutating func close() { text += "Z" }
}
