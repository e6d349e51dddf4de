import FoundationEssentials
import Frames
import Host
import Run
import Verdict

/// The picture of a record's clip, where the file that was measured is still there.
///
/// A record holds no folder of its clip. The file is looked for where the run's command line named it, from the current folder and from the
/// record's, and is the clip only if its SHA-256 is the record's.
struct RecordPicture {
  private let record: Record
  private let folder: String

  /// Hashing and drawing end after this time, so that a large or damaged file does not delay the page.
  private static let limitSeconds = 5.0

  /// - Parameter file: the record's path.
  init(_ record: Record, file: String) {
    self.record = record
    folder = URL(filePath: file).deletingLastPathComponent().path
  }

  /// Draws the clip in a process of its own; blocks for at most five seconds. A failure is a reason, never an error.
  func draw() -> ClipPicture {
    guard record.input.sha256 != nil else { return .missing(reason: "the input was no file") }
    let paths = candidates
    guard !paths.isEmpty else { return .missing(reason: "its file is not at hand") }
    let request = PictureCommand.Request(
      paths: paths, input: record.input, viewing: record.settings.viewing, geometry: record.settings.geometry)
    let attempt = "cannot draw '\(record.input.name)'"
    guard let child = try? ChildProcess<PictureCommand.Event>(["picture"], request: request, attempt: attempt) else {
      return .missing(reason: "no process could be started to draw it")
    }
    defer { child.end() }
    let deadline = MonotonicTime.now.advanced(byMilliseconds: Self.limitSeconds * 1000)
    while MonotonicTime.now < deadline {
      guard let events = child.events(withinMilliseconds: 50) else {
        return .missing(reason: "bench360 could not draw it")
      }
      switch events.first {
      case .drawn(let jpeg, let size, let seconds):
        child.hasFinished = true
        return .frame(jpeg: Array(jpeg), size: size, seconds: seconds)
      case .missing(let reason): return .missing(reason: reason)
      case nil: break
      }
    }
    return .missing(reason: "drawing it took more than \(Int(Self.limitSeconds)) s")
  }

  /// Regular files that have the clip's name.
  private var candidates: [String] {
    if record.input.name == "built-in clip" { return [BuiltInClip.path()].filter(Self.isFile) }
    let named = record.command.filter { Record.Input.name(of: $0) == record.input.name } + [record.input.name]
    var paths: [String] = []
    for path in named.map(Self.plain) {
      let places = path.hasPrefix("/") ? [path] : [path, "\(folder)/\(path)"]
      for place in places where Self.isFile(place) && !paths.contains(place) { paths.append(place) }
    }
    return paths
  }

  private static func plain(_ argument: String) -> String {
    argument.hasPrefix("file://") ? URL(string: argument)?.path ?? argument : argument
  }

  private static func isFile(_ path: String) -> Bool {
    let status = try? FileManager.default.attributesOfItem(
      atPath: URL(filePath: path).resolvingSymlinksInPath().path)
    return status?[.type] as? FileAttributeType == .typeRegular
  }
}
