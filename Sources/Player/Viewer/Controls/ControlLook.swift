import Overlay

/// The icon or text of a control.
package struct ControlLook: Sendable, Hashable {
  package var icon: Icon?
  package var text: String?
  /// A dot stands before the text.
  package var badge: LiveWindow.Badge?
  /// It is turned on, or not at its default.
  package var isOn = false
  package var isEnabled = true

  /// - Parameter time: the clock's text.
  package init(_ control: Control, _ facts: ControlFacts, time: String) {
    switch control {
    case .slider: break
    case .open: icon = .open
    case .previousFile: (icon, isEnabled) = (.previousFile, facts.files.hasPrevious)
    case .previousFrame: icon = .previousFrame
    case .play: icon = facts.isAtEnd ? .replay : facts.isPlaying ? .pause : .play
    case .nextFrame: (icon, isEnabled) = (.nextFrame, !facts.isAtEnd)
    case .nextFile: (icon, isEnabled) = (.nextFile, facts.files.hasNext)
    case .time: text = time
    case .live:
      badge = facts.live?.badge
      (text, isEnabled) = (badge?.text(facts.words), badge != .ended)
    case .ad: (text, isEnabled) = (facts.ad?.text(facts.words), facts.ad?.canSkip ?? false)
    case .mute:
      icon = facts.sound.isMuted || facts.sound.tracks.isEmpty ? .muted : .speaker
      isEnabled = !facts.sound.tracks.isEmpty
    case .volume: isEnabled = !facts.sound.tracks.isEmpty
    case .audio: (icon, isEnabled) = (.notes, !facts.sound.tracks.isEmpty)
    case .speed: (text, isOn) = (facts.words.rate(facts.rate), facts.rate != 1)
    case .quality:
      let names = facts.qualities.names
      text = facts.qualities.shown.flatMap { names.indices.contains($0) ? names[$0] : nil } ?? facts.words[.auto]
      isOn = facts.qualities.fixed != nil
    case .subtitles: (text, isOn) = ("CC", facts.chosenSubtitles != nil)
    case .projection: icon = .globe
    case .stereo: (icon, isOn) = (.twoPictures, facts.stereo != .mono)
    case .goggles: (icon, isOn) = (.goggles, facts.showsBothEyes)
    case .loop: (icon, isOn) = (.loop, facts.files.repeats != .off)
    case .playlist: (text, isOn) = ("\(facts.files.position) / \(facts.files.count)", facts.files.showsPanel)
    case .statistics: (icon, isOn) = (.statistics, facts.window.showsStatistics)
    case .mini: (icon, isOn) = (.smallWindow, facts.window.isMini)
    case .fullscreen: icon = facts.window.isFullscreen ? .leaveFullScreen : .fullScreen
    }
  }
}
