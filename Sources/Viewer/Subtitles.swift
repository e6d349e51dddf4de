import Decode
import Frames
import GPU
import Overlay
import Playback
import Render

/// The subtitles of the clip that is shown: which tracks there are, which one is read, and what it shows at a moment.
///
/// The main thread's alone; files are read on another one, and nothing here waits for it but the change to another track.
public final class Subtitles {
  /// A file that somebody named, files beside the clip, then the clip's own streams.
  public private(set) var tracks: [SubtitleTrack] = []
  /// The one that is shown; nil: none.
  public private(set) var chosen: Int?
  /// Pixels at the target's lower edge that something else needs, such as a control bar: lines at the bottom lie above.
  public var bottom = 0
  /// What is wanted of the next clip as well.
  private var wish: SubtitleWish
  private let locale: Language?
  private var clip = ""
  private var feed: SubtitleFeed?
  private var (state, version) = (SubtitleFeed.State(), 0)
  /// Made when there is something to draw: looking for fonts takes a while.
  private var renderer: SubtitleRenderer?
  /// What was drawn last.
  private var drawn = SubtitlePicture()

  /// - Parameter locale: the user's language, where that is known.
  public init(wish: SubtitleWish, locale: Language?) {
    (self.wish, self.locale) = (wish, locale)
  }

  /// Another clip. What a person should know, if anything.
  ///
  /// - Parameter streams: the clip's own tracks.
  public func open(_ clip: String, streams: [SubtitleTrack]) -> String? {
    close()
    self.clip = clip
    tracks = SideSubtitles.tracks(beside: clip) + streams
    if case .file(let file) = wish, !tracks.contains(where: { $0.file == file }) {
      tracks.insert(SideSubtitles.track(named: file), at: 0)
    }
    show(wish.choose(tracks, locale: locale))
    guard case .language(let language) = wish, chosen == nil else { return nil }
    let refused = tracks.first { ($0.language?.fit(language) ?? 0) > 0 && $0.refusal != nil }
    if let refused, let refusal = refused.refusal { return "cannot show subtitles \(refused.name): \(refusal)" }
    return "'\(clip)' has no subtitles in \(language.name)"
  }

  /// Nothing is shown or read any more.
  public func close() {
    feed?.stop()
    (feed, state, version, chosen, tracks) = (nil, SubtitleFeed.State(), 0, nil, [])
  }

  /// Shows another track, or none; clips that follow get the same language, if they have it. What it came to, for a person.
  public func choose(_ track: Int?) -> String {
    if let track, tracks.indices.contains(track) {
      if let refusal = tracks[track].refusal { return "cannot show subtitles \(tracks[track].name): \(refusal)" }
      wish = tracks[track].language.map { .language($0) } ?? .auto
    } else {
      wish = .off
    }
    show(track)
    return description
  }

  /// The next track that can be shown; behind the last, none.
  public func chooseNext() -> String {
    let shown = tracks.indices.filter { tracks[$0].refusal == nil }
    guard !shown.isEmpty else {
      return tracks.first?.refusal.map { "no subtitles that can be shown: \($0)" } ?? "there are no subtitles"
    }
    guard let chosen else { return choose(shown[0]) }
    return choose(shown.first { $0 > chosen })
  }

  /// `subtitles: English (clip.en.srt)`.
  public var description: String { "subtitles: \(chosen.map { tracks[$0].name } ?? "off")" }

  private func show(_ track: Int?) {
    let track = track.flatMap { tracks.indices.contains($0) ? $0 : nil }
    guard track != chosen else { return }
    feed?.stop()
    (state, version, chosen) = (SubtitleFeed.State(), 0, track)
    feed = track.map { SubtitleFeed(tracks[$0], of: clip) }
  }

  /// Takes what was read since; what a person should know of it, if anything. To be called at each refresh: it costs nothing
  /// where nothing was read.
  public func advance() -> String? {
    guard let feed, feed.version != version else { return nil }
    version = feed.version
    let before = state
    state = feed.state
    if let failure = state.failure, before.failure == nil {
      if state.events.count == 0 { show(nil) }
      return failure.description
    }
    return before.note == nil ? state.note : nil
  }

  /// Waits until all of the track is read, which `advance` then takes.
  package func waitUntilRead() { feed?.waitUntilComplete() }

  /// Whether it looks another way at `time` than it was drawn last, in a target of `size`.
  public func hasChanged(at time: MediaTime, in size: PictureSize) -> Bool { picture(at: time, in: size) != drawn }

  /// Draws what stands at `time`, once for each eye.
  ///
  /// - Parameter regions: the parts of the target that show the eyes' views.
  public func draw(
    on canvas: inout Canvas, at time: MediaTime, in regions: (first: TargetRegion, second: TargetRegion?)
  ) {
    drawn = picture(at: time, in: regions.first.size)
    for region in [regions.first, regions.second].compactMap({ $0 }) {
      drawn.draw(on: &canvas, at: Canvas.Point(Double(region.left), Double(region.top)))
    }
  }

  private func picture(at time: MediaTime, in size: PictureSize) -> SubtitlePicture {
    guard let script = state.script else { return SubtitlePicture() }
    let events = state.events.visible(at: time)
    guard !events.isEmpty, let renderer = renderer ?? (try? SubtitleRenderer()) else { return SubtitlePicture() }
    self.renderer = renderer
    renderer.load(script)
    return renderer.picture(events, at: time, size: size, bottom: bottom)
  }
}
