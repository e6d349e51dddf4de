import Frames

/// The object of a media player on the bus: calls to it become answers. Pure.
package enum MPRISObject {
  package static let path = "/org/mpris/MediaPlayer2"
  package static let name = "org.mpris.MediaPlayer2.bench360"
  static let properties = "org.freedesktop.DBus.Properties"
  static let introspectable = "org.freedesktop.DBus.Introspectable"
  static let peer = "org.freedesktop.DBus.Peer"

  /// - Parameter machine: this machine's identifier, for `GetMachineId`.
  package static func answer(_ call: BusCall, _ state: PlayerState, machine: () -> String?) -> BusAnswer {
    // A peer is the connection, at any path.
    if call.interface == peer { return answerPeer(call, machine) }
    if call.interface == introspectable || (call.interface == nil && call.member == "Introspect") {
      return answerIntrospection(call)
    }
    guard call.path == path else { return failure("UnknownObject", "there is no object '\(call.path)'") }
    if call.interface == properties { return answerProperties(call, state) }
    // Without an interface the first method of that name is meant.
    let methods = MPRISMethod.table.filter { call.interface == nil || "org.mpris.\($0.interface)" == call.interface }
    guard !methods.isEmpty else {
      return failure("UnknownInterface", "there is no interface '\(call.interface ?? "")'")
    }
    guard let method = methods.first(where: { $0.name == call.member }) else {
      return failure("UnknownMethod", "there is no method '\(call.member)'")
    }
    let expected = method.arguments.map(\.signature).joined()
    guard call.arguments.map(\.signature).joined() == expected else {
      return wrongArguments(call, expected)
    }
    do throws(Failure) {
      return .reply([], request: try method.request(call.arguments, state))
    } catch {
      return failure("InvalidArgs", error.description)
    }
  }

  // MARK: Properties

  private static func answerProperties(_ call: BusCall, _ state: PlayerState) -> BusAnswer {
    let types = call.arguments.map(\.signature).joined()
    guard let expected = ["Get": "ss", "GetAll": "s", "Set": "ssv"][call.member] else {
      return failure("UnknownMethod", "there is no method '\(call.member)'")
    }
    guard types == expected else { return wrongArguments(call, expected) }
    let interface = call.arguments[0].string ?? ""
    let rows = MPRISProperty.table.filter { interface.isEmpty || "org.mpris.\($0.interface)" == interface }
    guard !rows.isEmpty else { return failure("UnknownInterface", "there is no interface '\(interface)'") }
    if call.member == "GetAll" {
      return .reply([.table(Dictionary(rows.map { ($0.name, $0.read(state)) }) { first, _ in first })])
    }
    let name = call.arguments[1].string ?? ""
    guard let row = rows.first(where: { $0.name == name }) else {
      return failure("UnknownProperty", "there is no property '\(name)'")
    }
    guard call.member == "Set", case .variant(let value)? = call.arguments.last else {
      return .reply([.variant(row.read(state))])
    }
    guard let write = row.write else { return failure("PropertyReadOnly", "'\(name)' can only be read") }
    guard let request = write(value) else {
      return failure("InvalidArgs", "'\(name)' does not take this value; its type is '\(row.signature)'")
    }
    return .reply([], request: request)
  }

  // MARK: The standard's other interfaces

  private static func answerPeer(_ call: BusCall, _ machine: () -> String?) -> BusAnswer {
    switch call.member {
    case "Ping": return .reply([])
    case "GetMachineId":
      return machine().map { .reply([.string($0)]) } ?? failure("Failed", "this machine has no identifier")
    default: return failure("UnknownMethod", "there is no method '\(call.member)'")
    }
  }

  private static func answerIntrospection(_ call: BusCall) -> BusAnswer {
    guard call.member == "Introspect" else { return failure("UnknownMethod", "there is no method '\(call.member)'") }
    if call.path == path { return .reply([.string(introspection)]) }
    // Folders on the way to the object.
    let folder = call.path == "/" ? "/" : call.path + "/"
    guard path.hasPrefix(folder), let child = path.dropFirst(folder.count).split(separator: "/").first else {
      return failure("UnknownObject", "there is no object '\(call.path)'")
    }
    return .reply([.string(document("  <node name=\"\(child)\"/>\n"))])
  }

  private static func wrongArguments(_ call: BusCall, _ expected: String) -> BusAnswer {
    failure("InvalidArgs", "'\(call.member)' takes arguments of type '\(expected)'")
  }

  /// Names in the text are the client's.
  private static func failure(_ name: String, _ text: String) -> BusAnswer {
    .failure(name: name, text: oneLine(text))
  }
}

// The description of the object, out of the tables.
extension MPRISObject {
  static let introspection: String = {
    let own = [MPRISProperty.root, MPRISProperty.player].map { interface in
      var lines: [String] = []
      for method in MPRISMethod.table where method.interface == interface {
        let arguments = method.arguments.map { argument($0.name, $0.signature, "in") }
        lines.append(element("method", method.name, arguments))
      }
      if interface == MPRISProperty.player {
        lines.append(element("signal", "Seeked", [argument("Position", "x", nil)]))
      }
      for property in MPRISProperty.table where property.interface == interface {
        let access = property.write == nil ? "read" : "readwrite"
        let annotation =
          property.isTold
          ? ""
          : "<annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"false\"/>"
        lines.append(
          "    <property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\">\(annotation)"
            + "</property>\n")
      }
      return part("org.mpris.\(interface)", lines)
    }
    let standard = [
      part(
        properties,
        [
          element(
            "method", "Get",
            [argument("interface", "s", "in"), argument("name", "s", "in"), argument("value", "v", "out")]),
          element("method", "GetAll", [argument("interface", "s", "in"), argument("values", "a{sv}", "out")]),
          element(
            "method", "Set",
            [argument("interface", "s", "in"), argument("name", "s", "in"), argument("value", "v", "in")]),
          element(
            "signal", "PropertiesChanged",
            [argument("interface", "s", nil), argument("changed", "a{sv}", nil), argument("invalidated", "as", nil)]),
        ]),
      part(introspectable, [element("method", "Introspect", [argument("data", "s", "out")])]),
      part(peer, [element("method", "Ping", []), element("method", "GetMachineId", [argument("id", "s", "out")])]),
    ]
    return document((own + standard).joined())
  }()

  private static func document(_ body: String) -> String {
    "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\"\n"
      + " \"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">\n<node>\n\(body)</node>\n"
  }

  private static func part(_ name: String, _ lines: [String]) -> String {
    "  <interface name=\"\(name)\">\n\(lines.joined())  </interface>\n"
  }

  private static func element(_ kind: String, _ name: String, _ arguments: [String]) -> String {
    "    <\(kind) name=\"\(name)\">\(arguments.joined())</\(kind)>\n"
  }

  private static func argument(_ name: String, _ type: String, _ direction: String?) -> String {
    "<arg name=\"\(name)\" type=\"\(type)\"\(direction.map { " direction=\"\($0)\"" } ?? "")/>"
  }
}
