import Decode
import Frames
import Media
import Playback
import Render
import Sound

extension Player {
  /// What the caller decides about a player before it plays.
  public struct Options: Sendable {
    /// Starts over at the end.
    public var loops = false
    /// Where each clip begins.
    public var start = MediaTime.zero
    /// 0 … 1, as heard: half of it is a quarter of the amplitude.
    public var volume = 1.0
    /// Where it is heard. Where that is not possible the clip is played without sound, and an event tells.
    public var output = SoundOutput.device(name: nil)
    public var sound = AudioWish.auto
    public var subtitles = SubtitleWish.auto
    /// The user's language, for the choice of tracks; nil: unknown.
    public var language: Language?
    /// Nil: what the file says, or what the picture probably is.
    public var projection: Projection?
    public var stereo: StereoLayout?
    /// Where a sphere is looked at first; nil: where the file says, or straight ahead.
    public var view: SphereView?
    /// Part of a Vulkan device's name; `auto`: the best one.
    public var device = "auto"
    /// Vulkan's validation layers watch, for tests of the program that embeds.
    public var validates = false
    private var served = Served()
    /// What the caller knows of the clip; overrides what the file says.
    public var metadata = Metadata()

    /// What comes from servers beside the clip.
    private struct Served {
      var keys = ContentKeys()
      var liveLatency: Double?
      var ads: String?
    }

    public init() {}

    /// Of clips and streams under common encryption; before those of a stream's own licence server.
    public var keys: ContentKeys {
      get { served.keys }
      set { served.keys = newValue }
    }
    /// A live stream is shown so many seconds behind; nil: as the stream asks for.
    public var liveLatency: Double? {
      get { served.liveLatency }
      set { served.liveLatency = newValue }
    }
    /// Ads in each clip: a file or URL of VMAP or VAST; nil: none.
    public var ads: String? {
      get { served.ads }
      set { served.ads = newValue }
    }
  }

  /// What a clip is called.
  public struct Metadata: Sendable, Hashable {
    public var title: String?
    public var artist: String?
    /// The bytes of a JPEG, PNG or WebP image: drawn while a clip of sound alone is played.
    public var artwork: [UInt8]?

    public init(title: String? = nil, artist: String? = nil, artwork: [UInt8]? = nil) {
      (self.title, self.artist, self.artwork) = (title, artist, artwork)
    }
  }

  /// What a player is doing.
  public enum Status: Sendable, Hashable, CustomStringConvertible {
    /// No clip, or no surface to show it on yet.
    case idle
    /// Opens the clip.
    case loading
    /// Shows the first picture, and has not been asked to play.
    case ready
    case playing
    case paused
    /// Waits for the picture that was sought; then plays or pauses as asked.
    case seeking
    /// Waits for media; the clock stands.
    case stalled
    /// Shows the last picture.
    case ended
    /// The clip cannot be shown, or not on; `load` tries again.
    case failed(Failure)

    public var description: String {
      switch self {
      case .idle: "idle"
      case .loading: "loading"
      case .ready: "ready"
      case .playing: "playing"
      case .paused: "paused"
      case .seeking: "seeking"
      case .stalled: "stalled"
      case .ended: "ended"
      case .failed(let failure): "failed: \(failure)"
      }
    }

    /// The clip has ended or failed: another status comes by an order only.
    public var isOver: Bool { self == .ended || failure != nil }

    /// Why the clip cannot be shown, or not on; nil: it is not `.failed`.
    public var failure: Failure? {
      guard case .failed(let failure) = self else { return nil }
      return failure
    }

    init(_ state: PlaybackState) {
      self =
        switch state {
        case .idle, .opening: .loading
        case .ready: .ready
        case .playing: .playing
        case .paused: .paused
        case .seeking: .seeking
        case .stalled: .stalled
        case .ended, .endedEarly: .ended
        case .failed(let failure): .failed(failure)
        }
    }
  }

  /// All that is to be seen of a player, at one moment.
  public struct State: Sendable, Equatable {
    public var status = Status.idle
    /// It plays, or will as soon as it can.
    public var isPlaying = false
    /// In the clip: the picture's place, or the one that is sought.
    public var position = MediaTime.zero
    /// Nil: unknown, or the clip is live.
    public var duration: MediaTime?
    public var rate = 1.0
    public var loops = false
    var spans = Spans()
    private var picture = Picture()
    public var sound = Sound()
    public var subtitles = Tracks()
    public var quality = Quality()
    public var counts = Counts()
    public var metadata = Metadata()
    /// What is shown in place of the clip, which stands meanwhile; nil: the clip is shown.
    public var ad: Ad?

