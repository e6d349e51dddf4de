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
  /// To the live edge.
  case goLive
  /// One chapter forward or back.
  case chapter(Int)
  case slower, faster, normalSpeed
  case loop, shuffle, playlist, abLoop
  /// Where the clip was left.
  case goOn
  case skipAd
  case open
  case next, previous
  case turn(LookAround.Turn)
  case resetView
  case projection, stereo, goggles, fill, inertia
  case fullscreen, mini
  case statistics, remaining
  case controls, help
  case quality
  case mute
  /// Percent louder or quieter.
  case volume(Int)
  case audioTrack
  /// Tenths of a second later or earlier.
  case audioDelay(Int)
  case subtitles
  /// Tenths of a second later or earlier.
  case subtitleDelay(Int)
  /// One step larger or smaller.
  case subtitleSize(Int)
  case textSize(Int)
  case highContrast
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
      row(.playOrPause, "play", ["space", "k"], "play or pause"),
      row(.skip(5), "forward", ["right"], "5 seconds forward"),
      row(.skip(-5), "back", ["left"], "5 seconds back"),
      row(.skip(10), "forward-10", ["l"], "10 seconds forward"),
      row(.skip(-10), "back-10", ["j"], "10 seconds back"),
      row(.skip(60), "forward-minute", ["up"], "1 minute forward"),
      row(.skip(-60), "back-minute", ["down"], "1 minute back"),
      row(.step(1), "next-frame", ["period"], "next frame"),
      row(.step(-1), "previous-frame", ["comma"], "previous frame"),
      row(.chapter(1), "next-chapter", ["N"], "next chapter"),
      row(.chapter(-1), "previous-chapter", ["P"], "previous chapter"),
      row(.toStart, "start", ["home"], "jump to the start"),
      row(.toEnd, "end", ["end"], "jump to the end"),
    ]
    + (0...9).map { tenth in
      row(.jump(tenth), "jump-\(tenth)", ["\(tenth)"], "jump to \(tenth * 10) %")
    } + [
      row(.goLive, "live", ["G"], "go live, to the edge of a live stream"),
      row(.slower, "slower", ["["], "decrease speed"),
      row(.faster, "faster", ["]"], "increase speed"),
      row(.normalSpeed, "normal-speed", ["backspace"], "normal speed"),
      row(.loop, "loop", ["o"], "repeat: one clip, all, off"),
      row(.shuffle, "shuffle", ["S"], "toggle shuffle"),
      row(.playlist, "playlist", ["y"], "playlist"),
      row(.goOn, "go-on", ["enter", "keypadenter"], "go on where the clip was left"),
      row(.abLoop, "ab-loop", ["L"], "A–B loop: set A, set B, clear"),
      row(.skipAd, "skip-ad", ["E"], "skip the ad"),
      row(.open, "open", ["ctrl+o"], "open a file"),
      row(.next, "next", ["n", "pagedown"], "next file"),
      row(.previous, "previous", ["b", "pageup"], "previous file"),
      row(.turn(.left), "look-left", ["a"], "look left"),
      row(.turn(.right), "look-right", ["d"], "look right"),
      row(.turn(.up), "look-up", ["w"], "look up"),
      row(.turn(.down), "look-down", ["s"], "look down"),
      row(.turn(.rollLeft), "roll-left", ["A"], "roll counter-clockwise"),
      row(.turn(.rollRight), "roll-right", ["D"], "roll clockwise"),
      row(.turn(.zoomIn), "zoom-in", ["=", "shift+=", "keypadadd"], "zoom in"),
      row(.turn(.zoomOut), "zoom-out", ["-", "keypadsubtract"], "zoom out"),
      row(.resetView, "reset-view", ["r"], "reset the view"),
      row(.projection, "projection", ["p"], "next projection"),
      row(.stereo, "stereo", ["t"], "next stereo layout"),
      row(.goggles, "goggles", ["g"], "toggle goggles: both eyes side by side"),
      row(.fill, "fill", ["F"], "fit or fill: flat clips"),
      row(.inertia, "inertia", ["I"], "toggle inertia"),
      row(.fullscreen, "fullscreen", ["f", "f11"], "full screen"),
      row(.mini, "mini", ["M"], "mini player: small, above other windows"),
      row(.statistics, "statistics", ["i"], "statistics"),
      row(.remaining, "remaining", ["T"], "toggle remaining time"),
      row(.controls, "controls", ["H"], "toggle the controls"),
      row(.help, "help", ["h", "f1"], "list of keys"),
      row(.quality, "quality", ["u"], "next quality of a stream, or auto"),
      row(.mute, "mute", ["m"], "mute"),
      row(.volume(5), "louder", ["ctrl+up"], "volume up"),
      row(.volume(-5), "quieter", ["ctrl+down"], "volume down"),
      row(.audioTrack, "audio-track", ["e"], "next audio track"),
      row(.audioDelay(-1), "audio-earlier", ["x"], "audio 0.1 s earlier"),
      row(.audioDelay(1), "audio-later", ["X"], "audio 0.1 s later"),
      row(.subtitles, "subtitles", ["v"], "next subtitles, or off"),
      row(.subtitleDelay(-1), "subtitles-earlier", ["z"], "subtitles 0.1 s earlier"),
      row(.subtitleDelay(1), "subtitles-later", ["Z"], "subtitles 0.1 s later"),
      row(.subtitleSize(1), "subtitles-larger", ["alt+=", "alt+keypadadd"], "larger subtitles"),
      row(.subtitleSize(-1), "subtitles-smaller", ["alt+-", "alt+keypadsubtract"], "smaller subtitles"),
      row(.textSize(1), "text-larger", ["ctrl+=", "ctrl+keypadadd"], "larger controls and text"),
      row(.textSize(-1), "text-smaller", ["ctrl+-", "ctrl+keypadsubtract"], "smaller controls and text"),
      row(.highContrast, "high-contrast", ["K"], "toggle high contrast"),
      row(.screenshot, "screenshot", ["c"], "screenshot of the view"),
      row(.frameScreenshot, "frame-screenshot", ["C"], "screenshot of the whole frame"),
      row(.leave, "leave", ["escape"], "leave full screen"),
      row(.quit, "quit", ["q", "ctrl+q", "ctrl+w"], "quit"),
    ]

  private static func row(_ action: ViewerAction, _ name: String, _ keys: [String], _ help: String) -> Row {
    Row(action: action, name: name, keys: keys.compactMap { KeyStroke($0) }, help: help)
  }

  /// The action's row of the table.
  public var help: String { Self.table.first { $0.action == self }?.help ?? "" }

  public static func named(_ name: String) -> ViewerAction? { table.first { $0.name == name }?.action }
}
