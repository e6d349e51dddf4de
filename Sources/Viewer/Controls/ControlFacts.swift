import Frames
import Playlists
import Render

/// The playback state that the controls show at a refresh. Values only.
public struct ControlFacts: Sendable, Hashable {
  /// Whether it plays, or will play once it can.
  public var isPlaying = false
  public var isAtEnd = false
  public var files = Files()
  /// Times in the clip: the current position, the duration if known, and the end of what is loaded or decoded.
  public var place = MediaTime.zero
  public var duration: MediaTime?
  public var loadedTo = MediaTime.zero
  public var rate = 1.0
  public var projections = Projections()
  public var stereo = StereoLayout.mono
  public var showsBothEyes = false
  public var tracks = Tracks()
  /// Nil: it is on demand.
  public var live: LiveWindow?
  public var marks = SliderMarks()
  /// The ad that is shown; nil: the clip is.
  public var ad: AdFacts?
  public var window = Window()

  public struct Projections: Sendable, Hashable {
    public var current = Projection.equirectangular
    /// As the menu lists them, the likeliest first.
    public var order = Projection.allCases

    public init() {}
  }

  public struct Tracks: Sendable, Hashable {
    /// Names of the subtitles that can be shown, by track number.
    public var subtitles: [Int: String] = [:]
    public var chosenSubtitles: Int?
    public var qualities = Qualities()
    public var sound = Sound()
  }

  /// The sound of the clip.
  public struct Sound: Sendable, Hashable {
    /// Names of the tracks that can be heard, by number; none where there is no sound.
    public var tracks: [Int: String] = [:]
    public var chosen: Int?
    public var isMuted = false
    /// 0 … 1, as it is when the sound is not muted.
    public var volume = 1.0

    public init() {}
  }

  /// The rungs of a stream, the lowest first; none for a file.
  public struct Qualities: Sendable, Hashable {
    /// For the menu, and short ones for the control.
    public var titles: [String]
    public var names: [String]
    /// The user's choice; nil: by what the network carries.
    public var fixed: Int?
    /// The one of the picture on the display.
    public var shown: Int?

    public init(titles: [String] = [], names: [String] = [], fixed: Int? = nil, shown: Int? = nil) {
      (self.titles, self.names, self.fixed, self.shown) = (titles, names, fixed, shown)
    }
  }

  public var subtitles: [Int: String] {
    get { tracks.subtitles }
    set { tracks.subtitles = newValue }
  }
  public var chosenSubtitles: Int? {
    get { tracks.chosenSubtitles }
    set { tracks.chosenSubtitles = newValue }
  }
  public var sound: Sound {
    get { tracks.sound }
    set { tracks.sound = newValue }
  }
  public var qualities: Qualities {
    get { tracks.qualities }
    set { tracks.qualities = newValue }
  }

  public var projection: Projection {
    get { projections.current }
    set { projections.current = newValue }
  }

  /// The position of the current file in the playlist.
  public struct Files: Sendable, Hashable {
    public var hasNext = false
    public var hasPrevious = false
    /// The number of the current one in the order of playing, from 1, and how many there are.
    public var position = 1
    public var count = 1
    public var repeats = PlayQueue.Repeat.off
    public var isShuffled = false
    public var showsPanel = false

    public init(hasNext: Bool = false, hasPrevious: Bool = false) {
      (self.hasNext, self.hasPrevious) = (hasNext, hasPrevious)
    }
  }

  public struct Window: Sendable, Hashable {
    /// The window is the mini player.
    public var isMini = false
    /// The window is full screen.
    public var isFullscreen = false
    public var showsStatistics = false
    /// Text and controls, relative to their usual size.
    public var textSize = 1.0
    public var isHighContrast = false
    public var words = Words.english

    public init() {}
  }

  public var words: Words { window.words }

  public init() {}

  /// Nil if the clip has no known length.
  var sliderDuration: MediaTime? { duration.flatMap { $0 > .zero ? $0 : nil } }
}

/// A duration for people: `3:07`, or `1:03:07` from one hour on.
public enum ClockText {
  /// The elapsed or remaining time beside the duration: `0:03 / 4:00`, `−3:57 / 4:00`; else the elapsed time alone.
  public static func time(_ place: MediaTime, of duration: MediaTime?, showsRemaining: Bool) -> String {
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
  public static func text(_ time: MediaTime, hours: Bool) -> String {
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
