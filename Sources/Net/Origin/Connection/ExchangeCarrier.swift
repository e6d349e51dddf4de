import NIOCore

/// What an exchange is carried by: a connection of HTTP/1.1, or a stream of HTTP/2. Used on the event loop alone.
protocol ExchangeCarrier: AnyObject {
  /// Of the connection, counted from 1.
  var number: Int { get }
  /// The client sends no more.
  var isInputClosed: Bool { get }
  /// Bytes of a body that are written at a time.
  var pieceBytes: Int { get }
  /// Bytes that the kernel has accepted since the connection began; nil where other exchanges share it, so that only whole
  /// pieces can be told apart.
  var acceptedBytes: Int64? { get }

  /// Sends the next write, a response's head, in pieces over so many seconds; false where pieces of it would hold up others.
  func sendNextWriteSlowly(seconds: Double) -> Bool

  /// The exchange has sent all that it has to send.
  func exchangeDidEnd(keepsAlive: Bool)

  /// Ends the response in good order, though its body is not complete.
  func endEarly()

  /// Breaks the response off, once the client has all that was sent.
  func reset()

  /// Ends the carrier at once.
  func abort()

  /// Ends the carrier at once, because the origin stops.
  func stop()
}

/// One connection, as the origin knows it. Used on the event loop alone.
protocol OriginConnection: AnyObject {
  /// Bytes that wait for the link.
  var queuedBytes: Int { get }
  /// Since when no request is under way; nil: one is.
  var idleSince: NIODeadline? { get }

  /// Ends the connection at once; its requests are logged as stopped.
  func stop()
}
