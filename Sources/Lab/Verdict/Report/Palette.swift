import FoundationEssentials

/// The colours of a page, light or dark, by what they mean.
///
/// Contrast against the background is at least 4.5 : 1 for text and 3 : 1 for graphics, as WCAG 2.1 level AA requires
/// (success criteria 1.4.3 and 1.4.11); a test computes it. Colour is never the only distinction: marks differ in place
/// or shape too, and every chart has its numbers beside it.
package struct Palette: Sendable {
  /// A colour and the name of its CSS variable.
  package struct Color: Sendable {
    package let name: String
    /// `#rrggbb`
    package let hex: String
  }

  package let background: Color
  package let text: [Color]
  /// Graphics with a meaning: lines, marks, bars.
  package let graphics: [Color]
  /// Decoration: grid lines and frames.
  package let guides: [Color]

  package var all: [Color] { [background] + text + graphics + guides }

  /// Stages, in the order of a frame's way: the names of their colours.
  static let stages = ["read", "decode", "upload", "render", "wait"]

  package static let light = Palette(
    background: "#ffffff",
    text: ["ink": "#1b1d1f", "muted": "#595e63", "accent": "#0b5cad", "bad": "#a93c06"],
    graphics: ["read": "#8a6500", "decode": "#0b5cad", "upload": "#c2480c", "render": "#00705a", "wait": "#8b8f94"],
    guides: ["line": "#dcdfe2", "band": "#e3eefa", "soft": "#f5f6f7"])

  package static let dark = Palette(
    background: "#14171a",
    text: ["ink": "#e9ebed", "muted": "#a6adb4", "accent": "#74b4f7", "bad": "#ff9b66"],
    graphics: ["read": "#e0bd55", "decode": "#74b4f7", "upload": "#f07a3c", "render": "#4fc4a6", "wait": "#6f767d"],
    guides: ["line": "#343a40", "band": "#1d3249", "soft": "#1c2024"])

  private init(
    background: String, text: KeyValuePairs<String, String>, graphics: KeyValuePairs<String, String>,
    guides: KeyValuePairs<String, String>
  ) {
    func colors(_ pairs: KeyValuePairs<String, String>) -> [Color] { pairs.map { Color(name: $0.key, hex: $0.value) } }
    self.background = Color(name: "background", hex: background)
    self.text = colors(text)
    self.graphics = colors(graphics)
    self.guides = colors(guides)
  }

  /// `--ink:#1b1d1f;` and so on.
  var variables: String { all.map { "--\($0.name):\($0.hex);" }.joined() }
}
