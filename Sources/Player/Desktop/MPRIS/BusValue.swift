/// A value in a message, of the types that MPRIS uses.
package enum BusValue: Sendable, Hashable {
  case boolean(Bool)
  case int64(Int64)
  case double(Double)
  case string(String)
  /// An object's.
  case path(String)
  case strings([String])
  /// Names with values of any type.
  case table([String: BusValue])
  indirect case variant(BusValue)
  /// One of another type, by its code.
  case other(String)

  /// The type's code, as the D-Bus specification has it.
  package var signature: String {
    switch self {
    case .boolean: "b"
    case .int64: "x"
    case .double: "d"
    case .string: "s"
    case .path: "o"
    case .strings: "as"
    case .table: "a{sv}"
    case .variant: "v"
    case .other(let code): code
    }
  }

  package var string: String? { if case .string(let text) = self { text } else { nil } }
}

/// A call that came over the bus.
package struct BusCall: Sendable, Hashable {
  package var path: String
  /// Nil: the client leaves it out.
  package var interface: String?
  package var member: String
  package var arguments: [BusValue]

  package init(path: String, interface: String?, member: String, arguments: [BusValue] = []) {
    (self.path, self.interface, self.member, self.arguments) = (path, interface, member, arguments)
  }
}

/// What a call is answered by.
package enum BusAnswer: Sendable, Hashable {
  /// - Parameter request: to the player; nil: there is nothing to do.
  case reply([BusValue], request: PlayerRequest? = nil)
  /// - Parameters:
  ///   - name: behind `org.freedesktop.DBus.Error.`.
  case failure(name: String, text: String)
}
