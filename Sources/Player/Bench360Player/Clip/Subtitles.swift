import Decode
import Frames
import GPU
import Media
import Overlay
import Playback
import Render

/// The subtitles of the current clip: its tracks, the selected one, and its lines at a time.
///
/// Main thread only; another thread reads the files, and only a change of track waits for it.
package final class Subtitles {
  /// A file that the user named, files beside the clip, then the clip's own streams.
  package private(set) var tracks: [SubtitleTrack] = []
  /// The selected track; nil: none.
  package private(set) var chosen: Int?
  /// Pixels at the target's lower edge that another part covers, such as a control bar: lines at the bottom lie above.
  package var bottom = 0
  /// The selection to apply to the next clip as well.
  private var wish: SubtitleWish
  /// The file that the user named, a track of every clip.
  private let named: String?
  private let locale: Language?
  private var clip: ProbedClip?
  private var feed: SubtitleFeed?
  /// Begins to load a track of a stream, whose tracks are the last ones.
  private var load: ((Int) -> SubtitleFeed)?
  private var (state, version) = (SubtitleFeed.State(), 0)
  /// Made when there is text to draw: looking for fonts takes a while.
  private var renderer: SubtitleRenderer?
  /// The last drawn state.
  private var drawn = SubtitlePicture()
  /// Later, and relative to the usual size.
  private var (delay, size) = (MediaTime.zero, 1.0)

  /// - Parameter locale: the user's language, if known.
  package init(wish: SubtitleWish, locale: Language?) {
    (self.wish, self.locale) = (wish, locale)
    named = if case .file(let file) = wish { file } else { nil }
  }

  /// Applies delay and size from now on.
  ///
  /// - Parameters:
  ///   - delay: lines come so much later.
  ///   - size: relative to the usual one.
  package func apply(delay: MediaTime, size: Double) { (self.delay, self.size) = (delay, size) }

  /// Opens the tracks of another clip. Returns a message for the user, if any.
  ///
  /// - Parameters:
  ///   - path: of the clip; files beside it belong to it.
  ///   - files: of a playlist that names them for the clip: the first one is shown, unless the user wishes another.
  ///   - streams: the clip's own tracks.
  ///   - clip: the open clip that holds the streams.
  ///   - load: of a stream, whose tracks are loaded over its network: begins to load one of `streams`.
  package func open(
    _ path: String, files: [String] = [], streams: [SubtitleTrack], of clip: ProbedClip? = nil,
    load: ((Int) -> SubtitleFeed)? = nil
  ) -> Notice? {
    close()
    (self.clip, self.load) = (clip, load)
    tracks = files.map { SideSubtitles.track(named: $0) } + SideSubtitles.tracks(beside: path) + streams
    if let named, !tracks.contains(where: { $0.file == named }) {
      tracks.insert(SideSubtitles.track(named: named), at: 0)
    }
    if case .auto = wish, !files.isEmpty { show(0) } else { show(wish.choose(tracks, locale: locale)) }
    guard case .language(let language) = wish, chosen == nil else { return nil }
    let refused = tracks.first { ($0.language?.fit(language) ?? 0) > 0 && $0.refusal != nil }
    if let refused, let refusal = refused.refusal { return .cannotShow(refused, cause: refusal) }
    return .lacks(language, path: path)
  }

  /// Stops showing and reading subtitles.
  package func close() {
    feed?.stop()
    (feed, state, version, chosen, tracks) = (nil, SubtitleFeed.State(), 0, nil, [])
    (clip, load) = (nil, nil)
  }

  /// Selects another track, or none; later clips get the same language, if they have it. Returns a message for users.
  package func choose(_ track: Int?) -> Notice {
    if let track, tracks.indices.contains(track) {
      if let refusal = tracks[track].refusal { return .cannotShow(tracks[track], cause: refusal) }
      let file = tracks[track].file.flatMap { $0 == named ? $0 : nil }
      wish = file.map { .file($0) } ?? tracks[track].language.map { .language($0) } ?? .auto
    } else {
      wish = .off
    }
    show(track)
    return .shown(chosen.map { tracks[$0] })
  }

  /// Selects the next track that can be shown; after the last, none.
  package func chooseNext() -> Notice {
    let shown = tracks.indices.filter { tracks[$0].refusal == nil }
    guard !shown.isEmpty else {
      return tracks.first?.refusal.map { .noneDrawable(cause: $0) } ?? .noTracks
    }
    guard let chosen else { return choose(shown[0]) }
    return choose(shown.first { $0 > chosen })
  }

  /// `Subtitles: English (clip.en.srt)`.
  package var description: String { Notice.shown(chosen.map { tracks[$0] }).description }

  /// Boxes of the last drawn lines, for each region that they were drawn in.
  package func boxes(in regions: (first: TargetRegion, second: TargetRegion?)) -> [Canvas.Box] {
    [regions.first, regions.second].compactMap { $0 }.flatMap { region in
      drawn.pieces.map { piece in
        Canvas.Box(
          left: Double(region.left + piece.left), top: Double(piece.top), width: Double(piece.coverage.width),
          height: Double(piece.coverage.height))
      }
    }
  }

  private func show(_ track: Int?) {
    let track = track.flatMap { tracks.indices.contains($0) ? $0 : nil }
    guard track != chosen else { return }
    feed?.stop()
    (state, version, chosen) = (SubtitleFeed.State(), 0, track)
    feed = track.map { begin($0) }
  }

  private func begin(_ track: Int) -> SubtitleFeed {
    guard let load, tracks[track].file == nil else { return SubtitleFeed(tracks[track], of: clip) }
    return load(tracks[..<track].count { $0.file == nil })
  }

  /// Takes the lines read since the last call; returns a message for the user, if any. Call it at each refresh: it is
  /// free if no line was read.
  package func advance() -> Notice? {
    guard let feed, feed.version != version else { return nil }
    version = feed.version
    let before = state
    state = feed.state
    if let failure = state.failure, before.failure == nil {
      if state.events.count == 0 { show(nil) }
      return .text(failure.description)
    }
    return before.note == nil ? state.note.map { .text($0) } : nil
  }

  /// Waits until the whole track is read; `advance` then takes its lines.
  package func waitUntilRead() { feed?.waitUntilComplete() }

  /// Whether drawing at `time`, in a target of `size`, would differ from the last drawn state.
  package func hasChanged(at time: MediaTime, in size: PictureSize) -> Bool { picture(at: time, in: size) != drawn }

  /// Draws the lines at `time`, once for each eye.
  ///
  /// - Parameter regions: the parts of the target that show the eyes' views.
  package func draw(
    on canvas: inout Canvas, at time: MediaTime, in regions: (first: TargetRegion, second: TargetRegion?)
  ) {
    drawn = picture(at: time, in: regions.first.size)
    for region in [regions.first, regions.second].compactMap({ $0 }) {
      drawn.draw(on: &canvas, at: Canvas.Point(Double(region.left), Double(region.top)))
    }
  }

  private func picture(at shown: MediaTime, in target: PictureSize) -> SubtitlePicture {
    let time = shown - delay
    guard let script = state.script else { return SubtitlePicture() }
    let events = state.events.visible(at: time)
    guard !events.isEmpty, let renderer = renderer ?? (try? SubtitleRenderer()) else { return SubtitlePicture() }
    self.renderer = renderer
    renderer.load(script)
    return renderer.picture(events, at: time, size: target, bottom: bottom, scale: size)
  }
}
