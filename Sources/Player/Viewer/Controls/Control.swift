import Bench360Player
import Overlay

/// The controls of the bar, in Tab order.
///
/// To add a control: a case here, its row below, its look in `ControlLook`, its place in `leaving`, and, if it
/// opens a menu, that menu's items in `Menu.items`.
package enum Control: String, Sendable, Hashable, CaseIterable {
  case slider
  case open, previousFile, previousFrame, play, nextFrame, nextFile, time, live, ad
  case mute, volume, audio, speed, quality, subtitles, projection, stereo, goggles, loop, playlist, statistics, mini,
    fullscreen

  /// What a click on the control does.
  package enum Purpose: Sendable, Hashable {
    case slide
    case act(ViewerAction)
    case openMenu
    /// A press sets the volume, and moving it changes it.
    case setVolume
  }

  package var purpose: Purpose { row.purpose }
  /// Its name, where the help of its action does not give one.
  package var title: Word? { row.title }
  /// The actions whose keys do the same as the control, or part of it.
  package var actions: [ViewerAction] { row.actions }

  /// If the window is too narrow for all controls, these are hidden, the first ones first. The slider and `play` stay.
  package static let leaving: [[Control]] = [
    [.volume], [.mini], [.statistics], [.playlist], [.loop], [.goggles], [.stereo], [.projection],
    [.previousFile, .nextFile],
    [.previousFrame, .nextFrame], [.open], [.audio], [.quality], [.subtitles], [.speed], [.mute], [.time],
    [.live], [.fullscreen], [.ad],
  ]

  /// On the left side of the bar, from its edge; the others are on the right.
  static let left: [Control] = [.open, .previousFile, .previousFrame, .play, .nextFrame, .nextFile, .time, .live, .ad]
  static let right: [Control] = [
    .mute, .volume, .audio, .speed, .quality, .subtitles, .projection, .stereo, .goggles, .loop, .playlist, .statistics,
    .mini,
    .fullscreen,
  ]

  private struct Row {
    var purpose: Purpose
    var title: Word?
    var actions: [ViewerAction]

    init(_ action: ViewerAction) { (purpose, actions) = (.act(action), [action]) }

    init(_ purpose: Purpose, _ title: Word, _ actions: [ViewerAction]) {
      (self.purpose, self.title, self.actions) = (purpose, title, actions)
    }
  }

  private var row: Row {
    switch self {
    case .slider: Row(.slide, .position, [.skip(5), .skip(-5)])
    case .open: Row(.open)
    case .previousFile: Row(.previous)
    case .previousFrame: Row(.step(-1))
    case .play: Row(.playOrPause)
    case .nextFrame: Row(.step(1))
    case .nextFile: Row(.next)
    case .time: Row(.remaining)
    case .live: Row(.goLive)
    case .ad: Row(.skipAd)
    case .mute: Row(.act(.mute), .muteByWheel, [.mute, .volume(5), .volume(-5)])
    case .volume: Row(.setVolume, .volume, [.volume(5), .volume(-5)])
    case .audio: Row(.openMenu, .audio, [.audioTrack])
    case .speed: Row(.openMenu, .speed, [.slower, .faster, .normalSpeed])
    case .quality: Row(.openMenu, .quality, [.quality])
    case .subtitles: Row(.openMenu, .subtitles, [.subtitles])
    case .projection: Row(.openMenu, .projection, [.projection])
    case .stereo: Row(.openMenu, .stereoLayout, [.stereo])
    case .goggles: Row(.goggles)
    case .loop: Row(.loop)
    case .playlist: Row(.openMenu, .playlist, [.playlist, .shuffle, .loop])
    case .statistics: Row(.statistics)
    case .mini: Row(.mini)
    case .fullscreen: Row(.fullscreen)
    }
  }
}
