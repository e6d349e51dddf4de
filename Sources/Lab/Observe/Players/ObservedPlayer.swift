import FoundationEssentials
import Frames
import Glibc
import Host
import Run

/// A program that plays video, and how it is started: one row of `all`, or a command of the user's own.
///
/// A row shows one clip in a window as large as the screen, without controls and without text, and ends at the clip's end where the program
/// can. Rows add no option that changes how the program decodes, draws or paces.
package struct ObservedPlayer: Sendable {
  /// The name that `--player` takes, and the record's variant.
  package let name: String
  /// The command's words; `{}` is replaced by the input wherever it stands. The first is looked up on the PATH.
  package var words: [String]
  /// Variables, in which `{folder}` is an empty folder of the trial's own.
  var environment: [String: String] = [:]
  /// Options that print the version; nil: it is not asked.
  var versionWords: [String]?
  /// Debian's package; nil for a command of the user's own.
  let package: String?
  /// Options that are added when the user is root.
  var wordsForRoot: [String] = []
  /// The program refuses to run as root: it is run as the user `unprivileged`.
  var refusesRoot = false
  /// It takes a page that plays the clip, not the clip.
  var takesPage = false
  /// Files of the trial's folder, by their names.
  var files: [String: String] = [:]

  package static let all: [ObservedPlayer] = [
    ObservedPlayer(
      name: "mpv", words: ["mpv", "--no-config", "--fs", "--no-osc", "--osd-level=0", "--really-quiet", "--", "{}"],
      versionWords: ["--version"], package: "mpv"),
    ObservedPlayer(
      name: "vlc",
      words: [
        "vlc", "--intf", "dummy", "--ignore-config", "--fullscreen", "--no-video-title-show", "--no-osd", "--no-spu",
        "--play-and-exit",
        "{}",
      ], environment: ["HOME": "{folder}", "XDG_RUNTIME_DIR": "{folder}"], versionWords: ["--version"], package: "vlc",
      refusesRoot: true),
    ObservedPlayer(
      name: "ffplay", words: ["ffplay", "-v", "error", "-autoexit", "-fs", "-i", "{}"], versionWords: ["-version"],
      package: "ffmpeg"),
    ObservedPlayer(
      name: "gst", words: ["gst-play-1.0", "--quiet", "--no-interactive", "{}"], versionWords: ["--version"],
      package: "gstreamer1.0-plugins-base-apps"),
    ObservedPlayer(
      name: "chromium",
      words: [
        "chromium", "--user-data-dir={folder}", "--no-first-run", "--no-default-browser-check", "--kiosk",
        "--test-type",
        "--autoplay-policy=no-user-gesture-required", "{}",
      ], versionWords: ["--version"], package: "chromium", wordsForRoot: ["--no-sandbox"], takesPage: true),
    ObservedPlayer(
      name: "firefox", words: ["firefox-esr", "--kiosk", "--profile", "{folder}", "{}"],
      environment: ["HOME": "{folder}"],
      versionWords: ["--version"], package: "firefox-esr", takesPage: true,
      files: [
        // A page may play sound without a click, and no page of its own is opened at the first start.
        "user.js": """
        user_pref("media.autoplay.default", 0);
        user_pref("browser.aboutwelcome.enabled", false);
        user_pref("datareporting.policy.dataSubmissionEnabled", false);
        user_pref("browser.shell.checkDefaultBrowser", false);

        """
      ]),
    ObservedPlayer(
      name: "bench360", words: [ProgramFile.path, "view", "--fullscreen", "{}"], versionWords: ["--version"],
      package: nil),
  ]

  /// The row of that name, or nil when there is none.
  package static func named(_ name: String) -> ObservedPlayer? { all.first { $0.name == name } }

  /// A command of the user's own.
  package init(command: [String]) {
    let program = command.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? "command"
    (name, words, package) = (program, command, nil)
  }

  private init(
    name: String, words: [String], environment: [String: String] = [:], versionWords: [String]?, package: String?,
    wordsForRoot: [String] = [], refusesRoot: Bool = false, takesPage: Bool = false, files: [String: String] = [:]
  ) {
    (self.name, self.words, self.environment) = (name, words, environment)
    (self.versionWords, self.package) = (versionWords, package)
    (self.wordsForRoot, self.refusesRoot) = (wordsForRoot, refusesRoot)
    (self.takesPage, self.files) = (takesPage, files)
  }
}

extension ObservedPlayer {
  /// True where its program is installed.
  package var isInstalled: Bool { words.first.map { executable($0) != nil } ?? false }

  /// The first line of what it prints about its version; nil where it was not asked, or does not answer within three seconds.
  func version() -> String? {
    guard let versionWords, let program = words.first.flatMap(executable) else { return nil }
    // VLC refuses root even this.
    let prefix = refusesRoot && geteuid() == 0 ? Self.asUnprivileged : []
    let line = prefix + [program] + versionWords
    guard let executable = executable(line[0]), let process = ToolProcess(executable, Array(line.dropFirst()))
    else {
      return nil
    }
    let deadline = MonotonicTime.now.advanced(byMilliseconds: 3000)
    var text = ""
    while !text.contains("\n"), MonotonicTime.now < deadline {
      guard let more = process.text(withinMilliseconds: 100) else { break }
      text += more
    }
    return text.split(whereSeparator: \.isNewline).first.map { String(printable(String($0)).prefix(200)) }
  }

  /// The user without rights of Linux's distributions, and the group of that number.
  static let unprivileged: uid_t = 65_534
  private static let asUnprivileged = [
    "setpriv", "--reuid=\(unprivileged)", "--regid=\(unprivileged)", "--clear-groups", "--",
  ]

  /// The command line of a trial, for a shell.
  ///
  /// - Parameters:
  ///   - input: the clip, or the page that plays it.
  ///   - folder: an empty folder of the trial's own.
  func line(input: String, folder: String, isRoot: Bool = geteuid() == 0) -> String {
    var words = words
    if isRoot { words.insert(contentsOf: wordsForRoot, at: min(1, words.count)) }
    if isRoot, refusesRoot { words = Self.asUnprivileged + words }
    let filled = words.map { $0.replacing("{}", with: input).replacing("{folder}", with: folder) }
    return "exec " + filled.map(shellQuoted).joined(separator: " ")
  }

  /// Variables of a trial.
  func environment(folder: String) -> [String: String] {
    environment.mapValues { $0.replacing("{folder}", with: folder) }
  }

  /// The command as records hold it.
  package var shownCommand: String {
    words.map { $0 == ProgramFile.path ? "bench360" : $0 == "{}" ? $0 : shellQuoted($0) }.joined(separator: " ")
  }
}

enum ProgramFile {
  /// This program's own.
  static let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "bench360"
}
