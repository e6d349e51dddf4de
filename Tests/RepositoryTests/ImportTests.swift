import Testing

/// Calls go down only: each target imports what this table grants it and nothing else.
@Suite struct ImportTests {
  private static let table: [String: Set<String>] = [
    "Frames": ["Glibc", "Synchronization", "Logging"],
    "HTTP": ["Frames", "Glibc", "Synchronization", "Logging", "CCurl"],
    "Media": ["HTTP", "Frames", "Glibc", "Synchronization", "Logging", "CFFmpeg"],
    "Adaptation": ["Frames", "FoundationEssentials", "Glibc", "Synchronization"],
    "Streaming": [
      "Adaptation", "Media", "HTTP", "Frames", "Glibc", "Synchronization", "FoundationEssentials", "Logging",
      "CFFmpeg", "CXML",
    ],
    "Offline": ["Streaming", "Media", "HTTP", "Frames", "FoundationEssentials", "Glibc"],
    "Ads": ["Streaming", "Media", "HTTP", "Frames", "FoundationEssentials"],
    "Decode": ["Media", "Frames", "Glibc", "Synchronization", "Logging", "CFFmpeg"],
    "TestPicture": ["Frames"],
    "Encode": ["TestPicture", "Media", "Frames", "Glibc", "CFFmpeg"],
    "GPU": ["Frames", "Synchronization", "Logging", "CVulkan"],
    "Render": ["GPU", "Frames", "Glibc", "Synchronization", "CShaders"],
    "Playlists": ["Render", "Frames", "FoundationEssentials"],
    "Overlay": ["Render", "GPU", "Frames", "Glibc", "CAss", "CShaders"],
    "Window": ["GPU", "Frames", "Synchronization", "CGLFW"],
    "Sound": ["Frames", "Glibc", "Synchronization", "Logging", "COpenAL"],
    "Desktop": ["Frames", "Glibc", "Synchronization", "Logging", "CDBus"],
    "Session": ["Decode", "Streaming", "Media", "HTTP", "Render", "GPU", "Frames", "Dispatch", "Glibc", "Logging"],
    "Playback": ["Sound", "Decode", "Media", "Render", "GPU", "Frames", "Dispatch", "Glibc", "Synchronization"],
    "Analytics": ["Ads", "Playback", "Streaming", "Media", "Frames", "FoundationEssentials", "Synchronization"],
    // NIO carries the origin's sockets; no other target opens one of its own.
    "Origin": [
      "Frames", "Dispatch", "FoundationEssentials", "Glibc", "Synchronization", "NIOCore", "NIOPosix", "NIOHTTP1",
      "NIOHTTP2",
    ],
    "Verdict": ["Frames", "Dispatch", "FoundationEssentials", "Glibc", "Synchronization"],
    "Host": ["Verdict", "Frames", "FoundationEssentials", "Glibc", "Synchronization", "Logging"],
    "Bench360Player": [
      "Ads", "Analytics", "Window", "Sound", "Playback", "Session", "Overlay", "Decode", "Streaming", "Adaptation",
      "Media", "HTTP",
      "Render",
      "GPU",
      "Frames", "Glibc", "Synchronization",
    ],
    "Viewer": [
      "Bench360Player", "Window", "Origin", "Desktop", "Overlay", "Encode", "Playlists", "Frames", "Glibc",
      "Synchronization",
    ],
    "Run": [
      "Ads", "Analytics", "Host", "Verdict", "Origin", "Sound", "Playback", "Session", "Window", "Overlay", "Render",
      "GPU",
      "Encode",
      "TestPicture", "Decode", "Streaming", "Adaptation", "Media", "HTTP", "Frames",
      "FoundationEssentials", "Glibc", "Logging",
    ],
    "Observe": [
      "Run", "Host", "Verdict", "TestPicture", "Decode", "Media", "Frames", "FoundationEssentials", "Glibc",
      "Synchronization",
    ],
    "bench360": ["Verbs"],
    "Verbs": [
      "Observe", "Run", "Viewer", "Bench360Player", "Analytics", "Host", "Verdict", "Origin", "Offline", "Streaming",
      "HTTP",
      "Adaptation", "Desktop",
      "Sound", "Playback",
      "Session", "Overlay", "Playlists", "Render", "GPU", "Encode", "TestPicture",
      "Decode", "Media",
      "Frames",
      "FoundationEssentials", "Glibc",
      "ArgumentParser", "Logging",
    ],
  ]
  private static let cModules: Set<String> = [
    "CAss", "CCurl", "CDBus", "CFFmpeg", "CGLFW", "CLibraries", "CLibXML2", "COpenAL", "CShaders", "CVulkan", "CXML",
  ]

