import NIOCore
import NIOHTTP1

/// The handlers of a connection: the link next to the socket, then HTTP/1.1 and its requests.
enum ConnectionPipeline {
  /// Of header fields together.
  private static let headerBytes = 65_536

  /// Configures an accepted connection. Throws where there are too many.
  static func configure(_ channel: any Channel, _ core: OriginCore) throws {
    guard let number = core.nextConnection(channel) else { throw ChannelError.operationUnsupported }
    let link = LinkHandler(bottleneck: core.bottleneck, loss: core.loss(ofConnection: number))
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = 16_384
    limits.maxHeaderListSize = headerBytes
    limits.maxHeaderFieldCount = 128
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(link)
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: true, withErrorHandling: false, withOutboundHeaderValidation: true,
      withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
    try pipeline.addHandler(ConnectionHandler(number: number, link: link, accepted: NIODeadline.now(), core: core))
  }
}
