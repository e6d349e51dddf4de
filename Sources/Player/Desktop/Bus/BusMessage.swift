internal import CDBus
import Frames

/// A message of the bus; freed with it. One thread at a time.
struct BusMessage: ~Copyable {
  let handle: OpaquePointer
  private let bus: bench_dbus

  /// Takes the message over; nil for none, as where memory is short.
  init?(_ handle: OpaquePointer?, _ library: BusLibrary) {
    guard let handle else { return nil }
    (self.handle, bus) = (handle, library.bus)
  }

  deinit { bus.dbus_message_unref(handle) }

  // MARK: Reading

  var isCall: Bool { type == BENCH_DBUS_METHOD_CALL }
  var isReply: Bool { type == BENCH_DBUS_METHOD_RETURN }
  var wantsReply: Bool { bus.dbus_message_get_no_reply(handle) == 0 }
  /// The number of the message that this one answers; 0: none.
  var answers: UInt32 { bus.dbus_message_get_reply_serial(handle) }

  /// The call that it is; nil for a call without a path or member, which the library refuses before.
  var call: BusCall? {
    guard let path = text(bus.dbus_message_get_path(handle)), let member = text(bus.dbus_message_get_member(handle))
    else { return nil }
    return BusCall(
      path: path, interface: text(bus.dbus_message_get_interface(handle)), member: member, arguments: arguments)
  }

  /// The first argument, where that is an unsigned number.
  var number: UInt32? {
    var place = DBusMessageIter()
    guard bus.dbus_message_iter_init(handle, &place) != 0,
      bus.dbus_message_iter_get_arg_type(&place) == Self.code("u")
    else { return nil }
    var value = UInt32(0)
    bus.dbus_message_iter_get_basic(&place, &value)
    return value
  }

  private var type: Int { Int(bus.dbus_message_get_type(handle)) }

  private func text(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }

  /// More of them than any method takes are left out but for one.
  private static let limit = 8

  private var arguments: [BusValue] {
    var place = DBusMessageIter()
    guard bus.dbus_message_iter_init(handle, &place) != 0 else { return [] }
    var values: [BusValue] = []
    repeat { values.append(value(&place)) } while values.count <= Self.limit && bus.dbus_message_iter_next(&place) != 0
    return values
  }

  private func value(_ place: inout DBusMessageIter, isInside: Bool = false) -> BusValue {
    let type = bus.dbus_message_iter_get_arg_type(&place)
    switch type {
    case Self.code("b"):
      var value = UInt32(0)
      bus.dbus_message_iter_get_basic(&place, &value)
      return .boolean(value != 0)
    case Self.code("x"):
      var value = Int64(0)
      bus.dbus_message_iter_get_basic(&place, &value)
      return .int64(value)
    case Self.code("d"):
      var value = 0.0
      bus.dbus_message_iter_get_basic(&place, &value)
      return .double(value)
    case Self.code("s"), Self.code("o"):
      var value: UnsafePointer<CChar>?
      bus.dbus_message_iter_get_basic(&place, &value)
      let text = self.text(value) ?? ""
      return type == Self.code("s") ? .string(text) : .path(text)
    // One level: no property holds a variant.
    case Self.code("v") where !isInside:
      var inside = DBusMessageIter()
      bus.dbus_message_iter_recurse(&place, &inside)
      return .variant(value(&inside, isInside: true))
    default:
      return .other(UInt8(exactly: type).map { String(UnicodeScalar($0)) } ?? "?")
    }
  }

  private static func code(_ letter: Unicode.Scalar) -> Int32 { Int32(letter.value) }

  // MARK: Writing

  /// Appends arguments; false where memory is short, and the message must not be sent then.
  mutating func append(_ values: [BusValue]) -> Bool {
    var place = DBusMessageIter()
    bus.dbus_message_iter_init_append(handle, &place)
    return values.allSatisfy { append($0, to: &place) }
  }

  /// Appends an unsigned number, which MPRIS has none of; false where memory is short.
  mutating func append(_ number: UInt32) -> Bool {
    var place = DBusMessageIter()
    bus.dbus_message_iter_init_append(handle, &place)
    return append(number, "u", to: &place)
  }

  private func append(_ value: BusValue, to place: inout DBusMessageIter) -> Bool {
    switch value {
    case .boolean(let isTrue): return append(UInt32(isTrue ? 1 : 0), "b", to: &place)
    case .int64(let number): return append(number, "x", to: &place)
    case .double(let number): return append(number, "d", to: &place)
    case .string(let text): return append(text, "s", to: &place)
    case .path(let text): return append(text, "o", to: &place)
    case .strings(let texts):
      return inside("a", "s", &place) { inner in texts.allSatisfy { append($0, "s", to: &inner) } }
    case .table(let values):
      return inside("a", "{sv}", &place) { list in
        values.sorted { $0.key < $1.key }.allSatisfy { name, value in
          inside("e", nil, &list) { entry in
            append(name, "s", to: &entry) && append(.variant(value), to: &entry)
          }
        }
      }
    case .variant(let value):
      return inside("v", value.signature, &place) { append(value, to: &$0) }
    case .other: return false
    }
  }

  private func append<Number>(_ number: Number, _ type: Unicode.Scalar, to place: inout DBusMessageIter) -> Bool {
    withUnsafePointer(to: number) { bus.dbus_message_iter_append_basic(&place, Self.code(type), $0) != 0 }
  }

  private func append(_ text: String, _ type: Unicode.Scalar, to place: inout DBusMessageIter) -> Bool {
    text.withCString { append($0, type, to: &place) }
  }

  private func inside(
    _ type: Unicode.Scalar, _ signature: String?, _ place: inout DBusMessageIter,
    _ body: (inout DBusMessageIter) -> Bool
  ) -> Bool {
    var inner = DBusMessageIter()
    guard bus.dbus_message_iter_open_container(&place, Self.code(type), signature, &inner) != 0 else { return false }
    guard body(&inner) else {
      bus.dbus_message_iter_abandon_container(&place, &inner)
      return false
    }
    return bus.dbus_message_iter_close_container(&place, &inner) != 0
  }
}
