import Adaptation
import FoundationEssentials
import Frames
import Media
import Origin
import Streaming
import Verdict

/// The place of a stream: a URL, or a folder or playlist of this machine, which an origin of the run's own serves.
///
/// Each trial has an origin of its own, so that the link's time begins with the trial's first request.
public struct StreamInput {
  private let path: String
  private let settings: StreamSettings
  /// Of a presentation of this machine.
  private let local: LocalPresentation?

  /// Throws `.input` for a path where no presentation lies, and `.usage` for a link to a server that is not the run's own.
  init(_ path: String, _ settings: StreamSettings) throws(Failure) {
    (self.path, self.settings) = (path, settings)
    guard !Self.isURL(path) else {
      guard settings.serving == nil else {
        throw Failure(
          .usage, "cannot serve '\(path)' live", cause: "only an origin of the run's own serves a ladder live",
          remedy: "name a ladder's folder with --live")
      }
      guard settings.link == nil, settings.faults == nil else {
        throw Failure(
          .usage, "cannot shape the network to '\(path)'",
          cause: "only the link to an origin of the run's own is shaped, and only that origin has faults",
          remedy: "name a ladder's folder or a local playlist with --network, --rate, --rtt or --faults")
      }
      local = nil
      return
    }
    local = try Self.local(path, settings.packaging)
  }

  /// Whether it is a clip, which has no presentation before it is packaged.
  public static func isClip(_ path: String) -> Bool {
    var isFolder = false
    return !isURL(path) && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder && !isManifest(file: path)
  }

  package static func isURL(_ path: String) -> Bool {
    let start = path.lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  private static func local(
    _ path: String, _ packaging: StreamSettings.Packaging
  ) throws(Failure) -> LocalPresentation {
    let attempt = "cannot play '\(path)' as a stream"
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Failure(.input, attempt, cause: "no such file or directory", remedy: "check the name")
    }
    guard isFolder else {
      guard let found = LocalPresentation(file: path) else {
        throw Failure(
          .input, attempt, cause: "it is no playlist of HLS and no manifest of DASH",
          remedy: "name one, a folder that 'generate --ladder' made, or a URL")
      }
      return found
    }
    let names = [packaging.manifest, "main.m3u8", "master.m3u8", "index.m3u8", "playlist.m3u8", "manifest.mpd"]
    guard let found = LocalPresentation(folder: path, manifests: names) else {
      throw Failure(
        .input, attempt, cause: "the folder has no \(packaging.manifest) and no main.m3u8",
        remedy: "name its playlist or manifest, or a folder that 'generate --ladder' made")
    }
    return found
  }

  /// Of the segments, as it was measured when the ladder was made; nil for other streams.
  var quality: SegmentQualityTable? {
    guard let local, settings.serving == nil else { return nil }
    return (try? LadderFile.read(file: "\(local.folder)/ladder.json"))?.quality
  }

  /// Where to load it from, and the origin that serves it, which the caller holds meanwhile; none for a URL.
  ///
  /// - Parameter isShaped: by the link of the settings.
  func open(isShaped: Bool) throws(Failure) -> (url: String, origin: Origin?, served: ServedFolder?) {
    guard let local else { return (path, nil, nil) }
    var options = OriginOptions()
    options.live = settings.serving?.options
    if isShaped {
      if let link = settings.link { options.shape = try link.shape() }
      if let faults = settings.faults { options.faults = try FaultFile.read(faults) }
    }
    let origin = try Origin.start(local.folder, options: options)
    return (origin.url + local.urlPath, origin, ServedFolder(url: origin.url, path: local.folder))
  }
}

/// The log of an origin whose clients have ended, and what its link passed: the origin is stopped, so that no row is missing.
func settled(_ origin: Origin) throws(Failure) -> (log: [OriginRequest], passed: LinkPassage) {
  let passed = origin.passed
  try origin.stop()
  return (origin.log, passed)
}

/// Whether an origin's log and the sessions of its clients tell the same: a sentence where they do not.
///
/// Compared are requests that were loaded to their end: each is in the log once, with its path, status and bytes, or as one that a
/// fault changed.
func disagreement(_ sessions: [StreamSession], _ log: [OriginRequest]) -> String? {
  let requests = sessions.flatMap(\.requests)
  var rows: [String: [OriginRequest]] = [:]
  for row in log { rows[row.path, default: []].append(row) }
  for request in requests where request.outcome == .finished {
    let path = URL(string: request.url)?.path ?? request.url
    let range = request.range.map { "bytes=\($0.first)-" + ($0.last.map { "\($0)" } ?? "") }
    let place =
      rows[path]?.firstIndex {
        $0.end == .complete && $0.status == request.transfer.status && $0.bytes == Int64(request.transfer.bytes)
          && (range == nil || request.attempt > 0 || $0.range == range)
      } ?? rows[path]?.firstIndex { $0.faults != nil }
    guard let place else {
      let known = rows[path].map { "\($0.count) others" } ?? "none"
      return "the record has \(request.transfer.bytes) bytes of \(path), the origin's log \(known)"
    }
    rows[path]?.remove(at: place)
  }
  let others = requests.count { $0.outcome != .finished }
  let left = rows.values.reduce(0) { $0 + $1.count }
  return left <= others ? nil : "the origin's log has \(left) requests that the record does not have"
}
