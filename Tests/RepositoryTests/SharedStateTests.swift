import Testing

/// What the compiler takes our word for: a type that says `@unchecked Sendable` has no variable of its own.
///
/// Values that change lie in a `Mutex` or an `Atomic`, which are constants.
@Suite struct SharedStateTests {
  /// `var` properties with storage of unchecked types at the top level of a file, as `Type.property`.
  private static func variables(in lines: [Substring]) throws -> [String] {
    let type = try Regex("^(?:\\w+ )*(?:class|struct|enum) (\\w+)", as: (Substring, Substring).self)
    let stored = try Regex("^  (?:[\\w()]+ )*var (\\w+)", as: (Substring, Substring).self)
    var current: Substring?
    var found: [String] = []
    for line in lines {
      if let match = try type.firstMatch(in: line) {
        current = line.contains("@unchecked Sendable") ? match.output.1 : nil
      }
      if line.hasPrefix("}") { current = nil }
      // With a body at its end it is computed.
      let isComputed = line.hasSuffix("{") || line.hasSuffix("}")
      if let current, !isComputed, let match = try stored.firstMatch(in: line) {
        found.append("\(current).\(match.output.1)")
      }
    }
    return found
  }

  @Test func uncheckedTypesOfTheGPUHoldNoVariables() throws {
    let files = try Repository.swiftFiles(below: "Sources/Core/GPU")
    let found = try files.map { (file: $0, variables: try Self.variables(in: Repository.lines($0))) }
    #expect(try files.count { try Repository.text($0).contains("@unchecked Sendable") } > 20)
    for (file, variables) in found { #expect(variables == [], "\(file): guard it by a Mutex or make it an Atomic") }
  }

  @Test func variablesAreFound() throws {
    let text = """
      public final class Open: @unchecked Sendable {
        let handle: Int
        var layout: Int
        private(set) var count = 0
        private weak var pool: Open?
        var size: Int { handle }
        var area: Int {
          var local = 0
        }
        struct Inner {
          var value = 0
        }
      }
      final class Closed: Sendable {
        var never = 0
      }
      """
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(try Self.variables(in: lines) == ["Open.layout", "Open.count", "Open.pool"])
  }
}
