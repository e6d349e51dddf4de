import Bench360Player
import Frames
import Playlists
import Window

// The queue in the window: modes, places that are remembered, and the panel.
extension Viewer {
  // MARK: - Inputs

  /// Plays other inputs from now on: clips, folders, playlists.
  func play(_ inputs: [String]) {
    guard let items = clips(of: inputs) else { return }
    files.replace(with: items)
    next = .file
  }

  /// Inputs are played next.
  func insert(_ inputs: [String]) {
    guard let items = clips(of: inputs) else { return }
    for item in items.reversed() { files.queue.insertNext(item) }
    say(.nextUp, items.count == 1 ? items[0].name : words[.clips(items.count)])
  }

  private func clips(of inputs: [String]) -> [PlaylistItem]? {
    do throws(Failure) {
      return try options.files.playlist.clips(inputs)
    } catch {
      if showing == nil { start.complaint = error.description }
      tell(error.description)
      return nil
    }
  }

  // MARK: - Modes

  func arrange(_ action: ViewerAction) {
    switch action {
    case .loop:
      let modes: [PlayQueue.Repeat] = files.queue.entries.count > 1 ? [.off, .one, .all] : [.off, .one]
      change(repeats: modes.after(options.settings.repeats))
    case .shuffle:
      options.settings.isShuffled.toggle()
      files.queue.shuffle(options.settings.isShuffled)
      say(.shuffle, options.settings.isShuffled)
    case .playlist: files.panel.toggle(files.queue)
    case .goOn: goOn()
    default: break
    }
    isStale = true
  }

  func choose(_ choice: PlaylistChoice) {
    switch choice {
    case .panel: arrange(.playlist)
    case .shuffle: arrange(.shuffle)
    case .repeats(let repeats): change(repeats: repeats)
    }
  }

  func change(repeats: PlayQueue.Repeat) {
    options.settings.repeats = repeats
    files.queue.repeats = repeats
    showing?.clip.loops = loops
    say(repeats.title)
  }

  /// Whether a clip begins again at its end, without a gap.
  var loops: Bool {
    options.settings.repeats == .one || options.settings.repeats == .all && files.queue.entries.count == 1
  }

  var fileFacts: ControlFacts.Files {
    var facts = ControlFacts.Files(hasNext: files.queue.canSkip(1), hasPrevious: files.queue.canSkip(-1))
    (facts.position, facts.count) = (max(1, files.queue.position), max(1, files.queue.entries.count))
    (facts.repeats, facts.isShuffled) = (options.settings.repeats, options.settings.isShuffled)
    facts.showsPanel = files.panel.isShown
    return facts
  }

  /// A clip that was prepared is shown with the settings of its first picture.
  func takeSettings(_ showing: Showing) {
    showing.clip.loops = loops
    if let sound = showing.sound { applyVolume(to: sound) }
  }

  // MARK: - Where clips were left

  /// Seconds for which the question is there.
  private static let questionLasts = 10.0

  /// Where the clip begins; nil: at its start.
  func firstPlace(of showing: Showing) -> Recovery.Place? {
    guard let start = showing.item.start else { return rememberedPlace(of: showing) }
    guard start > .zero else { return nil }
    return Recovery.Place(path: showing.path, time: start, camera: hands.look.camera, isPlaying: true)
  }

  /// Asks whether to go on where the clip was left.
  func ask(_ showing: Showing, _ time: MediaTime, _ clock: String) {
    guard let key = options.keys.keys(of: .goOn).first else { return }
    showing.offer = (time, MonotonicTime.now.advanced(byMilliseconds: Self.questionLasts * 1000))
    hud.say(words[.goOn(at: clock, key: Tooltip.shown(key))], at: .now, seconds: Self.questionLasts)
    isStale = true
  }

  private func goOn() {
    guard let showing, let offer = showing.offer, offer.until > .now else { return }
    showing.offer = nil
    seek(offer.time, showing)
    say(.continued(at: ClockText.text(offer.time, hours: (showing.duration?.seconds ?? 0) >= 3600)))
  }

  /// A clip that is left before the question was answered keeps its place.
  func noteLeft(_ showing: Showing) {
    let place = showing.hasEnded ? MediaTime.zero : showing.place
    if showing.offer != nil, place.seconds < ClipPositions.margin { return }
    files.noteLeft(showing.path, at: place, of: showing.duration)
  }
}

extension PlaylistItem {
  /// For users.
  var name: String { title ?? ShownClip(source).name }
}
