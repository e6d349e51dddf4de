import ArgumentParser
import Decode
import Foundation
import Frames
import Host
import Media
import Playback
import Run
import Session
import Verdict
import Viewer

struct ViewCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Show clips in a window and look around in them.",
    discussion: """
      Drag to look around, turn the wheel to come nearer, click twice to bring a place to the middle. Without INPUT it lets you \
      choose: a clip that was shown lately, the built-in one, a path or URL to type. Files that are dropped on the window are \
      shown instead; the next one follows when one has ended. There is no sound.

      Keys, by the names that \(KeyFile.shownPath) may give other keys to ('ctrl+s screenshot', 'f11 none'):
      \(keysHelp())

      Gamepad: the left stick turns, the right one comes nearer, triggers roll, A plays or pauses, B looks straight ahead, \
      bumpers skip 5 seconds.

      Exit codes: 0 fine, 1 failure (no display, nothing that can be shown, a port in use), 64 usage, 130 interrupted.
      """)

  @Argument(help: "Video files or URLs, shown one after the other.", completion: Completion.clips)
  var inputs: [String] = []

  @Flag(help: "Fill the display.")
  var fullscreen = false

  @Flag(help: "Start over at the end of a clip.")
  var loop = false

  @Flag(help: "Let the view stop where it is let go of.")
  var noInertia = false

  @Option(
    help: ArgumentHelp(
      """
      'auto', 'off', a language ('en', 'eng', 'pt-BR') or a file (SRT, WebVTT, ASS). 'auto' takes the language of LANG, else \
      what the clip marks as default or forced, else none; a file with the clip's own name, clip.srt beside clip.mp4, is a \
      default. Text tracks inside of clips from the network are not read.
      """,
      valueName: "auto|off|language|file"),
    completion: Completion.words(["auto", "off"], orFiles: ["srt", "vtt", "ass", "ssa"]))
  var subtitles = SubtitleWish.auto

  @Option(help: ArgumentHelp("Refreshes per second. (default: the display's)", valueName: "hz"))
  var refresh: Ratio?

  @Option(
    help: ArgumentHelp(
      """
      Write what was watched as a record, as 'run --scenario play' does, when the window is closed: one for each clip, the \
      second one into FILE-2 and so on. 'compare' reads it.
      """,
      valueName: "file"), completion: Completion.records)
  var record: String?

  @Option(
    help: ArgumentHelp(
      """
      Turn the view with a head: listen for opentrack's output 'UDP over network' on this port, of 127.0.0.1 unless \
      another address of this machine is named.
      """,
      valueName: "port[@address]"))
  var headTracking: HeadTracker.Address?

  @Option(
    help: ArgumentHelp(
      "Keep what hands do to the view, for 'run --scenario interaction/recorded --input-events'.",
      valueName: "file.json"), completion: Completion.records)
  var recordInput: String?

  @OptionGroup(title: "View and device options")
  var view: ViewOptions

  @OptionGroup
  var writing: WritingOptions

  @OptionGroup
  var diagnostics: DiagnosticsOptions

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
    let spool = Spool()
    defer { spool.remove() }
    if case .file(let file) = subtitles { try checkInput(file) }
    // Impossible options are reported before a clip is made or fetched.
    let options = try options()
    try spool.naming {
      let files = try inputs.map { try spool.source($0).path }
      let viewer = try Viewer(files: files, options: options)
      // The recording is kept even after a failure.
      let hasShown = Result { try viewer.run() }
      Interrupt.endWithin(seconds: 10)
      try keep(viewer.recording)
      if try !hasShown.get(), !Interrupt.isRequested { throw ExitStatus.failure }
    }
    if Interrupt.isRequested { throw ExitStatus.interrupted }
  }

  private func keep(_ recording: LookRecording?) throws {
    guard let recordInput else { return }
    guard let recording else { return Console.note("nothing was done to the view: \(recordInput) is not written") }
    try InputFile.write(recording, to: recordInput, option: "--record-input")
    Console.note("input events: \(recordInput)")
  }

  private func options() throws -> Viewer.Options {
    let settings = view.settings()
    var options = Viewer.Options()
    options.session = settings.sessionOptions()
    options.session.geometry.acceptsGuess = options.session.geometry.projection == nil
    options.camera = settings.viewing.camera
    options.keys = try KeyFile.read()
    options.loops = loop
    options.isFullscreen = fullscreen
    options.hands.hasInertia = !noInertia
    options.subtitles = subtitles
    options.locale = Language.locale(ProcessInfo.processInfo.environment)
    options.refresh = refresh
    options.hands.headTracker = try headTracking.map { try HeadTracker($0) }
    options.hands.isRecorded = recordInput != nil
    options.checkInput = { [network = view.decoding.network.options] path, shouldStop throws(Failure) in
      guard namesOtherInputs(path) else { return }
      _ = try OpeningProcess.probe(path, network: network, shouldStop: shouldStop)
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
    options.files.home = NSHomeDirectory()
    options.files.names = names(in:)
    options.files.recent = RecentFile.read()
    options.files.remember = RecentFile.write(_:)
    options.files.geometries = RememberedGeometries(text: StateFile.projections.read())
    options.files.rememberGeometries = { StateFile.projections.write($0.text) }
    options.files.makeBuiltInClip = builtInClip(progress:)
    return options
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
    session, name: path, settings: settings, isTold: pace.isTold,
    command: CommandLine.arguments)
  return Viewer.Watcher(onFrame: { clip.took($0) }, onTick: { clip.saw($0) }) { log, framesLeftOut in
    do throws(Failure) {
      try writing.check(file, .record)
      try RecordFile.write(clip.record(log, framesLeftOut: framesLeftOut), to: file)
      Console.note("record: \(file)")
    } catch {
      Console.error(error.description)
    }
  }
}

