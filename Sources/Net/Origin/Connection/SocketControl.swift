import Glibc
import NIOCore
import NIOPosix

/// Options of sockets that Linux has and NIO does not name.
enum SocketControl {
  /// Unsent bytes that the kernel takes from a shaped connection: what the origin counts as sent is on its way.
  ///
  /// What the link passes in 20 ms, so that a client that is late to read does not cost capacity; 128 KiB to 1 MiB.
  static func unsentBytes(_ shape: LinkShape) -> Int {
    min(max(131_072, Int(shape.peakBitsPerSecond / 8 * 0.02)), 1 << 20)
  }

  static let unsentLimit = ChannelOptions.Types.SocketOption(
    level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT))
  static let noDelay = ChannelOptions.Types.SocketOption(level: .tcp, name: .tcp_nodelay)
  static let reuseAddress = ChannelOptions.Types.SocketOption(level: .socket, name: .so_reuseaddr)
}

extension Channel {
  /// Resets the connection once the client's kernel has all that was sent, or after a second. On the event loop.
  func resetOnceDelivered() { resetOnceDelivered(attempts: 1000) }

  private func resetOnceDelivered(attempts: Int) {
    var queued: Int32 = 0
    let isKnown = withSocket { ioctl($0, UInt(TIOCOUTQ), &queued) == 0 } ?? false
    guard isActive else { return }
    if isKnown, queued > 0, attempts > 0 {
      eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(1)) { self.resetOnceDelivered(attempts: attempts - 1) }
      return
    }
    var option = linger(l_onoff: 1, l_linger: 0)
    _ = withSocket { setsockopt($0, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size)) }
    close(promise: nil)
  }

  private func withSocket<Result>(_ body: (NIOBSDSocket.Handle) -> Result) -> Result? {
    try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { body($0) }
  }
}