  /// One `import` line: the module and what stands before the word.
  private struct Import {
    let module: String
    let modifiers: [Substring]

    /// Nil for any other line. `import struct Foundation.Data` imports Foundation.
    init?(_ line: Substring) {
      let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      let words = code.split { $0 == " " || $0 == "\t" || $0 == ";" }
      guard let position = words.firstIndex(of: "import"), position + 1 < words.count,
        words[..<position].allSatisfy({ $0.hasPrefix("@") || Self.access.contains($0) })
      else { return nil }
      let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"]
      var name = words[position + 1]
      if kinds.contains(name), position + 2 < words.count { name = words[position + 2] }
      module = String(name.prefix { $0 != "." })
      modifiers = Array(words[..<position])
    }

    private static let access: Set<Substring> = ["internal", "public", "package", "private", "fileprivate"]
  }

  /// The folders of `Sources`, from the lowest.
  private static let families = ["C", "Core", "Net", "Player", "Lab", "Tool"]

  private static func imports(of target: String) throws -> [(file: String, line: Import)] {
    let folder = try #require(try Repository.targets()[target]?.folder)
    return try Repository.swiftFiles(below: folder).flatMap { file in
      try Repository.lines(file).compactMap { Import($0).map { (file, $0) } }
    }
  }

  @Test func everyTargetStandsInTheTable() throws {
    #expect(Set(try Repository.targets().keys) == Set(Self.table.keys).union(Self.cModules))
    #expect(Set(try Repository.folders(in: "Sources")) == Set(Self.families))
  }

  @Test func familiesImportDownwards() throws {
    let targets = try Repository.targets()
    func height(_ target: String) -> Int? { targets[target].flatMap { Self.families.firstIndex(of: $0.family) } }
    for (target, granted) in Self.table {
      let own = try #require(height(target))
      for module in granted.sorted() { #expect(height(module) ?? 0 <= own, "\(target) imports \(module)") }
    }
    #expect(targets.filter { $0.value.family == "C" }.keys.sorted() == Self.cModules.sorted())
  }

  @Test(arguments: table.keys.sorted())
  func importsOnlyWhatTheTableGrants(target: String) throws {
    let granted = try #require(Self.table[target])
    for (file, line) in try Self.imports(of: target) {
      #expect(granted.contains(line.module), "\(file) imports \(line.module)")
      guard Self.cModules.contains(line.module) else { continue }
      // Packets go from Media to Decode as libavformat makes them, and to hardware decoders that are rows of Decode's table; no
      // other target sees them.
      let allowed: Set<Substring> =
        ["Media", "Decode", "Streaming"].contains(target) ? ["internal", "package"] : ["internal"]
      #expect(
        !allowed.isDisjoint(with: line.modifiers), "\(file) must write 'internal import \(line.module)'")
    }
  }

  /// A system module that no file imports any more must leave the table.
  @Test(arguments: table.keys.sorted())
  func theTableGrantsSystemModulesOnlyWhereTheyAreUsed(target: String) throws {
    let used = Set(try Self.imports(of: target).map(\.line.module))
    let granted = try #require(Self.table[target]).subtracting(Self.table.keys).subtracting(used)
    #expect(granted.isEmpty, "\(target) no longer imports \(granted.sorted())")
  }

  @Test func readsImportLines() throws {
    #expect(Import("import Frames")?.module == "Frames")
    #expect(Import("internal import CFFmpeg // why")?.modifiers == ["internal"])
    #expect(Import("@preconcurrency public import struct Foundation.Data")?.module == "Foundation")
    #expect(Import("// import Frames") == nil)
    #expect(Import("  let text = \"import Frames\"") == nil)
  }
}
