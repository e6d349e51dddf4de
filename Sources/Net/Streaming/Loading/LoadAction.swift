import Adaptation
import Frames
import HTTP
import Media

/// What a loader does next, as `LoadPlanner` says.
enum LoadAction {
  /// Nothing goes before it any more: waits until the store has room.
  case waitForRoom
  case wait(seconds: Double)
  /// Waits until the picture has used up so many seconds of what is loaded, but for `limit` seconds at most.
  case waitForBuffer(using: Double, limit: Double)
  /// What could not be had is asked for again, from now on.
  case forgetProblems
  /// A rung's playlist or index.
  case timeline(SegmentSource, rung: Int, isLive: Bool)
  /// The next state of a playlist.
  case playlist(MediaPlaylist, rung: Int, waits: Bool)
  /// The next state of the manifest at an address; nil: as the video's loader has it.
  case manifest(StreamAddress?)
  case clock(ManifestState)
  case segment(PlannedSegment)
  /// A segment of which the parts are loaded one by one, while it is made.
  case open(PlannedParts)
  case part(PartialSegment, end: MediaTime)
  /// A part that is not listed yet: its request waits at the server.
  case hint(StreamAddress)
  /// The segment whose parts were loaded ends there.
  case close(end: MediaTime)
  /// Playing begins there.
  case begin(MediaTime)
  /// The window has slid past what is played: playing is to go on there.
  case jump(MediaTime)
  case finish
  case fail(LoadProblem)
}

/// The result of an action.
enum LoadEvent {
  /// It was done: a wait, or another that brings nothing.
  case done
  case timeline(SegmentTimeline)
  /// A playlist that was loaded for the first time, or again.
  case playlist(MediaPlaylist)
  case manifest(Presentation)
  /// The video's manifest; nil: it has none.
  case followed(ManifestState?)
  /// The server's clock less the machine's; nil: it cannot be read.
  case clock(MediaTime?)
  /// A segment, with what its download tells of the network.
  case loaded(ThroughputSample)
  /// The download made way for a segment of a lower rung.
  case abandoned(for: Int)
  /// - Parameters:
  ///   - sample: nil: it was asked for before it was there, which tells nothing of the network.
  ///   - hintWasRight: nil: nothing was hinted.
  case part(sample: ThroughputSample?, hintWasRight: Bool?)
  case failed(LoadProblem)
}

/// How things stand when an action is planned.
struct LoadSituation {
  /// Seconds since the stream was opened.
  var time: Double
  /// The machine's time of day.
  var wall: WallTime
  /// Media that is loaded and lies ahead of the picture, in seconds.
  var buffer: Double
  /// The reader has all that is there, and waits for more.
  var isDrained: Bool
  var hasRoom: Bool
  /// The rung that the user chose; nil: the controller chooses.
  var fixedRung: Int?
  /// Of a track beside the video: what the video's loader knows; nil: it is the video's.
  var axis: LiveAxis?
  var manifest: ManifestState?
}

/// A segment that is to be loaded. A value.
struct PlannedSegment {
  var place: StreamTrack.Place
  var placed: StreamHistory.Placed
  /// The choice of its rung, where it is the first segment that was chosen by it.
  var decision: StreamHistory.Decision?
  /// Where it is still being made: when it is whole, by the machine's clock.
  var whole: WallTime?
  var media: StreamResource.Media
  var bitrate: Double
  /// Judges the download; nil: it makes way for none.
  var scheduler: SegmentScheduler?
}

/// A segment whose parts are loaded one by one. A value.
struct PlannedParts {
  var parts: LiveParts
  var placed: StreamHistory.Placed
  var decision: StreamHistory.Decision?
}

/// What a live stream tells anew, for its player and for the loaders of its sound.
struct LoadNews {
  var edge: LiveEdge?
  var axis: LiveAxis?
  var manifest: ManifestState?
  /// As a playlist marks them; nil: no playlist came.
  var breaks: [StreamBreak]?
  /// A manifest that came.
  var presentation: Presentation?
}