    private struct Picture: Equatable {
      var size: PictureSize?
      var projection = Projection.flat
      var view = SphereView()
    }

    public init() {}

    /// The clip's picture, before it is projected; nil before a clip is open.
    public var pictureSize: PictureSize? {
      get { picture.size }
      set { picture.size = newValue }
    }
    public var projection: Projection {
      get { picture.projection }
      set { picture.projection = newValue }
    }
    public var view: SphereView {
      get { picture.view }
      set { picture.view = newValue }
    }
  }

  /// A part of a stream that its maker marked as a break, such as advertisements that a server stitched in.
  public struct Break: Sendable, Hashable, Identifiable {
    /// The same for as long as the stream lists it.
    public var id: String
    public var start = MediaTime.zero
    /// Nil: it is not known yet. As `start`: the break takes no time of the stream.
    public var end: MediaTime?
    /// While it plays, other places may be sought.
    public var allowsSkipping = true
    /// A seek may lead over it before it was watched; else see `Player.watchesBreaks`.
    public var allowsJumping = false
    /// It was played to its end: seeks over it are free.
    public var isWatched = false

    public init(id: String) { self.id = id }
  }

  /// From one place in a clip to another.
  public struct Span: Sendable, Hashable {
    public var start = MediaTime.zero
    public var end = MediaTime.zero

    public init() {}
  }

  /// Tracks by their names, and the one that is heard or shown; nil: none.
  public struct Tracks: Sendable, Hashable {
    public var names: [String] = []
    public var chosen: Int?

    public init() {}
  }

  public struct Sound: Sendable, Hashable {
    public var tracks = Tracks()
    /// 0 … 1.
    public var volume = 1.0
    public var isMuted = false

    public init() {}
  }

  /// The qualities of a stream, the lowest first; empty for a file.
  public struct Quality: Sendable, Hashable {
    /// Average or peak, in bit/s.
    public var bitrates: [Double] = []
    public var heights: [Int?] = []
    /// The caller's choice; nil: by what the network carries.
    public var fixed: Int?
    /// Of the picture.
    public var shown: Int?

    public init() {}
  }

  /// Since the clip was opened.
  public struct Counts: Sendable, Hashable {
    /// Pictures that were seen, and ones that came too late to be.
    public var presented = 0
    public var dropped = 0
    /// Pictures that no refresh can show (60 on 50 Hz), that the decoder left out to catch up, or that waited when a seek came.
    public var skipped = 0
    public var stalls = 0
    public var stallSeconds = 0.0

    public init() {}
  }

  /// What happens to a player.
  public enum Event: Sendable, Equatable {
    /// With the reason where that is a failure.
    case status(Status)
    /// The picture stands for want of media.
    case bufferEmpty
    /// Enough is loaded to play without a stall, by what is known.
    case likelyToKeepUp
    /// Plays again after a stall of so many seconds.
    case recovered(seconds: Double)
    case rate(Double)
    /// The picture is in another quality of the stream.
    case quality(Int)
    /// Another track is heard, or shown.
    case soundTrack(Int?)
    case subtitleTrack(Int?)
    /// An ad begins; nil: the clip goes on.
    case ad(Ad?)
    /// A seek is over.
    case sought(SeekOutcome)
    case ended
    /// Playing goes on, without something: sound, subtitles, the rest of a file that ends too early.
    case trouble(Failure)
    /// The first picture of a clip of `upNext` was seen. The gap behind the clip before; nil: that was left before its end.
    case moved(to: Item, after: ClipGap?)
    /// The device was lost, and opened again: the clip goes on.
    case resumed(after: Failure)
  }

  /// How a seek ended.
  public enum SeekOutcome: Sendable, Hashable {
    /// The picture of this time is shown.
    case landed(MediaTime)
    /// A later seek, or another clip, took its place.
    case superseded
    /// There is no picture in reach of the target.
    case missed
  }
}

/// A picture as a viewer sees it.
public struct PlayerImage: Sendable {
  /// In the clip.
  public var time: MediaTime
  public var size: PictureSize
  /// RGBA, 8 bits each, the top row first, without padding.
  public var pixels: [UInt8]

  public init(time: MediaTime, size: PictureSize, pixels: [UInt8]) {
    (self.time, self.size, self.pixels) = (time, size, pixels)
  }
}
