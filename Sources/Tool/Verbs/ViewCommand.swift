import ArgumentParser
import Bench360Player
import Decode
import Desktop
import FoundationEssentials
import Frames
import Host
import Media
import Offline
import Playback
import Playlists
import Run
import Session
import Verdict
import Viewer

struct ViewCommand: HasDailyHelp {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Show clips in a window and look around in them.",
    discussion: """
        bench360 view clip.mp4
        drag   look around       space        play or pause
        wheel  zoom              left, right  5 seconds back, forward
        r      reset the view    h            list of keys

      Drag to look around, turn the wheel to zoom, double-click to centre a place. Without INPUT the first screen offers \
      recent clips, the built-in one, a file browser, and a field for a path or URL. Files dropped on the window are \
      played instead; several files play in order. The window takes the shape of the first flat clip, unless --size is \
      given. The sound of files turns with the view where it is ambisonic.

      Keys, by the names that \(UserFiles.shownKeys) may assign to other keys ('ctrl+s screenshot', 'f11 none'); \
      capital letters are typed with shift:
      \(keysHelp())

      Settings, one a line in \(UserFiles.shownSettings) ('text-size 150%'):
      \(settingsHelp())

      Gamepad: the left stick turns, the right one zooms, triggers roll, A plays or pauses, B resets the view, \
      bumpers skip 5 seconds.

      Exit codes: 0 fine, 1 failure (no display, no INPUT that can be shown, a port in use), 64 usage, 130 interrupted.
      """)

  static let dailyOptions: [(title: String, options: KeyValuePairs<String, String>)] = [
    (
      "What is shown",
      [
        "size": "Size of the view. (default: 1280x720)",
        "fullscreen": "Start in full screen.",
        "view": "Direction of the view, in degrees.",
        "projection": "auto, guess, flat, equirectangular, fisheye …",
        "stereo": "auto, mono, tb or sbs.",
        "subtitles": "auto, off, a language, or a file.",
      ]
    ),
    (
      "How it is played",
      [
        "repeat": "off, one or all. (default: off)",
        "shuffle": "Play the clips in random order.",
        "volume": "How loud at first, 0 to 100.",
        "mute": "Start without sound.",
        "decoder": "auto, software, cuda, vaapi or vulkan.",
        "device": "Vulkan device, as 'bench360 devices' lists it.",
      ]
    ),
    (
      "The record",
      [
        "record": "Measure the playback, as 'run --scenario play' does.",
        "events": "Write what happens, an event a line.",
      ]
    ),
  ]

  static let dailyNotes = """
    Without INPUT the first screen offers recent clips, the built-in one, a file browser, and a field for a path or URL. \
    --help-all and 'man bench360-view' list all options, the keys, and the lines of the settings file.
    """

  @Argument(
    help:
      "Video files, URLs, folders of clips or downloads, and playlists (M3U, or JSON as results/playlist.schema.json describes), played in order.",
    completion: Completion.clips)
  var inputs: [String] = []

  @Flag(help: "Start in full screen.")
  var fullscreen = false

  @OptionGroup
  var playlist: ViewPlaylistOptions

  @Flag(help: "Disable inertia: the view stops when the drag ends.")
  var noInertia = false

  @Flag(help: "Leave the window out of the desktop's media controls (MPRIS): media keys, panels, lock screens.")
  var noMediaControls = false

  @Option(
    help: ArgumentHelp(
      """
      'auto', 'off', a language ('en', 'eng', 'pt-BR') or a file (SRT, WebVTT, ASS). 'auto' takes the language of LANG, else \
      the track that the clip marks as default or forced, else none; a file with the clip's own name, clip.srt beside \
      clip.mp4, is a default. Text tracks inside clips from the network are not read.
      """,
      valueName: "auto|off|language|file"),
    completion: Completion.words(["auto", "off"], orFiles: ["srt", "vtt", "ass", "ssa"]))
  var subtitles = SubtitleWish.auto

  @Option(help: ArgumentHelp("Refreshes per second. (default: the display's)", valueName: "hz"))
  var refresh: Ratio?

  @Option(
    help: ArgumentHelp(
      """
      Record the playback as 'run --scenario play' does; the record is written when the window closes, one for each clip, the \
      second to FILE-2 and so on. 'compare' reads it.
      """,
      valueName: "file"), completion: Completion.records)
  var record: String?

  @Option(
    help: ArgumentHelp(
      """
      Turn the view with a head tracker: receive opentrack's output 'UDP over network' on this port, at 127.0.0.1 unless \
      another address of this machine is named.
      """,
      valueName: "port[@address]"))
  var headTracking: HeadTracker.Address?

  @Option(
    help: ArgumentHelp(
      "Record the input to the view, for 'run --scenario interaction/recorded --input-events'.",
      valueName: "file.json"), completion: Completion.records)
  var recordInput: String?

  @OptionGroup(title: "Sound")
  var sound: ViewSoundOptions

  @OptionGroup(title: "Streams")
  var streams: ViewStreamOptions

  @OptionGroup(title: "View and device options")
  var view: ViewOptions

  @OptionGroup
  var writing: WritingOptions

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  @OptionGroup
  var wholeHelp: WholeHelpOption

  func validate() throws {
    guard let recordInput else { return }
    if recordInput == "-" { throw ValidationError("--record-input takes a file, not '-'.") }
    func place(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }
    if inputs.map(place).contains(place(recordInput)) {
      throw ValidationError("--record-input must name none of the inputs.")
    }
  }

  func run() throws {
    if let recordInput {
      try writing.check(recordInput, .inputEvents)
      try RecordFile.checkWritable(recordInput, called: "input events", option: "--record-input")
    }
    let told = try playlist.events.map { try EventFile.writer($0, writing) }
    defer { told?.end() }
    let spool = Spool()
    defer { spool.remove() }
    if case .file(let file) = subtitles { try checkInput(file) }
    // Impossible options are reported before a clip is made or fetched.
    let options = try options()
    try spool.naming {
      var options = options
      let list = try Self.clips(of: try inputs.map { try spool.source($0).path })
      options.files.playlist.title = list.title
      options.files.events = told?.log
      let viewer = try Viewer(items: list.items, options: options)
      // The recording is kept even after a failure.
      let hasShown = Result { try viewer.run() }
      Interrupt.endWithin(seconds: 10)
      try keep(viewer.recording, isFlat: viewer.hasShownFlatOnly)
      if try !hasShown.get(), !Interrupt.isRequested { throw ExitStatus.failure }
    }
    if Interrupt.isRequested { throw ExitStatus.interrupted }
  }

  private static func clips(of inputs: [String]) throws(Failure) -> PlaylistFile {
    try PlaylistInputs.clips(of: inputs, isClip: ClipNames.isClip) { (folder) throws(Failure) in
      try Downloads.clips(in: folder)
    }
  }

  private func keep(_ recording: LookRecording?, isFlat: Bool) throws {
    guard let recordInput else { return }
    guard let recording else {
      let cause = isFlat ? "a flat picture has no view to turn" : "the view received no input"
      return Console.note("\(cause): \(recordInput) is not written")
    }
    try InputFile.write(recording, to: recordInput, option: "--record-input")
    Console.note("input events: \(recordInput)")
  }

  private func options() throws -> Viewer.Options {
    let settings = try view.settings()
    var options = Viewer.Options()
    options.session = settings.sessionOptions()
    options.session.decoder.network.retries = .watching
    options.session.geometry.acceptsGuess = options.session.geometry.projection == nil
    options.camera = settings.viewing.camera
    options.keys = try UserFiles.keys()
    options.settings = try userSettings()
    options.window.isFullscreen = fullscreen
    options.window.takesClipShape = view.isDefaultSize
    options.subtitles = subtitles
    options.sound = try sound.wish()
    options.locale = Language.locale(ProcessInfo.processInfo.environment)
    options.refresh = refresh
    options.hands.headTracker = try headTracking.map { try HeadTracker($0) }
    options.hands.isRecorded = recordInput != nil
    options.checkInput = { path, network, shouldStop throws(Failure) in
      guard namesOtherInputs(path) else { return }
      _ = try OpeningProcess.probe(path, network: network, shouldStop: shouldStop)
    }
    options.files.streaming = try streams.settings.options(
      seed: settings.repetition.seed, network: settings.decoder.network)
    options.files.streaming?.breakRule = streams.seekBreaks
    if options.settings.hasMediaControls {
      options.sessionBus = MediaControls.sessionAddress(ProcessInfo.processInfo.environment)
    }
    options.shouldQuit = { Interrupt.isRequested }
    options.onMessage = { Console.error($0) }
    if let record {
      let (settings, writing) = (settings, writing)
      try writing.check(record, .record)
      try RecordFile.checkWritable(record, called: "record", option: "--record")
      var count = 0
      options.watch = { session, path, pace in
        count += 1
        return watcher(session, path, pace, settings, to: numbered(record, count), writing)
      }
    }
    options.files.ads = playlist.ads
    options.files.playlist.clips = { inputs throws(Failure) in try Self.clips(of: inputs).items }
    options.files.playlist.seed = UInt64.random(in: 0...UInt64.max)
    options.files.home = UserFolders().home ?? FileManager.default.currentDirectoryPath
    options.files.folder = FileManager.default.currentDirectoryPath
    options.files.names = names(in:)
    options.files.list = entries(in:)
    options.files.recent = UserFiles.recent()
    options.files.remember = { UserFiles.write($0) }
    options.files.positions = UserFiles.positions()
    options.files.rememberPositions = { UserFiles.write($0) }
    options.files.geometries = UserFiles.geometries()
    options.files.rememberGeometries = { UserFiles.write($0) }
    options.files.makeBuiltInClip = builtInClip(progress:)
    return options
  }

  /// The user's settings, but what the command line says.
  private func userSettings() throws -> ViewerSettings {
    var settings = try UserFiles.settings()
    playlist.apply(to: &settings)
    if noInertia { settings.hasInertia = false }
    if noMediaControls { settings.hasMediaControls = false }
    sound.apply(to: &settings)
    settings.language = settings.language ?? Words(Language.messages(ProcessInfo.processInfo.environment))
    if let folder = settings.screenshotFolder {
      settings.screenshotFolder = UserFolders().expandingTilde(folder)
    }
    return settings
  }
}

