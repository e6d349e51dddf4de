import Bench360Player
import Frames
import Playlists

/// The playback state that the controls show at a refresh. Values only.
package struct ControlFacts: Sendable, Hashable {
  /// Whether it plays, or will play once it can.
  package var isPlaying = false
  package var isAtEnd = false
  package var files = Files()
  /// Times in the clip: the current position, the duration if known, and the end of what is loaded or decoded.
  package var place = MediaTime.zero
  package var duration: MediaTime?
  package var loadedTo = MediaTime.zero
  package var rate = 1.0
  package var projections = Projections()
  package var stereo = StereoLayout.mono
  package var showsBothEyes = false
  package var tracks = Tracks()
  /// Nil: it is on demand.
  package var live: LiveWindow?
  package var marks = SliderMarks()
  /// The ad that is shown; nil: the clip is.
  package var ad: AdFacts?
  package var window = Window()

  package struct Projections: Sendable, Hashable {
    package var current = Projection.equirectangular
    /// As the menu lists them, the likeliest first.
    package var order = Projection.allCases

    package init() {}
  }

  package struct Tracks: Sendable, Hashable {
    /// Names of the subtitles that can be shown, by track number.
    package var subtitles: [Int: String] = [:]
    package var chosenSubtitles: Int?
    package var qualities = Qualities()
    package var sound = Sound()
  }

  /// The sound of the clip.
  package struct Sound: Sendable, Hashable {
    /// Names of the tracks that can be heard, by number; none where there is no sound.
    package var tracks: [Int: String] = [:]
    package var chosen: Int?
    package var isMuted = false
    /// 0 … 1, as it is when the sound is not muted.
    package var volume = 1.0

    package init() {}
  }

  /// The rungs of a stream, the lowest first; none for a file.
  package struct Qualities: Sendable, Hashable {
    /// For the menu, and short ones for the control.
    package var titles: [String]
    package var names: [String]
    /// The user's choice; nil: by what the network carries.
    package var fixed: Int?
    /// The one of the picture on the display.
    package var shown: Int?

    package init(titles: [String] = [], names: [String] = [], fixed: Int? = nil, shown: Int? = nil) {
      (self.titles, self.names, self.fixed, self.shown) = (titles, names, fixed, shown)
    }
  }

  package var subtitles: [Int: String] {
    get { tracks.subtitles }
    set { tracks.subtitles = newValue }
  }
  package var chosenSubtitles: Int? {
    get { tracks.chosenSubtitles }
    set { tracks.chosenSubtitles = newValue }
  }
  package var sound: Sound {
    get { tracks.sound }
    set { tracks.sound = newValue }
  }
  package var qualities: Qualities {
    get { tracks.qualities }
    set { tracks.qualities = newValue }
  }

  package var projection: Projection {
    get { projections.current }
    set { projections.current = newValue }
  }

  /// The position of the current file in the playlist.
  package struct Files: Sendable, Hashable {
    package var hasNext = false
    package var hasPrevious = false
    /// The number of the current one in the order of playing, from 1, and how many there are.
    package var position = 1
    package var count = 1
    package var repeats = PlayQueue.Repeat.off
    package var isShuffled = false
    package var showsPanel = false

    package init(hasNext: Bool = false, hasPrevious: Bool = false) {
      (self.hasNext, self.hasPrevious) = (hasNext, hasPrevious)
    }
  }

  package struct Window: Sendable, Hashable {
    /// The window is the mini player.
    package var isMini = false
    /// The window is full screen.
    package var isFullscreen = false
    package var showsStatistics = false
    /// Text and controls, relative to their usual size.
    package var textSize = 1.0
    package var isHighContrast = false
    package var words = Words.english

    package init() {}
  }

  package var words: Words { window.words }

  package init() {}

  /// Nil if the clip has no known length.
  var sliderDuration: MediaTime? { duration.flatMap { $0 > .zero ? $0 : nil } }
}

/// A duration for people: `3:07`, or `1:03:07` from one hour on.
package enum ClockText {
  /// The elapsed or remaining time beside the duration: `0:03 / 4:00`, `−3:57 / 4:00`; else the elapsed time alone.
  package static func time(_ place: MediaTime, of duration: MediaTime?, showsRemaining: Bool) -> String {
    guard let duration else { return text(place, hours: place.seconds >= 3600) }
    let hours = duration.seconds >= 3600
    let shown = min(max(place, .zero), duration)
    // Elapsed and remaining time change at the same moment.
    let rest = Int(duration.seconds) - Int(shown.seconds)
    let first =
      showsRemaining ? "−" + text(MediaTime(seconds: Double(rest)), hours: hours) : text(shown, hours: hours)
    return first + " / " + text(duration, hours: hours)
  }

  /// Whole elapsed seconds.
  package static func text(_ time: MediaTime, hours: Bool) -> String {
    let seconds = Int(max(time, .zero).seconds)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (minutes, rest) = (seconds / 60, two(seconds % 60))
    return hours ? "\(minutes / 60):\(two(minutes % 60)):\(rest)" : "\(minutes):\(rest)"
  }

  /// As wide as any time of such a clip: with the sign, and with equal digits.
  static func widest(_ duration: MediaTime?) -> String {
    guard let duration else { return "0:00:00" }
    let whole = text(duration, hours: duration.seconds >= 3600).map { $0.isNumber ? "0" : $0 }
    return "−" + String(whole) + " / " + String(whole)
  }
}
