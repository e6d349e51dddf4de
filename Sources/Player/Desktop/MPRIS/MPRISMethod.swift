import Frames

/// A method of the two interfaces of MPRIS 2.2: a call becomes a request. Pure.
struct MPRISMethod: Sendable {
  /// Behind `org.mpris.`.
  var interface: String
  var name: String
  /// Names and types of its arguments.
  var arguments: [(name: String, signature: String)] = []
  /// Arguments have the types above. Nil: there is nothing to do. Throws `.usage` where a value is refused.
  var request: @Sendable (_ arguments: [BusValue], _ state: PlayerState) throws(Failure) -> PlayerRequest?

  static let table: [MPRISMethod] = [
    simple(MPRISProperty.root, "Raise", .raise),
    simple(MPRISProperty.root, "Quit", .quit),
    simple(MPRISProperty.player, "Play", .play),
    simple(MPRISProperty.player, "Pause", .pause),
    simple(MPRISProperty.player, "PlayPause", .playOrPause),
    simple(MPRISProperty.player, "Stop", .stop),
    simple(MPRISProperty.player, "Next", .next),
    simple(MPRISProperty.player, "Previous", .previous),
    MPRISMethod(interface: MPRISProperty.player, name: "Seek", arguments: [("Offset", "x")]) {
      arguments, state throws(Failure) in
      guard case .int64(let offset)? = arguments.first, state.track?.canSeek == true else { return nil }
      let target = state.place + MediaTime(microseconds: offset)
      // As the specification has it.
      if let length = state.track?.length, target > length { return .next }
      return .move(by: MediaTime(microseconds: offset))
    },
    MPRISMethod(
      interface: MPRISProperty.player, name: "SetPosition", arguments: [("TrackId", "o"), ("Position", "x")]
    ) { arguments, state throws(Failure) in
      // A stale track and a place outside are ignored, as the specification has it.
      guard case .path(let track)? = arguments.first, case .int64(let position)? = arguments.last,
        state.track?.canSeek == true, track == MPRISProperty.trackPath(state.track), position >= 0
      else { return nil }
      let target = MediaTime(microseconds: position)
      if let length = state.track?.length, target > length { return nil }
      return .go(to: target)
    },
    MPRISMethod(interface: MPRISProperty.player, name: "OpenUri", arguments: [("Uri", "s")]) {
      arguments, _ throws(Failure) in
      .open(try OpenedURI.input(arguments.first?.string ?? ""))
    },
  ]

  private static func simple(_ interface: String, _ name: String, _ request: PlayerRequest) -> MPRISMethod {
    MPRISMethod(interface: interface, name: name) { _, _ in request }
  }
}

/// URIs of `OpenUri`, and what they are to the player. Pure.
enum OpenedURI {
  /// Bytes.
  static let limit = 8192

  /// The path of a `file:` URI of this machine, or the URL of one of HTTP.
  ///
  /// Throws `.usage` for all others.
  static func input(_ uri: String) throws(Failure) -> String {
    func refused(_ cause: String) -> Failure {
      Failure(
        .usage, "cannot open '\(oneLine(uri, limit: 80))'", cause: cause,
        remedy: "name a file or URL by file://, http:// or https://")
    }
    guard uri.utf8.count <= limit else { throw refused("it has more than \(limit) bytes") }
    guard !uri.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw refused("it holds control characters") }
    let scheme = uri.prefix { $0 != ":" }.lowercased()
    if scheme == "http" || scheme == "https" {
      guard uri.dropFirst(scheme.count).hasPrefix("://") else { throw refused("it names no server") }
      return uri
    }
    guard scheme == "file" else { throw refused("it is neither of a file nor of a web server") }
    let rest = uri.dropFirst("file:".count)
    // file:/path, file:///path and file://localhost/path.
    let path: Substring
    if rest.hasPrefix("//") {
      let place = rest.dropFirst(2)
      let host = place.prefix { $0 != "/" }
      guard host.isEmpty || host.lowercased() == "localhost" else { throw refused("the file is of another machine") }
      path = place.dropFirst(host.count)
    } else {
      path = rest
    }
    guard path.hasPrefix("/"), let bytes = decoded(path.utf8), !bytes.contains(0) else {
      throw refused("it names no file")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Nil where a `%` begins no two hexadecimal digits.
  private static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
    var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], text)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.first != UInt8(ascii: "+"),
        let value = UInt8(String(Substring(digits)), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  /// The URI of a file by its absolute path.
  static func uri(ofFile path: String) -> String {
    let kept = Set("/-._~!$&'()*+,;=:@".utf8)
    return "file://"
      + path.utf8.map { byte in
        let isKept =
          kept.contains(byte) || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte)
        return isKept ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte)
      }.joined()
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return text.utf8.count == 2 ? text : "0" + text
  }
}
