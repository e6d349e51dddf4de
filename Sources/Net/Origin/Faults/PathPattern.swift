/// A pattern of paths, as shells and `.gitignore` have them.
///
/// `*` and `?` match within a segment, `**` also across slashes. A pattern without a slash is compared with the last
/// segment, any other with the whole path from the root.
public struct PathPattern: Hashable, Sendable, CustomStringConvertible {
  private enum Step: Hashable {
    case byte(UInt8)
    /// One byte of a segment.
    case any
    /// Any bytes of a segment.
    case many
    /// Any bytes.
    case across
  }

  public let description: String
  private let steps: [Step]
  private let isLastSegment: Bool

  public init(_ text: String) {
    description = text
    isLastSegment = !text.utf8.contains(UInt8(ascii: "/"))
    let bytes = Array((isLastSegment || text.hasPrefix("/") ? text : "/" + text).utf8)
    var steps: [Step] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "*"):
        if steps.last == .many || steps.last == .across {
          steps[steps.count - 1] = .across
        } else {
          steps.append(.many)
        }
      case UInt8(ascii: "?"): steps.append(.any)
      default: steps.append(.byte(byte))
      }
    }
    self.steps = steps
  }

  /// Takes time in proportion to the product of both lengths, for any pattern and path.
  public func matches(_ path: String) -> Bool {
    let slash = UInt8(ascii: "/")
    let text = isLastSegment ? path.utf8.split(separator: slash).last ?? path.utf8[...].suffix(0) : path.utf8[...]
    // The steps that may be next, as in a simulation of a nondeterministic automaton.
    var current = [Bool](repeating: false, count: steps.count + 1)
    current[0] = true
    skipStars(&current)
    for byte in text {
      var next = [Bool](repeating: false, count: steps.count + 1)
      for (index, step) in steps.enumerated() where current[index] {
        switch step {
        case .byte(let wanted): if byte == wanted { next[index + 1] = true }
        case .any: if byte != slash { next[index + 1] = true }
        case .many: if byte != slash { next[index] = true }
        case .across: next[index] = true
        }
      }
      skipStars(&next)
      current = next
    }
    return current[steps.count]
  }

  /// A star may match no byte.
  private func skipStars(_ places: inout [Bool]) {
    for (index, step) in steps.enumerated() where places[index] && (step == .many || step == .across) {
      places[index + 1] = true
    }
  }
}
