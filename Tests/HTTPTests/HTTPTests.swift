import Foundation
import Frames
import HTTP
import Support
import Testing

/// Requests on real sockets. One after the other: some count connections and threads.
@Suite(.serialized) struct HTTPTests {}

/// A client without the environment's proxies.
func makeClient(_ change: (inout HTTPClientOptions) -> Void = { _ in }) throws -> HTTPClient {
  var options = HTTPClientOptions()
  options.proxies = .none
  change(&options)
  return try HTTPClient(options)
}

func makeRequest(_ url: String, _ change: (inout HTTPRequest) -> Void = { _ in }) throws -> HTTPRequest {
  var request = HTTPRequest(try HTTPURL(url), .named)
  change(&request)
  return request
}

/// The problem that a body throws.
func problem(_ body: () throws -> Void) -> HTTPProblem? {
  do {
    try body()
    return nil
  } catch {
    return error as? HTTPProblem
  }
}

extension HTTPClient {
  /// The whole body, streamed.
  func stream(_ request: HTTPRequest, capacity: Int = 1 << 16) throws -> (head: ResponseHead, body: [UInt8]) {
    let transfer = start(request, .streamed(capacity: capacity))
    let head = try transfer.head()
    return (head, try transfer.rest())
  }
}

extension Transfer {
  /// What is left of a streamed body.
  func rest() throws -> [UInt8] {
    var body: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 10_007)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try read(into: $0) }
      guard count > 0 else { return body }
      body += buffer[..<count]
    }
  }
}
