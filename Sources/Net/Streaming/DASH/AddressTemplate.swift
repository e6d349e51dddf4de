/// A URL in which the number or the time of a segment is to be put (ISO/IEC 23009-1 §5.3.9.4.4), resolved.
struct AddressTemplate: Sendable {
  private enum Variable: Sendable {
    case number, time
  }

  private struct Place: Sendable {
    let variable: Variable
    let width: Int
    /// What follows the digits.
    let suffix: [UInt8]
  }

  private let prefix: [UInt8]
  private let places: [Place]
  private let root: String?

  /// Whether segments have addresses of their own.
  var isConstant: Bool { places.isEmpty }

  /// Replaces `$RepresentationID$` and `$Bandwidth$`, and resolves what comes out.
  ///
  /// Throws for another identifier, a width beyond 32, and an address that is not opened.
  init(_ text: String, id: String, bandwidth: Int64, base: AddressResolver) throws(AddressResolver.Refusal) {
    guard text.utf8.count <= ManifestLimits.addressLength, id.utf8.count <= ManifestLimits.addressLength else {
      throw AddressResolver.Refusal(cause: "the URL is longer than \(ManifestLimits.addressLength) bytes")
    }
    var reference: [UInt8] = []
    var variables: [(Variable, Int)] = []
    let pieces = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
    guard pieces.count % 2 == 1, pieces.count <= 64 else {
      throw AddressResolver.Refusal(cause: "its template has a '$' without another")
    }
    for (index, piece) in pieces.enumerated() {
      guard index % 2 == 1 else {
        guard !piece.contains(where: { $0 < 4 }) else {
          throw AddressResolver.Refusal(cause: "the URL holds a control character")
        }
        reference += piece
        continue
      }
      let (name, width) = try Self.identifier(piece)
      switch name {
      case "": reference.append(UInt8(ascii: "$"))
      case "RepresentationID": reference += id.utf8
      case "Bandwidth": reference += Self.digits(bandwidth, width: width)
      case "Number", "Time":
        variables.append((name == "Number" ? .number : .time, width))
        reference.append(Self.mark)
      default: throw AddressResolver.Refusal(cause: "its template has the unknown identifier '\(name.prefix(40))'")
      }
    }
    let resolved = try base.resolve(reference[...], keepsMarks: true)
    let parts = resolved.text.utf8.split(separator: Self.mark, omittingEmptySubsequences: false).map { Array($0) }
    guard parts.count == variables.count + 1 else {
      throw AddressResolver.Refusal(cause: "its template has an identifier behind a '#' or before the host")
    }
    prefix = parts[0]
    root = resolved.root
    places = zip(variables, parts.dropFirst()).map { Place(variable: $0.0, width: $0.1, suffix: $1) }
  }

  func address(number: Int64, time: Int64) -> StreamAddress {
    var bytes = prefix
    for place in places {
      bytes += Self.digits(place.variable == .number ? number : time, width: place.width)
      bytes += place.suffix
    }
    return StreamAddress(checked: String(decoding: bytes, as: UTF8.self), root: root)
  }

  /// A byte that no reference holds: digits take its place.
  private static let mark: UInt8 = 1

  /// `Number%05d`
  private static func identifier(
    _ piece: Substring.UTF8View
  ) throws(AddressResolver.Refusal) -> (name: String, width: Int) {
    let name = String(decoding: piece.prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self)
    let format = piece.drop { $0 != UInt8(ascii: "%") }
    guard !format.isEmpty else { return (name, 1) }
    let digits = format.dropFirst().dropLast()
    guard format.last == UInt8(ascii: "d"), digits.first == UInt8(ascii: "0"),
      let width = Decimal64.integer(digits), width <= 32
    else { throw AddressResolver.Refusal(cause: "its template has a format other than '%05d'") }
    return (name, max(1, Int(width)))
  }

  private static func digits(_ value: Int64, width: Int) -> [UInt8] {
    let text = Array(String(value).utf8)
    return Array(repeating: UInt8(ascii: "0"), count: max(0, width - text.count)) + text
  }
}
