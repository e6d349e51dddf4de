import Frames
import HTTP
import Synchronization

/// Requests over HTTP and HTTPS, on the machine's clock.
///
/// What the manifest names may lie in the Internet and where the manifest lies, and nowhere else. User and password of the stream's
/// URL go to its own origin alone.
package final class HTTPTransport: StreamTransport {
  private let client: HTTPClient
  private let named: HTTPURL
  private let namedPolicy: AddressPolicy
  private let timeouts: HTTPTimeouts
  private let opened = MonotonicTime.now
  /// Where the manifest lies; nil before it has come.
  private let scope = Mutex<AddressScope?>(nil)
  private let origins = ReachedOrigins()
  private let connections = Mutex(Connections())

  /// Since when connections are of use.
  private struct Connections {
    /// When they were renewed last; nil: never.
    var renewed: MonotonicTime?
    /// Ends requests over them once they are of no use.
    var ending = Interruption()
  }

  /// - Parameters:
  ///   - named: the stream's URL as the user gave it.
  ///   - policy: of that URL: `.named`, unless a document named it.
  ///   - timeouts: of each request.
  package init(
    _ client: HTTPClient, _ named: HTTPURL, policy: AddressPolicy = .named, _ timeouts: HTTPTimeouts = HTTPTimeouts()
  ) {
    (self.client, self.named, namedPolicy, self.timeouts) = (client, named, policy, timeouts)
  }

  package var now: Double { seconds(.now) }

  package var wall: WallTime { .machine }

  fileprivate func seconds(_ instant: MonotonicTime) -> Double { instant.seconds(since: opened) }

  package func pause(seconds: Double, unless interruption: Interruption) -> Bool {
    interruption.pause(seconds: seconds)
  }

  package func pause(
    using media: Double, of store: any LoadedSegments, atMost seconds: Double, unless interruption: Interruption
  ) -> Bool {
    // It plays on since the caller looked: a buffer is never less than empty. A microsecond is rounding.
    let end = MonotonicTime.now.advanced(byMilliseconds: min(seconds, 1e6) * 1000)
    store.waitForBuffer(atMost: max(0, store.bufferSeconds - media) + 1e-6, until: end, unless: interruption)
    return !interruption.shouldStop
  }

  package func start(_ request: ResourceRequest) -> any ResourceTransfer {
    do throws(HTTPProblem) {
      let url = request.address.text
      let place = request.report?.address(url) ?? url
      // Before the first response the manifest's network is unknown.
      let policy =
        request.isNamed ? AddressPolicy.named : scope.withLock { $0 }.map(AddressPolicy.referred) ?? namedPolicy
      var made = HTTPRequest(try request.isNamed ? HTTPURL(place) : named.resolving(place), policy)
      for (name, value) in request.report?.fields ?? [] { try made.fields.append(name, value) }
      if let question = request.question {
        (made.method, made.body) = (.post, question)
        try made.fields.append("Content-Type", "application/json")
      }
      if request.isHead { made.method = .head }
      // The bytes at hand are those after decoding.
      made.acceptsEncoding = request.isText && !request.hasRange
      made.timeouts = timeouts
      made.timeouts.whole = request.wholeSeconds
      made.range = request.hasRange ? HTTPByteRange(first: request.first, last: request.last) : nil
      let (renewed, ending) = connections.withLock { ($0.renewed, $0.ending) }
      made.idleSeconds = renewed.map { Self.idleSeconds(since: $0, at: .now) }
      return HTTPResourceTransfer(client.start(made), self, ending, from: request.first)
    } catch {
      return RefusedTransfer(error, at: now)
    }
  }

  package func wasReached(_ address: StreamAddress) -> Bool { origins.contains(address) }
  package func reached(_ address: StreamAddress) { origins.insert(address) }

  package func renew() {
    let outdated = connections.withLock { connections in
      defer { connections = Connections(renewed: .now) }
      return connections.ending
    }
    outdated.request()
  }

  /// Connections that have been idle for longer are older than a renewal; those of longer than two minutes are closed anyway.
  package static func idleSeconds(since renewal: MonotonicTime, at now: MonotonicTime) -> Int {
    min(118, max(0, Int(now.seconds(since: renewal)) - 1))
  }

  fileprivate func came(from scope: AddressScope) { self.scope.withLock { $0 = $0 ?? scope } }
}

