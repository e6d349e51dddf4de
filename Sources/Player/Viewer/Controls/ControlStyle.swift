import Frames
import Overlay

/// Width and height of a text, in pixels.
package typealias TextMeasure = (String, TextStyle) -> (width: Int, height: Int)

/// Sizes of the controls, in pixels of the target. Designed in units; one unit is one point in a window 720 points
/// high.
package struct ControlStyle: Sendable, Hashable {
  /// Pixels.
  package let unit: Double
  package let colors: ControlColors

  /// - Parameters:
  ///   - size: of the target, in pixels.
  ///   - scale: pixels per point that the user has set.
  ///   - textSize: the user's size of controls and text, relative to the usual one.
  package init(size: PictureSize, scale: Double, textSize: Double = 1, isHighContrast: Bool = false) {
    colors = isHighContrast ? .highContrast : .usual
    let scale = scale.isFinite ? min(max(scale, 0.5), 8) : 1
    let wanted = scale * min(max(Double(size.height) / scale / 720, 0.75), 1.5)
    // The view keeps most of the window.
    unit = min(wanted * textSize, 0.4 * Double(size.height) / Self.barUnits)
  }

  func pixels(_ units: Double) -> Double { (units * unit).rounded() }

  /// Letters of 16 pixels a line are 13 high or more from one to the next that is set solid.
  package var text: TextStyle { TextStyle(height: max(16, (18 * unit).rounded())) }

  static let barUnits = 74.0
  /// Heights of the slider's row, and of the row below, which ends above the window's edge.
  var sliderHeight: Double { pixels(32) }
  var button: Double { pixels(36) }
  var barHeight: Double { sliderHeight + button + pixels(6) }
  var margin: Double { pixels(12) }
  var gap: Double { pixels(2) }
  var padding: Double { pixels(8) }
  var icon: Double { pixels(20) }
  var trackHeight: Double { max(2, pixels(4)) }
  var knob: Double { max(8, pixels(14)) }
  /// Beside the badge of a live stream.
  var dot: Double { max(6, pixels(9)) }
  var ring: Double { max(1, pixels(2)) }
  var corner: Double { pixels(6) }
}

/// Colours of the controls: on the panel over any view, text has a contrast of 4.5 : 1 or more.
package struct ControlColors: Sendable, Hashable {
  package var panel = Canvas.Color.black.opacity(0.8)
  /// For menus, tooltips, notices and the help, which cover more of the view.
  package var sheet = Canvas.Color(0.09, 0.09, 0.1, alpha: 0.94)
  package var text = Canvas.Color.white
  /// Turned on, selected, or played.
  package var accent = Canvas.Color(0.58, 0.83, 1)
  /// Disabled. Opaque: crossing lines of an icon show no seams.
  package var off = Canvas.Color(0.5, 0.5, 0.5)
  /// Hover, over the panel or a sheet.
  package var hover = Canvas.Color.white.opacity(0.12)
  package var pressed = Canvas.Color.white.opacity(0.16)
  var track = Canvas.Color.white.opacity(0.25)
  var decoded = Canvas.Color.white.opacity(0.4)
  package var focus = Canvas.Color(1, 0.83, 0.3)
  /// Where ads are, on the slider.
  package var adBreak = Canvas.Color(1, 0.62, 0.1)
  /// A picture that is live.
  package var live = Canvas.Color(1, 0.3, 0.3)

  package static let usual = ControlColors()

  /// Opaque grounds and strong colours: text has a contrast of 7 : 1 or more.
  package static let highContrast: ControlColors = {
    var colors = ControlColors()
    (colors.panel, colors.sheet) = (.black, .black)
    colors.accent = Canvas.Color(1, 1, 0)
    colors.off = Canvas.Color(0.62, 0.62, 0.62)
    (colors.hover, colors.pressed) = (Canvas.Color(0, 0.2, 0.5), Canvas.Color(0, 0.2, 0.5))
    (colors.track, colors.decoded) = (Canvas.Color(0.4, 0.4, 0.4), Canvas.Color(0.62, 0.62, 0.62))
    colors.focus = Canvas.Color(0.2, 1, 1)
    return colors
  }()
}
