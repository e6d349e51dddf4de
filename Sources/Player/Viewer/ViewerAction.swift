import Bench360Player
import Window

/// The actions of keys and controls. One row each in `ViewerAction.table`: name in the key file, default keys, help.
package enum ViewerAction: Sendable, Hashable {
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
  package struct Row: Sendable {
    package var action: ViewerAction
    /// The name in the key file.
    package var name: String
    package var keys: [KeyStroke]
    package var text: Phrase
    /// In English.
    package var help: String { Words.english[text] }
  }

  /// All actions, in the order of the help.
  package static let table: [Row] =
    [
      row(.playOrPause, "play", ["space", "k"], .playOrPause),
      phrase(.skip(5), "forward", ["right"], .secondsForward(5)),
      phrase(.skip(-5), "back", ["left"], .secondsBack(5)),
      phrase(.skip(10), "forward-10", ["l"], .secondsForward(10)),
      phrase(.skip(-10), "back-10", ["j"], .secondsBack(10)),
      row(.skip(60), "forward-minute", ["up"], .minuteForward),
      row(.skip(-60), "back-minute", ["down"], .minuteBack),
      row(.step(1), "next-frame", ["period"], .nextFrame),
      row(.step(-1), "previous-frame", ["comma"], .previousFrame),
      row(.chapter(1), "next-chapter", ["N"], .nextChapter),
      row(.chapter(-1), "previous-chapter", ["P"], .previousChapter),
      row(.toStart, "start", ["home"], .toStart),
      row(.toEnd, "end", ["end"], .toEnd),
    ]
    + (0...9).map { tenth in
      phrase(.jump(tenth), "jump-\(tenth)", ["\(tenth)"], .jump(percent: tenth * 10))
    } + [
      row(.goLive, "live", ["G"], .goLive),
      row(.slower, "slower", ["["], .slower),
      row(.faster, "faster", ["]"], .faster),
      row(.normalSpeed, "normal-speed", ["backspace"], .normalSpeed),
      row(.loop, "loop", ["o"], .repeatClips),
      row(.shuffle, "shuffle", ["S"], .toggleShuffle),
      row(.playlist, "playlist", ["y"], .showPlaylist),
      row(.goOn, "go-on", ["enter", "keypadenter"], .goOn),
      row(.abLoop, "ab-loop", ["L"], .setLoop),
      row(.skipAd, "skip-ad", ["E"], .skipAd),
      row(.open, "open", ["ctrl+o"], .openFile),
      row(.next, "next", ["n", "pagedown"], .nextFile),
      row(.previous, "previous", ["b", "pageup"], .previousFile),
      row(.turn(.left), "look-left", ["a"], .lookLeft),
      row(.turn(.right), "look-right", ["d"], .lookRight),
      row(.turn(.up), "look-up", ["w"], .lookUp),
      row(.turn(.down), "look-down", ["s"], .lookDown),
      row(.turn(.rollLeft), "roll-left", ["A"], .rollLeft),
      row(.turn(.rollRight), "roll-right", ["D"], .rollRight),
      row(.turn(.zoomIn), "zoom-in", ["=", "shift+=", "keypadadd"], .zoomIn),
      row(.turn(.zoomOut), "zoom-out", ["-", "keypadsubtract"], .zoomOut),
      row(.resetView, "reset-view", ["r"], .resetView),
      row(.projection, "projection", ["p"], .nextProjection),
      row(.stereo, "stereo", ["t"], .nextStereo),
      row(.goggles, "goggles", ["g"], .goggles),
      row(.fill, "fill", ["F"], .fitOrFill),
      row(.inertia, "inertia", ["I"], .toggleInertia),
      row(.fullscreen, "fullscreen", ["f", "f11"], .fullScreen),
      row(.mini, "mini", ["M"], .miniPlayer),
      row(.statistics, "statistics", ["i"], .statistics),
      row(.remaining, "remaining", ["T"], .toggleRemaining),
      row(.controls, "controls", ["H"], .toggleControls),
      row(.help, "help", ["h", "f1"], .listOfKeys),
      row(.quality, "quality", ["u"], .nextQuality),
      row(.mute, "mute", ["m"], .mute),
      row(.volume(5), "louder", ["ctrl+up"], .louder),
      row(.volume(-5), "quieter", ["ctrl+down"], .quieter),
      row(.audioTrack, "audio-track", ["e"], .nextAudio),
      row(.audioDelay(-1), "audio-earlier", ["x"], .audioEarlier),
      row(.audioDelay(1), "audio-later", ["X"], .audioLater),
      row(.subtitles, "subtitles", ["v"], .nextSubtitles),
      row(.subtitleDelay(-1), "subtitles-earlier", ["z"], .subtitlesEarlier),
      row(.subtitleDelay(1), "subtitles-later", ["Z"], .subtitlesLater),
      row(.subtitleSize(1), "subtitles-larger", ["alt+=", "alt+keypadadd"], .largerSubtitles),
      row(.subtitleSize(-1), "subtitles-smaller", ["alt+-", "alt+keypadsubtract"], .smallerSubtitles),
      row(.textSize(1), "text-larger", ["ctrl+=", "ctrl+keypadadd"], .largerText),
      row(.textSize(-1), "text-smaller", ["ctrl+-", "ctrl+keypadsubtract"], .smallerText),
      row(.highContrast, "high-contrast", ["K"], .toggleContrast),
      row(.screenshot, "screenshot", ["c"], .screenshotOfView),
      row(.frameScreenshot, "frame-screenshot", ["C"], .screenshotOfFrame),
      row(.leave, "leave", ["escape"], .leaveFullScreen),
      row(.quit, "quit", ["q", "ctrl+q", "ctrl+w"], .quit),
    ]

  private static func row(_ action: ViewerAction, _ name: String, _ keys: [String], _ text: Word) -> Row {
    phrase(action, name, keys, .word(text))
  }

  private static func phrase(_ action: ViewerAction, _ name: String, _ keys: [String], _ text: Phrase) -> Row {
    Row(action: action, name: name, keys: keys.compactMap { KeyStroke($0) }, text: text)
  }

  /// The action's row of the table.
  var text: Phrase { Self.table.first { $0.action == self }?.text ?? .word(.unknown) }

  /// In English.
  package var help: String { Words.english[text] }

  package static func named(_ name: String) -> ViewerAction? { table.first { $0.name == name }?.action }
}