private final class HTTPResourceTransfer: ResourceTransfer {
  private let transfer: Transfer
  private let transport: HTTPTransport
  /// Its connection is of no use any more.
  private let outdating: Interruption
  private let first: Int64

  init(_ transfer: Transfer, _ transport: HTTPTransport, _ outdating: Interruption, from first: Int64) {
    (self.transfer, self.transport, self.outdating, self.first) = (transfer, transport, outdating, first)
  }

  private static let outdated = HTTPProblem.lost("the connection is older than the machine's last sleep")

  func head(unless interruption: Interruption) throws(HTTPProblem) -> ResourceHead {
    let head: ResponseHead
    do throws(HTTPProblem) {
      head = try transfer.head(unless: Interruption(within: interruption, outdating))
    } catch {
      throw error.kind == .cancelled && outdating.isRequested && !interruption.shouldStop ? Self.outdated : error
    }
    transport.came(from: head.scope)
    let address: StreamAddress
    do throws(Failure) { address = try StreamAddress(url: head.url.text) } catch { throw .badResponse(error.cause) }
    var result = ResourceHead(
      problem: head.problem, address: address, first: head.status == 206 ? head.contentRange?.first ?? first : 0,
      length: head.fields.contains("content-encoding") ? nil : head.contentLength, validator: head.validator)
    result.mediaType = head.mediaType
    result.date = head.fields["date"].flatMap(WallTime.init(httpDate:))
    return result
  }

  func read(
    into target: UnsafeMutableRawBufferPointer, by instant: Double, unless interruption: Interruption
  ) throws(HTTPProblem) -> Int? {
    guard !outdating.isRequested else {
      transfer.cancel()
      throw Self.outdated
    }
    let wait = max(0, instant - transport.now)
    let end = MonotonicTime.now.advanced(byMilliseconds: wait * 1000)
    guard transfer.wait(until: end, unless: interruption) || interruption.shouldStop else { return nil }
    return try transfer.read(into: target, unless: interruption)
  }

  func cancel() { transfer.cancel() }

  func times() -> TransferTimes {
    guard let record = transfer.record() else { return TransferTimes(queued: transport.now, ended: transport.now) }
    var times = TransferTimes(queued: transport.seconds(record.queued), ended: transport.seconds(record.ended))
    times.status = record.status
    (times.bytes, times.headerBytes) = (record.bodyBytes, record.headerBytes)
    guard let hop = record.hops.last else { return times }
    (times.isReused, times.httpVersion) = (hop.isReused, hop.httpVersion)
    times.nameLookedUp = hop.phases.nameLookedUp.map(transport.seconds)
    times.connected = hop.phases.connected.map(transport.seconds)
    times.secured = hop.phases.secured.map(transport.seconds)
    times.firstByte = hop.phases.firstByte.map(transport.seconds)
    return times
  }
}

/// A request that cannot be made.
private final class RefusedTransfer: ResourceTransfer {
  private let problem: HTTPProblem
  private let instant: Double

  init(_ problem: HTTPProblem, at instant: Double) { (self.problem, self.instant) = (problem, instant) }

  func head(unless interruption: Interruption) throws(HTTPProblem) -> ResourceHead { throw problem }

  func read(
    into target: UnsafeMutableRawBufferPointer, by instant: Double, unless interruption: Interruption
  ) throws(HTTPProblem) -> Int? { throw problem }

  func cancel() {}
  func times() -> TransferTimes { TransferTimes(queued: instant, ended: instant) }
}
