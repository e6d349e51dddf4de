import Playback
import Window

/// The actions of keys and controls. One row each in `ViewerAction.table`: name in the key file, default keys, help.
public enum ViewerAction: Sendable, Hashable {
  case playOrPause
  /// Seconds, forward or back.
  case skip(Int)
  /// One frame forward or back.
  case step(Int)
  /// To that many tenths of the clip's duration.
  case jump(Int)
  case toStart, toEnd
  case slower, faster, normalSpeed
  case loop
  case next, previous
  case turn(LookAround.Turn)
  case resetView
  case projection, stereo, goggles, inertia
  case fullscreen, mini
  case statistics, remaining
  case controls, help
  case subtitles
  case screenshot, frameScreenshot
  case leave, quit
}

extension ViewerAction {
  /// A row of the table.
  public struct Row: Sendable {
    public var action: ViewerAction
    /// The name in the key file.
    public var name: String
    public var keys: [KeyStroke]
    public var help: String
  }

  /// All actions, in the order of the help.
  public static let table: [Row] =
    [
      row(.playOrPause, "play", ["space", "k"], "play or pause; at the end, from the start"),
      row(.skip(5), "forward", ["right"], "5 seconds on"),
      row(.skip(-5), "back", ["left"], "5 seconds back"),
      row(.skip(10), "forward-10", ["l"], "10 seconds on"),
      row(.skip(-10), "back-10", ["j"], "10 seconds back"),
      row(.skip(60), "forward-minute", ["up"], "a minute on"),
      row(.skip(-60), "back-minute", ["down"], "a minute back"),
      row(.step(1), "next-frame", ["period"], "the next frame"),
      row(.step(-1), "previous-frame", ["comma"], "the frame before"),
      row(.toStart, "start", ["home"], "to the start"),
      row(.toEnd, "end", ["end"], "to the last frame"),
    ]
    + (0...9).map { tenth in
      row(.jump(tenth), "jump-\(tenth)", ["\(tenth)"], "to \(tenth * 10) % of the clip")
    } + [
      row(.slower, "slower", ["["], "slower"),
      row(.faster, "faster", ["]"], "faster"),
      row(.normalSpeed, "normal-speed", ["backspace"], "at normal speed"),
      row(.loop, "loop", ["o"], "start over at the end, or not"),
      row(.next, "next", ["n", "pagedown"], "the next file"),
      row(.previous, "previous", ["b", "pageup"], "the file before"),
      row(.turn(.left), "look-left", ["a"], "look left"),
      row(.turn(.right), "look-right", ["d"], "look right"),
      row(.turn(.up), "look-up", ["w"], "look up"),
      row(.turn(.down), "look-down", ["s"], "look down"),
      row(.turn(.rollLeft), "roll-left", ["q"], "roll counter-clockwise"),
      row(.turn(.rollRight), "roll-right", ["e"], "roll clockwise"),
      row(.turn(.zoomIn), "zoom-in", ["="], "nearer"),
      row(.turn(.zoomOut), "zoom-out", ["-"], "wider"),
      row(.resetView, "reset-view", ["r"], "look straight ahead"),
      row(.projection, "projection", ["p"], "the next projection"),
      row(.stereo, "stereo", ["t"], "the next stereo layout"),
      row(.goggles, "goggles", ["g"], "both eyes side by side, for VR goggles"),
      row(.inertia, "inertia", ["shift+i"], "whether the view goes on turning when it is let go of"),
      row(.fullscreen, "fullscreen", ["f", "f11"], "fill the display"),
      row(.mini, "mini", ["m"], "a small window above all others, or as before"),
      row(.statistics, "statistics", ["i"], "how it is going: rates, drops, times"),
      row(.remaining, "remaining", ["shift+t"], "the time that remains, or that has passed"),
      row(.controls, "controls", ["shift+h"], "show the controls, or hide them"),
      row(.help, "help", ["h", "f1"], "what the keys do"),
      row(.subtitles, "subtitles", ["v"], "the next subtitles, or none"),
      row(.screenshot, "screenshot", ["c"], "a picture of the view into a file"),
      row(.frameScreenshot, "frame-screenshot", ["shift+c"], "a picture of the whole frame into a file"),
      row(.leave, "leave", ["escape"], "leave full screen"),
      row(.quit, "quit", ["ctrl+q", "ctrl+w"], "quit"),
    ]

  private static func row(_ action: ViewerAction, _ name: String, _ keys: [String], _ help: String) -> Row {
    Row(action: action, name: name, keys: keys.compactMap { KeyStroke($0) }, help: help)
  }

  /// The action's row of the table.
  public var help: String { Self.table.first { $0.action == self }?.help ?? "" }

  public static func named(_ name: String) -> ViewerAction? { table.first { $0.name == name }?.action }
}
