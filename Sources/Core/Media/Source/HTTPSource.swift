internal import CFFmpeg
import Frames
import Glibc
import HTTP
import Logging
import Synchronization

/// A file on a web server, by `HTTPClient`: one request at its start, and one for each jump that is not a short way forward. Any
/// thread.
///
/// A connection that breaks off is resumed where it was, as `RetryPolicy` allows. A file that has changed meanwhile ends in an
/// error, never in a mixture. A server that gives no ranges is read from the start to the end.
package final class HTTPSource: ByteSource, RandomAccessBytes {
  package let path: String
  package let url: String
  package let allowedProtocols: String
  package var isRemote: Bool { true }
  package var bytes: (any RandomAccessBytes)? { self }
  package let isSeekable: Bool
  let client: HTTPClient
  let retries: RetryPolicy
  /// As the user named it, and where it was found after redirects.
  let named: HTTPURL
  let found: HTTPURL
  /// For requests to each of them.
  let namedPolicy: AddressPolicy
  let foundPolicy: AddressPolicy
  /// Of the first response: all others must be of the same version.
  let validator: HTTPValidator
  let state: Mutex<State>

  struct State {
    /// Requests that no thread reads now, the one used last at the end.
    var readings: [HTTPReading]
    var cache = BlockCache()
    var progress: RetryProgress
    /// The file is no longer where it was found at first.
    var asksAtName = false
    var problem: HTTPProblem?
    /// The problem of the last failed request; nil once bytes arrive.
    var trouble: NetworkTrouble?
  }

  /// Requests that wait for their readers to come back: a clip whose sound and picture lie apart is read at two places.
  static let idleReadings = 3
  /// A jump forward by no more is read through instead of being requested.
  static let readThrough: Int64 = 1 << 18
  /// Of each request; the server waits while it is full.
  static let bufferBytes = 1 << 20

  init(
    _ path: String, _ client: HTTPClient, _ retries: RetryPolicy, _ named: HTTPURL, _ policy: AddressPolicy,
    _ head: ResponseHead, _ transfer: Transfer, _ progress: RetryProgress
  ) {
    let location = MediaLocation(path)
    (self.path, self.client, self.retries, self.named) = (path, client, retries, named)
    (url, allowedProtocols) = (location.url, location.allowedProtocols)
    (found, validator) = (head.url, head.validator)
    namedPolicy = policy
    foundPolicy = found == named ? policy : policy.afterRedirect(from: head.scope)
    let givesRanges = head.status == 206 || head.fields["accept-ranges"]?.lowercased().contains("bytes") == true
    isSeekable = givesRanges && head.validator.total != nil
    let reading = HTTPReading(transfer, head, at: 0, isResumable: isSeekable)
    state = Mutex(State(readings: [reading], progress: progress))
  }

  package var count: Int64 { validator.total ?? -Int64(ENOSYS) }

  package var failure: String? { state.withLock { $0.problem?.cause } }
  package var trouble: NetworkTrouble? { state.withLock { $0.trouble } }

  package func read(
    at offset: Int64, into buffer: UnsafeMutableRawPointer, count: Int, unless interruption: Interruption?
  ) -> Int {
    guard count > 0, offset >= 0 else { return 0 }
    do {
      return try bytes(at: offset, UnsafeMutableRawBufferPointer(start: buffer, count: count), unless: interruption)
    } catch {
      guard error.kind != .cancelled else { return Int(bench_averror_exit()) }
      mediaLog.debug(
        "reading from a server failed",
        metadata: ["url": "\(redactingSecrets(ofArgument: path))", "cause": "\(error.cause)"])
      state.withLock { $0.problem = error }
      return Int(bench_averror_eio())
    }
  }
}
