import FoundationEssentials
import Frames
import Glibc
import Host
import TestPicture
import Verdict

/// One start of a program that plays a clip, watched to its end.
package struct Observation {
  package var player: ObservedPlayer
  /// The clip's path or URL.
  package var input: String
  package var clip: ObservedMeasures.Clip
  package var screen: XvfbScreen
  /// Nil: no sound is heard.
  package var sound: PrivateSound?
  /// The program is ended when it has run for this much longer than the clip, s.
  package var graceSeconds: Double

  package init(
    player: ObservedPlayer, input: String, clip: ObservedMeasures.Clip, screen: XvfbScreen, sound: PrivateSound? = nil,
    graceSeconds: Double
  ) {
    (self.player, self.input, self.clip) = (player, input, clip)
    (self.screen, self.sound, self.graceSeconds) = (screen, sound, graceSeconds)
  }

  /// The outcome.
  package struct Result {
    /// Nil for a clip without numbers.
    package var timeline: ScreenTimeline?
    package var measures: ObservedMeasures
    package var usage: ShellProcess.Usage
    package var watched: WatchedScreen
    /// The longest time from one sample to the next, ms.
    package var longestGap: Double

    /// Samples were not as close as times of frames need: frames that stayed for less may have been missed.
    package var isCoarse: Bool {
      let widths = (measures.samples[.samplingError] ?? []).sorted()
      guard !widths.isEmpty else { return false }
      return longestGap > 8 || Distribution.quantile(0.5, ofSorted: widths) > 1
        || Distribution.quantile(0.99, ofSorted: widths) > 4
    }
  }

  /// After the last frame was seen, a program that does not end by itself is ended after this, s.
  private static let lastFrameSeconds = 1.0

  /// Blocks until the program and all that it started have ended.
  ///
  /// Throws if the program cannot be started, or shows no readable frame.
  package func run(_ progress: (Double) -> Void) throws(Failure) -> Result {
    let isUnprivileged = player.refusesRoot && geteuid() == 0
    let folder = try TrialFolder(owner: isUnprivileged ? ObservedPlayer.unprivileged : nil)
    for (name, text) in player.files { try folder.write(text, to: name) }
    let source =
      player.takesPage ? try folder.page(playing: input) : isUnprivileged ? try folder.copy(of: input) : input
    let errors = try CommandLog("standard error")
    let numbers =
      clip.isNumbered
      ? try ScreenSampler<ScreenLog>(screen, pixels: CodeGrid(filling: screen.size).cellCentres) : nil
    let pictures =
      clip.isNumbered ? nil : try ScreenSampler<PictureLog>(screen, pixels: PictureLog.pixels(of: screen.size))
    let monitor = sound.flatMap { SoundMonitor($0) }
    monitor?.waitForFirstBlock()
    let started = MonotonicTime.now
    let process: ShellProcess
    do {
      process = try ShellProcess(
        player.line(input: source, folder: folder.path),
        changes: ["DISPLAY": screen.display, "WAYLAND_DISPLAY": "", "XAUTHORITY": ""]
          .merging(sound?.environment ?? [:]) { $1 }.merging(player.environment(folder: folder.path)) { $1 },
        logs: ShellProcess.Logs(output: nil, error: errors))
    } catch {
      throw Failure(.failed, attempt, cause: "no shell starts: \(error.reason)")
    }
    let ending = wait(for: process, errors) {
      numbers?.read(position) ?? pictures?.read(position) ?? Position(seconds: 0, isOver: false)
    } progress: {
      progress($0)
    }
    let end = MonotonicTime.now
    let (log, numbersCPU) = numbers?.stop() ?? (ScreenLog(), 0)
    let (pictureLog, picturesCPU) = pictures?.stop() ?? (PictureLog(), 0)
    let sound = monitor?.stop()
    let usage = process.endAll()
    if Interrupt.isRequested { throw Failure(.cancelled, attempt, cause: "it was interrupted") }
    let seconds = end.seconds(since: started)
    func watched(_ frames: [WatchedScreen.Frame], samples: Int, legibleTiles: Int) -> WatchedScreen {
      WatchedScreen(
        frames: frames, samples: samples, samplePeriodMs: samples > 1 ? seconds * 1000 / Double(samples) : nil,
        samplerCpuPct: seconds > 0 ? (numbersCPU + picturesCPU) / seconds * 100 : nil, legibleTiles: legibleTiles,
        ending: ending.text)
    }
    guard clip.isNumbered else {
      let timeline = PictureTimeline(pictureLog, period: clip.period)
      guard !timeline.pictures.isEmpty else { throw nothingSeen(pictureLog.changes.count, ending, errors) }
      let frames = timeline.pictures.enumerated().map { WatchedScreen.Frame($1, number: $0, since: started) }
      return Result(
        timeline: nil, measures: ObservedMeasures(timeline, of: clip, started: started), usage: usage,
        watched: watched(frames, samples: pictureLog.sampleCount, legibleTiles: 0), longestGap: pictureLog.longestGap)
    }
    let timeline = ScreenTimeline(log, until: end)
    guard !timeline.shown.isEmpty else { throw nothingSeen(log.changes.count, ending, errors) }
    let heard = sound.map { HeardSound($0, ofClip: clip.seconds) }
    let frames = timeline.shown.map { WatchedScreen.Frame($0, since: started) }
    return Result(
      timeline: timeline, measures: ObservedMeasures(timeline, heard, of: clip, from: .start(started)), usage: usage,
      watched: watched(frames, samples: log.sampleCount, legibleTiles: timeline.legibleTiles.count),
      longestGap: log.longestGap)
  }

  /// How far the clip has come on screen.
  private struct Position {
    /// Seconds of the clip.
    var seconds: Double
    /// Its end has been on screen.
    var isOver: Bool
  }

  private func position(_ log: ScreenLog) -> Position {
    let frames = (log.highestNumber ?? -1) + 1
    return Position(seconds: Double(frames) / clip.rate, isOver: frames >= clip.frames)
  }

  /// A clip without numbers is over once it has had its time, and nothing has changed for a while.
  private func position(_ log: PictureLog) -> Position {
    guard let first = log.firstPicture, let last = log.lastChange else { return Position(seconds: 0, isOver: false) }
    let now = MonotonicTime.now
    let seconds = now.seconds(since: first)
    return Position(
      seconds: min(clip.seconds, seconds),
      isOver: seconds > clip.seconds && now.seconds(since: last) > Self.lastFrameSeconds)
  }

  private var attempt: String { "cannot observe '\(player.name)'" }

  private enum Ending {
    case byItself(ShellProcess.Ended)
    case afterLastFrame
    case overdue
    case interrupted

    var text: String {
      switch self {
      case .byItself(let ended): ended.description
      case .afterLastFrame: "was ended after the last frame"
      case .overdue: "was ended, as it had not shown the last frame in time"
      case .interrupted: "was ended, as the user stopped the run"
      }
    }
  }

  private func wait(
    for process: ShellProcess, _ errors: CommandLog, position: () -> Position, progress: (Double) -> Void
  ) -> Ending {
    let deadline = MonotonicTime.now.advanced(byMilliseconds: (clip.seconds + graceSeconds) * 1000)
    var lastSeen: MonotonicTime?
    while true {
      if let ended = process.ended() { return .byItself(ended) }
      let now = MonotonicTime.now
      if Interrupt.isRequested { return .interrupted }
      if now > deadline { return .overdue }
      let position = position()
      progress(position.seconds / clip.seconds)
      if position.isOver { lastSeen = lastSeen ?? now }
      if let lastSeen, now.seconds(since: lastSeen) > Self.lastFrameSeconds { return .afterLastFrame }
      errors.limit()
      usleep(20_000)
    }
  }

  /// Why there is nothing to measure.
  private func nothingSeen(_ changes: Int, _ ending: Ending, _ errors: CommandLog) -> Failure {
    let said = errors.lastLine.map { ": '\(printable($0).prefix(200))'" } ?? ""
    switch ending {
    case .byItself(let ended) where ended.status == 127 && !ended.isSignal:
      return Failure(
        .failed, attempt, cause: "there is no program '\(player.words.first ?? "")'",
        remedy: player.package.map { "install Debian's \($0)" } ?? "name one that is on the PATH, or its path")
    case .byItself(let ended):
      return Failure(
        .failed, attempt, cause: "it \(ended) before it showed a frame\(said)",
        remedy: "try by hand: \(player.shownCommand)")
    case .afterLastFrame, .overdue, .interrupted:
      let cause =
        changes > 1
        ? "its screen changed, and shows no \(clip.isNumbered ? "frame number that can be read" : "picture"): "
          + "the picture is covered, or smaller than the screen of \(screen.size)"
        : "it showed nothing on the screen of \(screen.size) in \(Int(graceSeconds)) s after the clip's end"
      return Failure(
        .failed, attempt, cause: cause + said,
        remedy: "let it show the clip alone in a window as large as the screen, and give --size the clip's size")
    }
  }
}

