internal import CDBus
import Frames
import Glibc

/// A connection to a bus; closed with it. One thread at a time; no call waits, but for `init`, which waits where the bus accepts no
/// connection.
struct BusConnection: ~Copyable {
  private let library: BusLibrary
  private let handle: OpaquePointer
  private let socket: Int32

  /// Bytes of a message, and of all messages that have not been read.
  private static let (messageLimit, receivedLimit) = (1 << 20, 4 << 20)
  /// Bytes that the bus has not taken: no more calls are answered before it does.
  private static let sentLimit = 1 << 20

  /// Nil where there is no bus at that address.
  init?(_ address: String, _ library: BusLibrary) {
    let bus = library.bus
    guard let handle = bus.dbus_connection_open_private(address, nil) else { return nil }
    // The library's default ends the process with the bus.
    bus.dbus_connection_set_exit_on_disconnect(handle, 0)
    bus.dbus_connection_set_max_message_size(handle, Self.messageLimit)
    bus.dbus_connection_set_max_received_size(handle, Self.receivedLimit)
    var socket = Int32(-1)
    guard bus.dbus_connection_get_unix_fd(handle, &socket) != 0 else {
      bus.dbus_connection_close(handle)
      bus.dbus_connection_unref(handle)
      return nil
    }
    (self.library, self.handle, self.socket) = (library, handle, socket)
  }

  deinit {
    // What is left to be sent, as far as the bus takes it at once.
    _ = library.bus.dbus_connection_read_write(handle, 0)
    library.bus.dbus_connection_close(handle)
    library.bus.dbus_connection_unref(handle)
  }

  var isConnected: Bool { library.bus.dbus_connection_get_is_connected(handle) != 0 }
  var isAuthenticated: Bool { library.bus.dbus_connection_get_is_authenticated(handle) != 0 }
  /// The bus takes less than it is sent.
  var isBlocked: Bool { library.bus.dbus_connection_get_outgoing_size(handle) > Self.sentLimit }

  /// Waits for the bus, or for `other` to be readable, at most `milliseconds` where that is not negative; then reads and writes what can
  /// be read and written at once. False once the bus has gone.
  func exchange(beside other: Int32, milliseconds: Int32) -> Bool {
    // Before authentication the library knows what it waits for, and the socket could always be written to.
    let writes = isAuthenticated && library.bus.dbus_connection_has_messages_to_send(handle) != 0
    let reads = !isBlocked
    var polled = [
      pollfd(fd: socket, events: Int16(reads ? POLLIN : 0) | Int16(writes ? POLLOUT : 0), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&polled, nfds_t(polled.count), milliseconds)
    return library.bus.dbus_connection_read_write(handle, 0) != 0 && isConnected
  }

  /// The next message that has arrived; nil: none.
  func next() -> BusMessage? { BusMessage(library.bus.dbus_connection_pop_message(handle), library) }

  /// Calls the bus itself; the number of the message, which its answer names; nil where memory is short.
  func callBus(_ member: String, _ arguments: [BusValue] = [], flags: UInt32? = nil) -> UInt32? {
    let message = BusMessage(
      library.bus.dbus_message_new_method_call(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member), library)
    guard var message, message.append(arguments) else { return nil }
    if let flags, !message.append(flags) { return nil }
    var number = UInt32(0)
    guard library.bus.dbus_connection_send(handle, message.handle, &number) != 0 else { return nil }
    return number
  }

  func signal(_ interface: String, _ name: String, _ arguments: [BusValue]) {
    let message = BusMessage(
      library.bus.dbus_message_new_signal(MPRISObject.path, interface, name), library)
    guard var message, message.append(arguments) else { return }
    send(message)
  }

  func reply(to call: borrowing BusMessage, _ arguments: [BusValue]) {
    let message = BusMessage(library.bus.dbus_message_new_method_return(call.handle), library)
    guard var message, message.append(arguments) else { return }
    send(message)
  }

  /// - Parameter name: behind `org.freedesktop.DBus.Error.`.
  func refuse(_ call: borrowing BusMessage, name: String, text: String) {
    let message = BusMessage(
      library.bus.dbus_message_new_error(call.handle, "org.freedesktop.DBus.Error.\(name)", text), library)
    guard let message else { return }
    send(message)
  }

  private func send(_ message: borrowing BusMessage) {
    _ = library.bus.dbus_connection_send(handle, message.handle, nil)
  }
}
