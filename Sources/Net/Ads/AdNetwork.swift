import FoundationEssentials
import Frames
import HTTP

/// The requests of ads: answers of servers, which are waited for, and what they are told, which nothing waits for. Any thread.
public final class AdNetwork: Sendable {
  private let client: HTTPClient
  private let thread: WorkerThread
  private let queue = Monitor(Queue())
  /// Once it closes: has a deadline, after which what is left is no longer sent.
  private let ending = Interruption()

  private struct Queue {
    var urls: [(url: HTTPURL, policy: AddressPolicy)] = []
    var isClosing = false
    var counts = Counts()
  }

  private enum Step {
    case tell(HTTPURL, AddressPolicy)
    case end
  }

  /// What servers were told.
  public struct Counts: Sendable, Hashable {
    public var sent = 0
    public var failed = 0
    /// Never sent: servers were slower than events came.
    public var dropped = 0
  }

  /// Requests that wait.
  static let capacity = 256
  /// Seconds for one of them.
  static let patience = 5.0
  /// Seconds for what is left when it closes.
  static let lastPatience = 2.0

  /// Throws `.failed` where there is no memory or thread for it.
  public init(_ options: HTTPClientOptions = HTTPClientOptions()) throws(Failure) {
    let (client, queue, ending) = (try HTTPClient(options), queue, ending)
    self.client = client
    thread = try WorkerThread { Self.serve(client, queue, ending) }
  }

  deinit {
    ending.setDeadline(.now.advanced(byMilliseconds: Self.lastPatience * 1000))
    queue.withLock { $0.isClosing = true }
    thread.join()
  }

  public var counts: Counts { queue.read { $0.counts } }

  /// Loads a document of ads from a server, or from a file of this machine.
  ///
  /// Throws `.input` in one sentence.
  ///
  /// - Parameters:
  ///   - policy: the hosts that the request may reach.
  ///   - seconds: all of it may take so long.
  public func load(
    _ place: String, _ policy: AddressPolicy, within seconds: Double, unless interruption: Interruption? = nil
  ) throws(Failure) -> AdDocument {
    guard place.contains("://") else {
      return AdDocument(bytes: try Self.read(place), base: AdBase(place, policy: .referred(from: .loopback)))
    }
    do throws(HTTPProblem) {
      var request = HTTPRequest(try HTTPURL(place), policy)
      (request.timeouts.whole, request.acceptsEncoding) = (seconds, true)
      let response = try client.fetch(request, limit: AdLimits.byteCount, unless: interruption)
      return AdDocument(
        bytes: response.body, base: AdBase(place, policy: policy.afterRedirect(from: response.head.scope)))
    } catch {
      let name = (try? HTTPURL(place)).map { "\($0)" } ?? "the ads"
      throw Failure(
        error.kind == .cancelled ? .cancelled : .input, "cannot load the ads '\(name)'", cause: error.cause,
        remedy: "the clip goes on without them")
    }
  }

  private static func read(_ path: String) throws(Failure) -> [UInt8] {
    guard let bytes = try? OpenFile(reading: path).read(upTo: AdLimits.byteCount + 1) else {
      throw Failure(.input, "cannot read the ads '\(path)'", cause: "the file cannot be read", remedy: "check its path")
    }
    return bytes
  }

  /// Tells servers; what they answer is not looked at.
  public func tell(_ urls: [AdURL], _ macros: AdMacros) {
    let urls = urls.compactMap { named in
      (try? HTTPURL(macros.filled(named.text))).map { (url: $0, policy: named.policy) }
    }
    queue.withLock { queue in
      let room = max(0, Self.capacity - queue.urls.count)
      queue.urls += urls.prefix(room)
      queue.counts.dropped += max(0, urls.count - room)
    }
  }

  private static func serve(_ client: HTTPClient, _ queue: Monitor<Queue>, _ ending: Interruption) {
    while case .tell(let url, let policy)? = queue.wait({ next(&$0, isOver: ending.shouldStop) }) {
      var request = HTTPRequest(url, policy)
      request.timeouts.whole = patience
      do throws(HTTPProblem) {
        _ = try client.fetch(request, limit: AdLimits.byteCount, unless: ending)
        queue.withLock { $0.counts.sent += 1 }
      } catch {
        queue.withLock { $0.counts.failed += 1 }
      }
    }
  }

  private static func next(_ queue: inout Queue, isOver: Bool) -> Step? {
    guard queue.urls.isEmpty || isOver else {
      let (url, policy) = queue.urls.removeFirst()
      return .tell(url, policy)
    }
    guard queue.isClosing else { return nil }
    queue.counts.dropped += queue.urls.count
    return .end
  }
}
