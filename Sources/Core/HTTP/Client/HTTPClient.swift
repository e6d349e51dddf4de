internal import CCurl
import Frames
import Logging
import Synchronization

let httpLog = engineLogger("HTTP")

/// Requests over HTTP and HTTPS: one thread with libcurl, which shares connections and cookies among all of them. Any thread.
///
/// It ends with its owner: requests under way are cancelled, and the thread is waited for.
public final class HTTPClient: Sendable {
  /// The records of all requests that have ended.
  public let log: RequestLog
  private let loop: TransferLoop
  private let thread: WorkerThread
  private let count = Atomic<Int>(0)

  /// Throws `.failed` where there is no memory or thread for it.
  public init(_ options: HTTPClientOptions = HTTPClientOptions()) throws(Failure) {
    let log = RequestLog(capacity: options.logCapacity)
    guard Self.hasLibrary, let loop = TransferLoop(options, log) else {
      throw Failure(
        .failed, "cannot start the network client", cause: "libcurl finds no memory or no descriptors",
        remedy: "free memory, or raise the limit of open files (ulimit -n)")
    }
    (self.log, self.loop) = (log, loop)
    do {
      thread = try WorkerThread { loop.run() }
    } catch {
      loop.neverRuns()
      throw error
    }
  }

  deinit {
    loop.submit(.close)
    thread.join()
  }

  /// libcurl's state of the whole process.
  private static let hasLibrary = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// `7.88.1`.
  public static var libraryVersion: String { String(cString: curl_version_info(CURLVERSION_FIRST).pointee.version) }

  /// Begins a request; returns at once. What hinders it is thrown by the transfer.
  public func start(_ request: HTTPRequest, _ delivery: BodyDelivery = .streamed()) -> Transfer {
    let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
    let exchange = Exchange(number, request, delivery)
    loop.submit(.start(exchange))
    return Transfer(exchange, loop)
  }

  /// The whole response, at most `limit` bytes of it after decoding. Waits.
  ///
  /// Throws for every status that is no success. Nothing is retried.
  public func fetch(
    _ request: HTTPRequest, limit: Int, unless interruption: Interruption? = nil
  ) throws(HTTPProblem) -> HTTPResponse {
    let transfer = start(request, .collected(limit: limit))
    let head = try transfer.head(unless: interruption)
    if let problem = head.problem { throw problem }
    return HTTPResponse(head: head, body: try transfer.body(unless: interruption))
  }
}