/// `a.json`, `a-2.json` and so on.
private func numbered(_ path: String, _ number: Int) -> String {
  guard number > 1 else { return path }
  let (stem, suffix) = ((path as NSString).deletingPathExtension, (path as NSString).pathExtension)
  return suffix.isEmpty ? "\(stem)-\(number)" : "\(stem)-\(number).\(suffix)"
}

/// The names in a folder, folders with a trailing `/`, in alphabetical order; empty if it cannot be read.
@Sendable private func names(in folder: String) -> [String] {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return names.sorted().map { name in
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? name + "/" : name
  }
}

@Sendable private func builtInClip(progress: (Double) -> Bool) throws(Failure) -> String {
  do {
    return try BuiltInClip.ensure { done, count in progress(Double(done) / Double(max(1, count))) }
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
    "  " + row.name.padding(toLength: names + 2, withPad: " ", startingAt: 0)
      + row.keys.padding(toLength: keys + 2, withPad: " ", startingAt: 0) + row.help
  }.joined(separator: "\n")
}

/// The user's file of key bindings.
private enum KeyFile {
  static let shownPath = "~/.config/bench360/keys"

  static func read() throws -> KeyBindings {
    let environment = ProcessInfo.processInfo.environment
    let folder =
      environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory() + "/.config"
    let path = folder + "/bench360/keys"
    guard FileManager.default.fileExists(atPath: path) else { return KeyBindings() }
    guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20,
      let text = String(data: data, encoding: .utf8)
    else {
      throw Failure(
        .usage, "cannot read the keys in '\(path)'", cause: "it is not a text file that can be read",
        remedy: "mend it or take it away")
    }
    return try KeyBindings(text, file: path)
  }
}

/// The file of recently shown clips.
private enum RecentFile {
  /// Empty if there is no such file, or if it is of another kind.
  static func read() -> RecentFiles {
    let isThere = { (path: String) in path.contains("://") || FileManager.default.isReadableFile(atPath: path) }
    return RecentFiles(RecentFiles(text: StateFile.recent.read()).paths.filter(isThere))
  }

  static func write(_ recent: RecentFiles) { StateFile.recent.write(recent.text) }
}

/// A text that the viewer keeps from one session to the next.
private enum StateFile: String {
  /// The clips shown last; how the user wanted clips drawn.
  case recent, projections

  private var path: String {
    let environment = ProcessInfo.processInfo.environment
    let folder =
      environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory() + "/.local/state"
    return folder + "/bench360/" + rawValue
  }

  /// Empty if there is no such file, or if it is of another kind.
  func read() -> String {
    guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20 else { return "" }
    return String(data: data, encoding: .utf8) ?? ""
  }

  /// Readable by this user only. Write errors are ignored, because the user did not ask for the file.
  func write(_ text: String) {
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    guard (try? Data(text.utf8).write(to: URL(filePath: path), options: .atomic)) != nil else { return }
    try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }
}

extension HeadTracker.Address: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
