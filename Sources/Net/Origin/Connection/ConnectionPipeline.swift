import NIOCore
import NIOHTTP1
import NIOHTTP2

/// The handlers of a connection: the link next to the socket, then its protocol and its requests.
enum ConnectionPipeline {
  /// A client that sends no complete request for so long is gone, or keeps the connection from others.
  static let idleSeconds: Int64 = 60
  /// Of header fields together.
  private static let headerBytes = 65_536
  /// Requests that a connection of HTTP/2 may have under way.
  static let streamLimit = 64

  /// Configures an accepted connection. Throws where there are too many.
  static func configure(_ channel: any Channel, _ core: OriginCore) throws {
    guard let number = core.nextConnection(channel) else { throw ChannelError.operationUnsupported }
    let link = LinkHandler(bottleneck: core.bottleneck, loss: core.loss(ofConnection: number))
    let accepted = NIODeadline.now()
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(link)
    let detector = ProtocolDetector(core: core) { isHTTP2 in
      if isHTTP2 {
        try configureHTTP2(channel, HTTP2Connection(number: number, link: link, accepted: accepted, core: core))
      } else {
        try configureHTTP1(pipeline)
        try pipeline.addHandler(ConnectionHandler(number: number, link: link, accepted: accepted, core: core))
      }
    }
    try pipeline.addHandler(detector)
  }

  private static func configureHTTP1(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = 16_384
    limits.maxHeaderListSize = headerBytes
    limits.maxHeaderFieldCount = 128
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: true, withErrorHandling: false, withOutboundHeaderValidation: true,
      withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
  }

  private static func configureHTTP2(_ channel: any Channel, _ connection: HTTP2Connection) throws {
    var configuration = NIOHTTP2Handler.Configuration()
    configuration.connection.initialSettings = [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: streamLimit),
      HTTP2Setting(parameter: .maxHeaderListSize, value: headerBytes),
    ]
    // A planted fault may announce another length, or end a body early.
    configuration.connection.contentLengthValidation = .disabled
    let bound = NIOLoopBound(connection, eventLoop: channel.eventLoop)
    let handler = NIOHTTP2Handler(
      mode: .server, eventLoop: channel.eventLoop, connectionConfiguration: configuration.connection,
      streamConfiguration: configuration.stream
    ) { stream in
      stream.eventLoop.makeCompletedFuture { try bound.value.open(stream) }
    }
    try channel.pipeline.syncOperations.addHandler(handler)
    try channel.pipeline.syncOperations.addHandler(connection)
  }
}
