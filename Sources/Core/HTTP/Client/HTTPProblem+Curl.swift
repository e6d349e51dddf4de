internal import CCurl
import Frames

extension HTTPProblem {
  /// What libcurl's result means.
  ///
  /// - Parameters:
  ///   - message: libcurl's own words.
  ///   - systemError: why no connection came about.
  ///   - received: bytes of the body, before decoding.
  ///   - expected: bytes that the header announced.
  ///   - isAnswered: a response has begun.
  init(
    _ result: CURLcode, host: String, message: String?, systemError: String?, received: Int64, expected: Int64?,
    isAnswered: Bool
  ) {
    let words = message ?? String(cString: curl_easy_strerror(result))
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST: self.init(.noHost, "the name '\(host)' cannot be resolved")
    case CURLE_COULDNT_RESOLVE_PROXY: self.init(.proxy, "the proxy's name cannot be resolved")
    case CURLE_PROXY: self.init(.proxy, "the proxy refused: \(words)")
    case CURLE_COULDNT_CONNECT:
      self.init(.noConnection, systemError ?? "'\(host)' cannot be reached")
    case CURLE_OPERATION_TIMEDOUT: self.init(.connectTimeout, "there was no connection to '\(host)' in time")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM:
      self.init(.certificate, "the certificate of '\(host)' is not trusted: \(words)")
    case CURLE_SSL_CACERT_BADFILE:
      self.init(.certificate, "the file of trusted certificates cannot be read")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED:
      self.init(.tls, "no secure connection to '\(host)': \(words)")
    case CURLE_PARTIAL_FILE:
      if let expected, expected > received {
        self = .truncated(at: received, of: expected)
      } else {
        self.init(.lost, "the connection ended after \(received) bytes, before the end")
      }
    case CURLE_GOT_NOTHING: self.init(.lost, "the server closed the connection without an answer")
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND:
      self.init(.lost, "the connection was lost after \(received) bytes: \(words)")
    // libcurl calls a line of a header that is beyond its limits so.
    case CURLE_OUT_OF_MEMORY where isAnswered:
      self.init(.badResponse, "the server's answer is too long, or cannot be decoded")
    case CURLE_OUT_OF_MEMORY: self.init(.resources, "out of memory")
    case CURLE_BAD_CONTENT_ENCODING: self.init(.badResponse, "the server's answer cannot be decoded: \(words)")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      self.init(.badResponse, "the server's answer is not HTTP")
    default: self.init(.badResponse, "the server's answer cannot be read: \(words)")
    }
  }
}