/// Measures the playback of one clip, and writes the record when it ends.
private func watcher(
  _ session: RenderSession, _ path: String, _ pace: Viewer.Pace, _ settings: RunSettings, to file: String,
  _ writing: WritingOptions
) -> Viewer.Watcher {
  var settings = settings
  settings.pacing.refresh = pace.refresh
  let clip = WatchedClip(
    session, name: path, settings: settings, isTold: pace.isTold, sound: pace.sound,
    command: CommandLine.arguments)
  return Viewer.Watcher(onFrame: { clip.took($0) }, onTick: { clip.saw($0) }) { log, framesLeftOut, heard in
    do throws(Failure) {
      try writing.check(file, .record)
      try RecordFile.write(clip.record(log, framesLeftOut: framesLeftOut, heard: heard), to: file)
      Console.note("record: \(file)")
    } catch {
      Console.error(error.description)
    }
  }
}

/// `a.json`, `a-2.json` and so on.
private func numbered(_ path: String, _ number: Int) -> String {
  guard number > 1 else { return path }
  let (stem, suffix) = (path.deletingPathExtension, path.pathExtension)
  return suffix.isEmpty ? "\(stem)-\(number)" : "\(stem)-\(number).\(suffix)"
}

@Sendable private func builtInClip(
  progress: (_ share: Double, _ secondsLeft: Int?) -> Bool
) throws(Failure) -> String {
  var left = TimeLeft()
  do {
    return try BuiltInClip.ensure { done, count in
      let share = Double(done) / Double(max(1, count))
      left.note(share)
      return progress(share, left.roundSeconds)
    }
  } catch let failure as Failure {
    throw failure
  } catch {
    throw Failure(.failed, "cannot make the built-in clip", cause: "\(error)")
  }
}

extension SubtitleWish: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }

  public var defaultValueDescription: String { "auto" }
}

/// `space, k: play or pause`, a line for each action.
private func keysHelp() -> String {
  let rows = ViewerAction.table.map { row in
    (name: row.name, keys: row.keys.map(\.description).joined(separator: ", "), help: row.help)
  }
  let (names, keys) = (rows.map(\.name.count).max() ?? 0, rows.map(\.keys.count).max() ?? 0)
  return rows.map { row in
    "  " + row.name.filled(to: names + 2)
      + row.keys.filled(to: keys + 2) + row.help
  }.joined(separator: "\n")
}

/// `text-size 50…300%  size of controls and text`, a line for each setting.
private func settingsHelp() -> String {
  let rows = ViewerSettings.table
  let (names, values) = (rows.map(\.name.count).max() ?? 0, rows.map(\.values.count).max() ?? 0)
  return rows.map { row in
    "  " + row.name.filled(to: names + 2)
      + row.values.filled(to: values + 2) + row.help
  }.joined(separator: "\n")
}

extension HeadTracker.Address: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