/// An empty folder for a trial, removed with its contents at the end.
private struct TrialFolder {
  private let folder: PrivateFolder
  var path: String { folder.path }

  /// - Parameter owner: the user that owns it; nil: this process's.
  init(owner: uid_t?) throws(Failure) {
    folder = try PrivateFolder("cannot start a player")
    if let owner { chown(path, owner, owner) }
  }

  func write(_ text: String, to name: String) throws(Failure) {
    do {
      try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    } catch {
      throw Failure(.output, "cannot start a player", cause: "'\(path)' cannot be written")
    }
  }

  /// Copies a file into the folder, readable for its owner, and returns the copy's path; a URL as it is.
  func copy(of input: String) throws(Failure) -> String {
    guard !input.contains("://") else { return input }
    let place = path + "/clip." + (input.split(separator: ".").last.map(String.init) ?? "mp4")
    do {
      try FileManager.default.copyItem(atPath: input, toPath: place)
    } catch {
      throw Failure(
        .output, "cannot start a player", cause: "the clip cannot be copied to '\(path)', where the player may read it")
    }
    chmod(place, 0o644)
    return place
  }

  /// Writes a page with the clip as its only content, and returns its URL.
  func page(playing input: String) throws(Failure) -> String {
    let absolute = input.hasPrefix("/") ? input : FileManager.default.currentDirectoryPath + "/" + input
    let address =
      input.contains("://")
      ? input.replacing("&", with: "&amp;").replacing("\"", with: "%22")
      : "file://" + absolute.percentEncoded(keeping: "/")
    let text = """
      <!DOCTYPE html>
      <meta charset="utf-8">
      <title>clip</title>
      <style>html, body { margin: 0; background: black; overflow: hidden } video { display: block; width: 100vw; height: 100vh }</style>
      <video src="\(address)" autoplay></video>

      """
    try write(text, to: "page.html")
    return "file://\(path)/page.html"
  }
}
