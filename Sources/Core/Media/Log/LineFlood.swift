import Frames
import Logging

/// Which lines of a log are told where many of one kind come: the first twenty of each second, of which the last says that more were left out.
package struct LineFlood {
  package enum Fate: Hashable, Sendable {
    case told
    /// The last of its kind in this second.
    case toldAsLast
    case leftOut
  }

  /// Lines of one kind that are told in a second.
  package static let most = 20
  /// What stands behind the last of them.
  static let more: Logger.MetadataValue = "left out until this second is over"

  private var second = Int64.min
  /// Lines by kind since the second began.
  private var lines: [UInt: Int] = [:]

  package init() {}

  /// - Parameter kind: the same for lines that differ in their numbers alone.
  package mutating func fate(of kind: UInt, at instant: MonotonicTime) -> Fate {
    if second != instant.nanoseconds / 1_000_000_000 {
      second = instant.nanoseconds / 1_000_000_000
      lines.removeAll(keepingCapacity: true)
    }
    let number = lines[kind, default: 0] + 1
    lines[kind] = number
    return number < Self.most ? .told : number == Self.most ? .toldAsLast : .leftOut
  }
}
