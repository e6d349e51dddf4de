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
      let commands = try DailyCommands.inREADME()
      #expect(commands.count == 10, "\(commands)")
      try DailyCommands.execute(commands)
    }
  }
}

extension ChangedPageCommandTests {
  @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  func changedDailyCommandsRun() throws {
    let commands = try DailyCommands.inREADME()
    guard let earlier = Page.earlierText(of: "README.md"), DailyCommands.listed(in: earlier) != commands else { return }
    try DailyCommands.execute(commands)
  }
}

/// README's table of daily commands.
private enum DailyCommands {
  static func inREADME() throws -> [String] { try listed(in: Page.text(of: "README.md")) }

  static func listed(in text: String) -> [String] {
    text.matches(of: #/\n\| `(bench360 [^`]+)` \|/#).map { String($0.output.1) }
  }

  static func execute(_ commands: [String]) throws {
    try TestFolders.withTemporary { folder in
      for command in commands {
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
