import Frames

/// A controller by name: one row of `ControllerRow.all`.
public struct ControllerRow: Sendable {
  /// As `--controller` takes it; with a `:` behind it where it takes a number.
  public let name: String
  /// A few words for the help text.
  public let summary: String
  /// Whether a number follows the name, as in `fixed:2`.
  public let takesNumber: Bool
  let make: @Sendable (ControllerSetting) -> any AdaptationController

  package init(
    name: String, summary: String, takesNumber: Bool,
    make: @escaping @Sendable (ControllerSetting) -> any AdaptationController
  ) {
    (self.name, self.summary, self.takesNumber, self.make) = (name, summary, takesNumber, make)
  }

  public static let all: [ControllerRow] = [
    .fixed, .lowest, .throughput, .bola, .dynamic, .mpc, .bba,
  ]
}

/// What a controller is made of.
public struct ControllerSetting: Sendable {
  public var table: RungTable
  /// Most media that the player keeps ahead of the playhead, s.
  public var maximumBuffer: Double
  /// The number behind the name.
  public var number: Int

  public init(table: RungTable, maximumBuffer: Double, number: Int = 0) {
    self.table = table
    self.maximumBuffer = maximumBuffer
    self.number = number
  }
}

/// The choice of a controller: `bola`, `fixed:2`.
public struct ControllerChoice: Sendable {
  public let row: ControllerRow
  public let number: Int

  /// Nil where there is no such controller, where the number is missing or too large for a ladder, and where there must be none.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let row = ControllerRow.all.first(where: { $0.name == parts[0] }), row.takesNumber == (parts.count == 2)
    else {
      return nil
    }
    let number = parts.count == 2 ? Int(parts[1]) : 0
    guard let number, number >= 0, number < RungTable.Limits.rungs.upperBound else { return nil }
    (self.row, self.number) = (row, number)
  }

  /// A controller that stands in no table.
  package init(_ row: ControllerRow) { (self.row, number) = (row, 0) }

  /// As it was given.
  public var name: String { row.takesNumber ? "\(row.name):\(number)" : row.name }

  /// All forms, for messages: `fixed:N, lowest, …`.
  public static var forms: String {
    ControllerRow.all.map { $0.takesNumber ? $0.name + ":N" : $0.name }.joined(separator: ", ")
  }

  /// Throws `.usage` for the number of a rung that the table does not have.
  public func make(_ table: RungTable, maximumBuffer: Double) throws(Failure) -> any AdaptationController {
    guard number < table.count else {
      throw Failure(
        .usage, "cannot use controller '\(name)'",
        cause: "the ladder '\(table.name)' has the rungs 0 to \(table.count - 1)", remedy: "name one of them")
    }
    return row.make(ControllerSetting(table: table, maximumBuffer: maximumBuffer, number: number))
  }
}
