import Adaptation
import Frames
import HTTP
import Media

/// The requests of one download, made one after the other.
package struct OfflineRequests {
  let named: HTTPURL
  let resources: ResourceLoader
  private let attempt: String

  /// - Parameters:
  ///   - name: of the download, in messages.
  ///   - network: certificates of HTTPS servers, and keys.
  ///
  /// Throws `.input` for what is no URL, and `.failed` where there is no memory or thread for it.
  package init(
    _ url: String, name: String, retries: RetryPolicy, network: NetworkOptions, interruption: Interruption
  ) throws(Failure) {
    attempt = "cannot download '\(name)'"
    do throws(HTTPProblem) { named = try HTTPURL(url) } catch { throw error.failure(attempt) }
    var settings = HTTPClientOptions()
    settings.verifiesCertificates = network.verifiesCertificates
    guard let lowest = ControllerChoice("lowest") else { preconditionFailure("the table has it") }
    var options = StreamOptions(controller: lowest)
    (options.retries, options.keys) = (retries, network.keys)
    resources = ResourceLoader(
      transport: HTTPTransport(try HTTPClient(settings), named, options.limits.timeouts), options: options,
      log: StreamLog(limit: 1), buffer: { 0 }, reporter: nil, interruption: interruption)
  }

  /// Loads a file from a byte on, and hands on its bytes as they come, each once.
  ///
  /// - Parameters:
  ///   - validator: of the bytes before that; nil where there are none.
  ///   - began: told, once for each attempt, which version of the file is coming, before its bytes; throws to end it.
  ///   - take: throws to end it.
  ///
  /// Throws `.changed` as `HTTPProblem` has it in a failure of `.input` where the file is another one than before.
  package func load(
    from first: Int64, _ validator: HTTPValidator?, began: @escaping (HTTPValidator) throws(Failure) -> Void,
    take: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    var resource = StreamResource(kind: .segment, address: try StreamAddress(url: named.text), byteLimit: .max)
    (resource.first, resource.validator) = (first, validator)
    try resources.hand(on: resource, attempt, began: began, take: take)
  }
}

extension ResourceLoader {
  /// As `load`, for bytes that go to a disk: what `began` and `take` throw ends it.
  func hand(
    on resource: StreamResource, _ attempt: String, began: @escaping (HTTPValidator) throws(Failure) -> Void,
    take: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    var failure: Failure?
    let ending = Interruption(within: interruption)
    func run(_ work: () throws(Failure) -> Void) {
      guard failure == nil else { return }
      do throws(Failure) {
        try work()
      } catch {
        failure = error
        ending.request()
      }
    }
    var uses = Uses(take: { bytes in run { () throws(Failure) in try take(bytes) } })
    uses.began = { head in run { () throws(Failure) in try began(head.validator) } }
    do throws(LoadProblem) {
      _ = try stopping(by: ending).load(resource, uses)
    } catch {
      throw failure ?? error.failure(attempt) ?? Failure(.cancelled, attempt, cause: "it was interrupted")
    }
    if let failure { throw failure }
  }
}
