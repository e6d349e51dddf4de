import Frames
import HTTP
import Logging

// Opening: the first request, and what it is an answer to.
extension HTTPSource {
  private enum Answer {
    case file(HTTPSource)
    /// A playlist or manifest, or a server that wants a proof of the password in place of it: left to libavformat.
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
      switch answer(path, client, progress, interruption) {
      case .success(.file(let source)): return source
      case .success(.foreign): return nil
      case .success(.empty):
        throw Failure(.media, attempt, cause: "the file is empty", remedy: "upload it again")
      case .failure(let problem):
        guard case .wait(let seconds) = progress.decide(after: problem, by: RetryPolicy(), now: .now),
          wait(seconds: seconds, unless: { interruption.shouldStop })
        else { throw openingFailure(problem, attempt, interruption) }
      }
    }
  }

  private static func answer(
    _ path: String, _ client: HTTPClient, _ progress: RetryProgress, _ interruption: Interruption
  ) -> Result<Answer, HTTPProblem> {
    Result { () throws(HTTPProblem) in
      let named = try HTTPURL(MediaLocation(path).path)
      var request = HTTPRequest(named)
      request.range = HTTPByteRange(first: 0)
      request.timeouts.stall = Demuxer.readingSeconds
      let transfer = client.start(request, .streamed(capacity: Self.bufferBytes))
      let head = try transfer.head { interruption.shouldStop }
      if head.unsatisfiedTotal == 0 { return .empty }
      if named.credentials != nil, wantsDigest(head) { return .foreign }
      if let problem = head.problem { throw problem }
      if head.validator.total == 0 { return .empty }
      if isPlaylist(head) { return .foreign }
      let source = HTTPSource(path, client, named, head, HTTPReading(transfer, head, at: 0), progress)
      return try source.beginsAsPlaylist(interruption) ? .foreign : .file(source)
    }
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
          try bytes(at: Int64(count), UnsafeMutableRawBufferPointer(rebasing: buffer[count...])) {
            interruption.shouldStop
          }
        }
      }
      guard case .success(let more) = result, more > 0 else {
        if case .failure(let problem) = result, problem.kind == .cancelled { throw problem }
        break
      }
      count += more
    }
    let text = String(decoding: start[..<count], as: UTF8.self)
    return text.hasPrefix("#EXTM3U") || text.hasPrefix("\u{FEFF}#EXTM3U") || text.contains("<MPD")
  }
}

/// Whether a URL's path ends as that of a playlist or manifest: those are libavformat's.
func namesPlaylist(_ url: String) -> Bool {
  let path = url.prefix { $0 != "?" && $0 != "#" }.lowercased()
  return [".m3u8", ".m3u", ".mpd"].contains { path.hasSuffix($0) }
}

/// Whether an input, as the user names it, is a playlist or manifest on a web server, by its name.
public func isWebManifest(_ input: String) -> Bool {
  let location = MediaLocation(input)
  return isWeb(location) && namesPlaylist(location.path)
}

/// Whether this is a URL that `HTTPClient` fetches.
func isWeb(_ location: MediaLocation) -> Bool {
  location.isRemote && (location.path.hasPrefix("http://") || location.path.hasPrefix("https://"))
}

/// Why an input could not be opened from a server.
func openingFailure(_ problem: HTTPProblem, _ attempt: String, _ interruption: Interruption) -> Failure {
  guard problem.kind == .cancelled, !interruption.isRequested else { return problem.failure(attempt) }
  return Failure(
    .cancelled, attempt, cause: "opening took longer than \(Int(Demuxer.openingSeconds)) s",
    remedy: "check the network, and whether the server answers")
}
