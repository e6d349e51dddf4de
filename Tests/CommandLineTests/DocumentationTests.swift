import Foundation
import Support
import Testing
import Verbs

extension PageCommandTests {
  /// The pages in `Docs/Bench360.docc` and the guides, held to the program: each `sh` block is run as it is written, the blocks of a page
  /// one after the other in a folder of its own, and a `text` block behind one is what it prints, except for its numbers.
  @Suite struct DocumentationTests {
    @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
    func commandsOfAPageDoWhatItSays() throws {
      try Page.execute("Docs/Ladders.md")
    }

    @Test(
      .tier(.full), .enabled(if: TestDevice.isAvailable, "no Vulkan device"),
      arguments: Page.catalogue + Page.guides)
    func commandsDoWhatThePageSays(page: String) throws {
      try Page.execute(page)
    }

    /// Each command in a block or a table of a page, and of the manual's examples, is one that the program's own parser accepts.
    @Test func allCommandsAreAccepted() throws {
      var texts: [String] = []
      for page in Page.catalogue + Page.guides {
        texts += try Page.blocks(of: page).filter { ["sh", "console"].contains($0.language) }.map(\.text)
        texts += try Page.text(of: page).matches(of: #/(?m)^\| `(bench360 [^`]+)` \|/#).map { String($0.output.1) }
      }
      texts += try Page.manualExamples()
      let result = try CommandOutput.of(
        "python3", ["-c", Self.calls], input: Data(texts.joined(separator: "\n").utf8))
      #expect(result.status == 0 && result.errors.isEmpty && result.lines.count > 120, "\(result.text)\(result.errors)")
      for line in result.lines {
        let words = try JSONDecoder().decode([String].self, from: Data(line.utf8))
        #expect(Bench360.refusal(of: words, environment: ["DISPLAY": ":0"]) == nil, "\(line)")
      }
      #expect(Bench360.refusal(of: ["run", "--no-such-option"], environment: [:]) != nil)
    }

    /// Splits shell commands as a shell does, and prints the words of each call of `bench360`, also of one that is another's argument.
    private static let calls = """
      import json, re, shlex, sys
      def check(words):
        print(json.dumps(words))
        for word in words:
          if re.match(r"(\\w+=\\S* )*bench360 [a-z]", word):
            read(word)
      def read(line):
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        command, skips = [], False
        for token in list(lexer) + [";"]:
          if token in (">", ">>", "<", ">&"):
            skips = True
          elif set(token) <= set(";&|()"):
            while command and re.match(r"[A-Z_0-9]+=", command[0]):
              command.pop(0)
            if command and command[0].rpartition("/")[2] == "bench360":
              check(command[1:])
            command = []
          elif skips:
            skips = False
          else:
            command.append(token)
      text = re.sub(r"<<'END'.*?\\nEND\\n", "\\n", sys.stdin.read().replace("\\\\\\n", " "), flags=re.S)
      for line in text.splitlines():
        line = re.sub(r" #.*| ?2>&1", "", line).replace('"$(', '"').replace(')"', '"')
        # Values of variables, and the scenario that a page shows how to add.
        line = re.sub(r"\\$\\{?url\\}?", "http://127.0.0.1/", line).replace("$N", "1").replace("rewind", "decode")
        line = re.sub(r"\\b(until|while|if|then|do|else|! )\\b", "", line) if line.startswith(("until", "while", "if")) else line
        if "bench360 " in line:
          try:
            read(line)
          except ValueError as error:
            print(line, error, file=sys.stderr)
      """

    /// Commands that no test can run, because they build bench360 itself, are in `console` blocks; there are few.
    @Test func blocksOfTheCatalogueHaveALanguage() throws {
      var counts: [String: Int] = [:]
      for page in Page.catalogue {
        var last = ""
        for block in try Page.blocks(of: page) {
          counts[block.language, default: 0] += 1
          #expect(block.language != "text" || last == "sh", "\(page): nothing prints:\n\(block.text)")
          last = block.language
        }
      }
      #expect(Set(counts.keys).isSubset(of: ["sh", "text", "console", "swift", "glsl", ""]), "\(counts)")
      #expect(counts["console"] == 3, "a block that is not run came or went: is it worth that?")
      #expect((counts["sh"] ?? 0) >= 9 && (counts["text"] ?? 0) >= 5, "\(counts)")
    }

    /// `bench360 verb … --option` in any page: the verb has that option.
    @Test func optionsThatPagesNameExist() throws {
      var known: [String: Set<Substring>] = [:]
      func options(of verb: String) throws -> Set<Substring> {
        if let options = known[verb] { return options }
        let help = try Program.run([verb, "--help-all"], in: NSTemporaryDirectory())
        try #require(help.status == 0, "a page names the verb '\(verb)', which there is not")
        let found = Set(help.text.matches(of: #/--[a-z0-9][a-z0-9-]*/#).map(\.output))
        known[verb] = found
        return found
      }
      let others = ["CONTRIBUTING.md", "CHANGELOG.md", "results/README.md"]
      var checked = 0
      for page in Page.catalogue + Page.guides + others {
        let text = try String(contentsOfFile: TestFolders.repository + "/" + page, encoding: .utf8)
          .replacing("\\\n", with: " ")
        for command in text.matches(of: #/bench360 [a-z]+[^`\n#|]*/#).map(\.output) {
          // One line may hold another: 'ab' takes whole commands.
          let verbs = command.matches(of: #/bench360 ([a-z]+)(?![a-z.:])/#).map { String($0.output.1) }
          let named = command.matches(of: #/[ '](--[a-z0-9][a-z0-9-]*)/#).map(\.output.1)
          guard !named.isEmpty else { continue }
          let there = try verbs.reduce(into: Set<Substring>()) { try $0.formUnion(options(of: $1)) }
          for option in named { #expect(there.contains(option), "\(page): '\(command)' has no option \(option)") }
          checked += named.count
        }
      }
      #expect(checked > 40, "\(checked)")
    }
  }
}

extension ChangedPageCommandTests {
  @Test(
    .enabled(if: TestDevice.isAvailable, "no Vulkan device"),
    arguments: (Page.catalogue + Page.guides).filter(Page.hasChanged))
  func commandsOfChangedPagesDoWhatThePageSays(page: String) throws {
    try Page.execute(page)
  }
}

/// A page of the documentation and its commands.
enum Page {
  /// The pages of the libraries' documentation.
  static let catalogue = files(below: "Docs/Bench360.docc")
  /// README and the pages for users, which lie directly in `Docs`.
  static let guides = ["README.md"] + files(below: "Docs").filter { $0.split(separator: "/").count == 2 }

  private static func files(below folder: String) -> [String] {
    let files = FileManager.default.enumerator(atPath: TestFolders.repository + "/" + folder)
    return (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }.map { folder + "/" + $0 }.sorted()
  }

  /// A fenced block of a page.
  struct Block: Equatable {
    var language: String
    var text = ""

    /// Its commands: lines without comments, continued lines as one.
    var commands: [String] {
      let lines = text.replacing("\\\n", with: " ").split(separator: "\n").map { line in
        (line.firstRange(of: " #").map { line[..<$0.lowerBound] } ?? line).trimmingCharacters(in: .whitespaces)
      }
      return lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
  }

  static func text(of page: String) throws -> String {
    try String(contentsOfFile: TestFolders.repository + "/" + page, encoding: .utf8)
  }

  /// A file as it was before the changes under test; nil where `BENCH360_BASE` names no commit, or the commit has no such file.
  static func earlierText(of page: String) -> String? {
    guard let base = ProcessInfo.processInfo.environment["BENCH360_BASE"], !base.isEmpty,
      let shown = try? CommandOutput.of("git", ["show", "\(base):\(page)"], folder: TestFolders.repository)
    else { return nil }
    return shown.status == 0 ? shown.text : nil
  }

  /// Returns whether the page's commands differ from those at the base commit. Returns false without a base commit.
  static func hasChanged(_ page: String) -> Bool {
    guard let before = earlierText(of: page), let now = try? text(of: page) else { return false }
    let changed = (try? blocks(in: before, of: page)) != (try? blocks(in: now, of: page))
    return changed && (try? blocks(in: now, of: page).contains { $0.language == "sh" }) == true
  }

  /// The commands of the manual's EXAMPLES, in `text` or else as they are now.
  static func manualExamples(in text: String? = nil) throws -> [String] {
    try (text ?? self.text(of: "Packaging/examples")).split(separator: "\n").filter { $0.hasPrefix("$ ") }
      .map { String($0.dropFirst(2)) }
  }

  static func blocks(of page: String) throws -> [Block] { try blocks(in: text(of: page), of: page) }

  private static func blocks(in text: String, of page: String) throws -> [Block] {
    var (blocks, isInside) = ([Block](), false)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if !isInside { blocks.append(Block(language: String(line.dropFirst(3)))) }
        isInside.toggle()
      } else if isInside {
        blocks[blocks.count - 1].text += line + "\n"
      }
    }
    try #require(!isInside, "\(page): a block does not end")
    return blocks
  }

  /// Runs the `sh` blocks of a page in an empty folder, and compares what they print with the `text` blocks behind them.
  static func execute(_ page: String) throws {
    let blocks = try blocks(of: page)
    try TestFolders.withTemporary { folder in
      for (index, block) in blocks.enumerated() where block.language == "sh" {
        let result = try shell(block.text, in: folder)
        #expect(result.status == 0, "\(page):\n\(block.text)\n\(result.text)\(result.errors)")
        guard blocks.indices.contains(index + 1), blocks[index + 1].language == "text" else { continue }
        let shown = blocks[index + 1].text
        #expect(PrintedShape(shown).fits(result.text), "\(page) shows:\n\(shown)\nprinted was:\n\(result.text)")
      }
    }
  }

  /// Runs a script with `bench360` on its PATH, away from this machine's records and caches.
  static func shell(
    _ script: String, in folder: String, environment: [String: String] = [:]
  ) throws -> CommandOutput {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let own = Program.home(folder).merging(["PATH": "\(TestFolders.products):\(path)", "NO_COLOR": "1"]) { $1 }
    return try CommandOutput.of(
      "bash", ["-euo", "pipefail", "-c", script], environment: own.merging(environment) { $1 }, folder: folder)
  }
}

/// What a command prints, as a page shows it: any numbers stand for any others, `…` for the rest of a line, and alone on a line for any
/// number of lines. Empty lines and the width of gaps do not count.
struct PrintedShape {
  private let lines: [String]

  init(_ text: String) {
    lines = Self.lines(text)
  }

  func fits(_ printed: String) -> Bool {
    fits(lines[...], Self.lines(printed)[...])
  }

  private func fits(_ shape: ArraySlice<String>, _ printed: ArraySlice<String>) -> Bool {
    guard let first = shape.first else { return printed.isEmpty }
    if first == "…" {
      return printed.indices.contains { fits(shape.dropFirst(), printed[$0...]) } || shape.count == 1
    }
    guard let line = printed.first, Self.line(first, fits: line) else { return false }
    return fits(shape.dropFirst(), printed.dropFirst())
  }

  private static func line(_ shape: String, fits line: String) -> Bool {
    let parts = shape.components(separatedBy: "…")
    guard parts.count > 1 else { return shape == line }
    guard line.hasPrefix(parts[0]) else { return false }
    var rest = line.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }

  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      line.replacing(#/[-−+]?[0-9]+(?:[.,][0-9]+)*/#, with: "#").split(separator: " ").joined(separator: " ")
    }.filter { !$0.isEmpty }
  }
}

@Suite struct PrintedShapeTests {
  @Test(arguments: [
    ("a 1\nb", "a   2.5\n\n b\n", true), ("a 1\nb", "a x\nb", false), ("…\nb", "a\nb", true), ("…\nb", "b", true),
    ("a\n…", "a", true), ("a\n…", "a\nb\nc", true), ("a\n…\nc", "a\nb", false), ("a … c", "a b b c", true),
    ("a … c", "a b", false), ("a", "a\nb", false), ("a\nb", "a", false), ("x −1 %", "x +20.5 %", true),
    ("…\nb\n…\nd", "a\nb\nb\nc\nd", true), ("…\nb\n…\nd", "a\nd\nb", false),
  ])
  func fitsWhatIsPrinted(shape: String, printed: String, fits: Bool) {
    #expect(PrintedShape(shape).fits(printed) == fits)
  }
}
