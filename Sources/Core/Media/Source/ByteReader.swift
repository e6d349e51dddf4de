internal import CFFmpeg
import Frames
import HTTP

/// All bytes of a file or URL, by the same rules as `Demuxer`: its protocols, its limit of time, its interruption.
///
/// - Parameter byteLimit: more is refused.
package func readBytes(
  _ path: String, byteLimit: Int, network: NetworkOptions = NetworkOptions(), interruption: Interruption
) throws(Failure) -> [UInt8] {
  let attempt = "cannot read '\(path)'"
  try checkInput(path)
  let errors = FFmpegErrors()
  let isLimited = interruption.limit(seconds: Demuxer.openingSeconds, outlastsOutages: true)
  defer { if isLimited { interruption.setDeadline(nil) } }
  let location = MediaLocation(path)
  guard !isWeb(location) else {
    return try fetch(
      location.path, attempt, byteLimit, HTTPClients.client(for: network), network.policy, interruption)
  }
  var callback = interruption.callback
  var options: OpaquePointer?
  av_dict_set(&options, "protocol_whitelist", location.allowedProtocols, 0)
  for option in network.protocolOptions { av_dict_set(&options, option.name, option.value, 0) }
  var opened: UnsafeMutablePointer<AVIOContext>?
  let status = avio_open2(&opened, location.url, AVIO_FLAG_READ, &callback, &options)
  av_dict_free(&options)
  defer { avio_closep(&opened) }
  func failed(_ code: Int32) -> Failure {
    interruption.shouldStop
      ? Failure(.cancelled, attempt, cause: "reading was stopped or took too long")
      : Failure(.input, attempt, cause: errors.reason(code), remedy: "check the name and that it can be read")
  }
  guard status >= 0, let opened else { throw failed(status) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    guard !interruption.shouldStop else { throw failed(bench_averror_exit()) }
    let count = avio_read(opened, &buffer, Int32(buffer.count))
    if count == bench_averror_eof() || count == 0 { return bytes }
    guard count > 0 else { throw failed(count) }
    guard bytes.count + Int(count) <= byteLimit else {
      throw Failure(.media, attempt, cause: "it is longer than \(byteLimit >> 20) MiB", remedy: "name a smaller file")
    }
    bytes += buffer[..<Int(count)]
  }
}

/// What a server answers to JSON that it is sent by POST.
///
/// - Parameter byteLimit: more is refused.
package func ask(
  _ url: String, _ question: String, byteLimit: Int, _ network: NetworkOptions, _ interruption: Interruption
) throws(Failure) -> [UInt8] {
  let location = MediaLocation(url)
  guard isWeb(location) else {
    throw Failure(.input, "cannot ask '\(url)'", cause: "it is no URL of http or https", remedy: "check --licence-url")
  }
  return try fetch(
    location.path, "cannot ask '\(url)'", byteLimit, HTTPClients.client(for: network), network.policy, interruption,
    question: question)
}

private func fetch(
  _ url: String, _ attempt: String, _ byteLimit: Int, _ client: HTTPClient, _ policy: AddressPolicy,
  _ interruption: Interruption, question: String? = nil
) throws(Failure) -> [UInt8] {
  do {
    var request = HTTPRequest(try HTTPURL(url), policy)
    if let question {
      (request.method, request.body) = (.post, question)
      try request.fields.append("Content-Type", "application/json")
    }
    request.acceptsEncoding = true
    return try client.fetch(request, limit: byteLimit, unless: interruption).body
  } catch {
    switch error.kind {
    case .cancelled: throw Failure(.cancelled, attempt, cause: "reading was stopped or took too long")
    case .tooLong: throw Failure(.media, attempt, cause: error.cause, remedy: "name a smaller file")
    default: throw error.failure(attempt)
    }
  }
}
