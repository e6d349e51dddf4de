import Foundation
import Support
import Testing

extension PageCommandTests {
  /// README and the pages in `Docs`: commands that the `sh` blocks of `DocumentationTests` cannot hold.
  @Suite struct GuideTests {
    /// A window, root, a cluster, a container or a build: a test has none of them.
    private static let untried = [
      "make ", "sudo ", "apt-get ", "docker ", "sbatch ", "kubectl ", "Scripts/", "results/renew", "bin/",
      "Benchmarks/",
      "Packaging/", "bench360 view", "swift ",
    ]

    /// Without `NAME=VALUE` before it.
    private static func program(_ command: String) -> Substring {
      var rest = command[...]
      while let name = rest.prefixMatch(of: #/[A-Z_]+=\S* /#) { rest = rest[name.range.upperBound...] }
      return rest
    }

    @Test func consoleBlocksHoldUntestableCommands() throws {
      var languages: Set<String> = []
      for page in Page.guides {
        for block in try Page.blocks(of: page) {
          languages.insert(block.language)
          for command in block.language == "console" ? block.commands : [] {
            let program = Self.program(command)
            #expect(Self.untried.contains { program.hasPrefix($0) }, "\(page): '\(command)' belongs into an sh block")
          }
        }
      }
      #expect(languages.isSubset(of: ["sh", "text", "console", "swift", "yaml", "json", ""]), "\(languages)")
    }

    /// Without a display `view` ends where it opens its window, which shows that it understood its command line.
    @Test func viewCommandsAreUnderstood() throws {
      let commands = try Page.guides.flatMap { page in
        try Page.blocks(of: page).filter { $0.language == "console" }.flatMap(\.commands)
      }.filter { Self.program($0).hasPrefix("bench360 view") }
      #expect(commands.count >= 5, "\(commands)")
      try TestFolders.withTemporary { folder in
        for command in commands {
          let result = try Page.shell(command, in: folder, environment: ["DISPLAY": ""])
          #expect(result.status == 1, "\(command): \(result.status) \(result.errors)")
        }
      }
    }

    /// README's table of daily commands, in its order and in one folder.
    @Test(.tier(.full), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
    func dailyCommandsRun() throws {
      let rows = try Page.text(of: "README.md").matches(of: Self.row).map { String($0.output.1) }
      #expect(rows.count == 10, "\(rows)")
      try Self.execute(rows)
    }

    @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
    func changedDailyCommandsRun() throws {
      let rows = try Page.text(of: "README.md").matches(of: Self.row).map { String($0.output.1) }
      guard let earlier = Page.earlierText(of: "README.md"),
        earlier.matches(of: Self.row).map({ String($0.output.1) }) != rows
      else { return }
      try Self.execute(rows)
    }

    private static var row: Regex<(Substring, Substring)> { #/\n\| `(bench360 [^`]+)` \|/# }

    private static func execute(_ rows: [String]) throws {
      try TestFolders.withTemporary { folder in
        for command in rows {
          let isView = command.hasPrefix("bench360 view")
          let result = try Page.shell(command, in: folder, environment: isView ? ["DISPLAY": ""] : [:])
          // A verdict of two short sessions may be any.
          let isVerdict = command.hasPrefix("bench360 ab ") || command.hasPrefix("bench360 compare ")
          let fine: Set<Int32> = isView ? [1] : isVerdict ? [0, 2, 8] : [0]
          #expect(fine.contains(result.status), "\(command): \(result.status) \(result.errors)")
        }
      }
    }
  }
}
