import Frames
import Glibc
import HTTP
import Logging

// Opening: the first request, and what it is an answer to.
extension HTTPSource {
  private enum Answer {
    case file(HTTPSource)
    /// A playlist or manifest: left to libavformat.
    case manifest
    /// A server that wants a proof of the password in place of it: left to libavformat.
    case foreign
    case empty
  }

  /// Asks for the file; nil where libavformat is to ask: for a playlist or manifest, and with a password by RFC 7616.
  ///
  /// Throws `.input` where the server has none or does not answer, `.media` where it is empty, and `.cancelled` where the
  /// interruption ended it.
  static func open(
    _ path: String, network: NetworkOptions, interruption: Interruption
  ) throws(Failure) -> HTTPSource? {
    let attempt = "cannot open '\(path)'"
    let client = try HTTPClients.client(for: network)
    var progress = RetryProgress(seed: UInt64(bitPattern: MonotonicTime.now.nanoseconds))
    while true {
      switch answer(path, client, network, progress, interruption) {
      case .success(.file(let source)): return source
      case .success(.foreign), .success(.manifest): return nil
      case .success(.empty):
        throw Failure(.media, attempt, cause: "the file is empty", remedy: "upload it again")
      case .failure(let problem):
        guard case .wait(let seconds) = progress.decide(after: problem, by: network.retries, now: .now),
          interruption.pause(seconds: seconds, noting: problem.isOutage)
        else { throw openingFailure(problem, attempt, interruption) }
      }
    }
  }

  private static func answer(
    _ path: String, _ client: HTTPClient, _ network: NetworkOptions, _ progress: RetryProgress,
    _ interruption: Interruption
  ) -> Result<Answer, HTTPProblem> {
    Result { () throws(HTTPProblem) in
      let named = try HTTPURL(MediaLocation(path).path)
      var request = HTTPRequest(named, network.policy)
      request.range = HTTPByteRange(first: 0)
      request.timeouts.stall = Double(Demuxer.readingSeconds)
      let transfer = client.start(request, .streamed(capacity: Self.bufferBytes))
      let head = try transfer.head(unless: interruption)
      if head.unsatisfiedTotal == 0 { return .empty }
      if named.credentials != nil, wantsDigest(head) { return .foreign }
      if let problem = head.problem { throw problem }
      if head.validator.total == 0 { return .empty }
      if isPlaylist(head) { return .manifest }
      let source = HTTPSource(path, client, network.retries, named, network.policy, head, transfer, progress)
      return try source.beginsAsPlaylist(interruption) ? .manifest : .file(source)
    }
  }

  /// Whether the server sends a playlist or manifest: by one request, which ends with its first bytes. False where it fails.
  fileprivate static func sendsManifest(
    _ path: String, network: NetworkOptions, interruption: Interruption
  ) throws(Failure) -> Bool {
    let client = try HTTPClients.client(for: network)
    if case .success(.manifest) = answer(path, client, network, RetryProgress(seed: 0), interruption) {
      return true
    }
    return false
  }

  /// HTTP's digest authentication, of which libcurl would make requests that are not counted.
  private static func wantsDigest(_ head: ResponseHead) -> Bool {
    head.status == 401 && head.fields["www-authenticate"]?.lowercased().hasPrefix("digest") == true
  }

  /// By the names of media types in RFC 8216, 4, and ISO/IEC 23009-1, C.1, or older ones.
  private static func isPlaylist(_ head: ResponseHead) -> Bool {
    [
      "application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl",
      "application/dash+xml",
    ].contains(head.mediaType)
  }

  /// By the first bytes, where the server does not know what it sends. Where they do not come, the first reader is told.
  private func beginsAsPlaylist(_ interruption: Interruption) throws(HTTPProblem) -> Bool {
    var start = [UInt8](repeating: 0, count: 512)
    var count = 0
    // Enough for the shorter of both marks: what a live stream sends next may come much later.
    while count < 16 {
      let result = start.withUnsafeMutableBytes { buffer in
        Result { () throws(HTTPProblem) in
          try bytes(at: Int64(count), UnsafeMutableRawBufferPointer(rebasing: buffer[count...]), unless: interruption)
        }
      }
      guard case .success(let more) = result, more > 0 else {
        if case .failure(let problem) = result, problem.kind == .cancelled { throw problem }
        break
      }
      count += more
    }
    return beginsAsManifest(start[..<count])
  }
}

/// Whether these are the first bytes of a playlist of HLS or a manifest of DASH.
private func beginsAsManifest(_ start: ArraySlice<UInt8>) -> Bool {
  let text = String(decoding: start, as: UTF8.self)
  return text.hasPrefix("#EXTM3U") || text.hasPrefix("\u{FEFF}#EXTM3U") || text.contains("<MPD")
}

/// Whether a URL's path ends as that of a playlist or manifest: those are libavformat's.
func namesPlaylist(_ url: String) -> Bool {
  let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
  return [".m3u8", ".m3u", ".mpd"].contains { path.hasSuffix($0) }
}

/// Whether an input, as the user names it, is a playlist or manifest on a web server: by its name, else by what the server
/// sends, for which it is asked once. Waits.
///
/// - Parameter isClip: whether the last part of a URL's path is the name of a clip, about which the server is not asked.
///
/// False where the server does not answer. Throws where there is no memory for a client.
public func isWebManifest(
  _ input: String, network: NetworkOptions = NetworkOptions(), interruption: Interruption, isClip: (String) -> Bool
) throws(Failure) -> Bool {
  let location = MediaLocation(input)
  guard isWeb(location) else { return false }
  if namesPlaylist(location.path) { return true }
  let path = location.path.prefix { $0 != "?" && $0 != "#" }
  if isClip(String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])) { return false }
  return try HTTPSource.sendsManifest(input, network: network, interruption: interruption)
}

/// Whether a file of this machine is a playlist or manifest: by its name, else by its first bytes. Nothing is read of pipes and devices.
public func isManifest(file path: String) -> Bool {
  var status = stat()
  guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
  if namesPlaylist(path) { return true }
  guard let file = fopen(path, "rbe") else { return false }
  defer { fclose(file) }
  var start = [UInt8](repeating: 0, count: 512)
  let count = fread(&start, 1, start.count, file)
  return beginsAsManifest(start[..<count])
}

/// Whether this is a URL that `HTTPClient` fetches.
func isWeb(_ location: MediaLocation) -> Bool {
  location.isRemote && (location.path.hasPrefix("http://") || location.path.hasPrefix("https://"))
}

/// Why an input could not be opened from a server.
func openingFailure(_ problem: HTTPProblem, _ attempt: String, _ interruption: Interruption) -> Failure {
  guard problem.kind == .cancelled, !interruption.isRequested else { return problem.failure(attempt) }
  return Failure(
    .cancelled, attempt, cause: "opening took longer than \(Demuxer.openingSeconds) s",
    remedy: "check the network, and whether the server answers")
}
