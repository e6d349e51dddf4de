import Frames
import Support
import Testing

import Streaming

/// References resolve by RFC 3986, and lead to no file and no scheme that their playlist may not name.
@Suite struct AddressTests {
  /// RFC 3986 §5.4, without those of other schemes.
  private static let normal: [(String, String)] = [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
    ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"),
    ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
  ]

  /// What streams hold beyond the RFC's examples.
  private static let others: [(String, String)] = [
    ("HTTPS://Host:8443/x", "https://Host:8443/x"), ("  a b.ts\t", "http://a/b/c/a%20b.ts"),
    ("ä.ts", "http://a/b/c/%C3%A4.ts"), ("a%20b.ts", "http://a/b/c/a%20b.ts"), ("100%.ts", "http://a/b/c/100%25.ts"),
    ("%2e%2E/g", "http://a/b/g"), ("a\\b", "http://a/b/c/a%5Cb"), ("./a:b", "http://a/b/c/a:b"),
    ("https://h?q", "https://h/?q"), ("//u:p@h:1/x", "http://u:p@h:1/x"), ("http://[::1]:80/x", "http://[::1]:80/x"),
    ("a//b", "http://a/b/c/a//b"), ("g?a=/../b", "http://a/b/c/g?a=/../b"),
  ]

  @Test(arguments: normal + others)
  func referencesResolve(reference: String, expected: String) throws {
    let base = try StreamAddress(url: "http://a/b/c/d;p?q")
    #expect(try base.resolving(reference).text == expected)
  }

  @Test(arguments: [
    "file:///etc/passwd", "FILE:/etc/passwd", "ftp://h/x", "data:text/plain,x", "javascript:1", "concat:a",
    "crypto+http://h/x",
    "g:h", "http:///x", "http://", "http://h o/x", "http://h:99999/x", "http://h:1a/x", "http://ä/x", "http://[::1/x",
    "a\u{0}b", "a\r\nHost: b", "a\u{7F}b", "http:g",
  ])
  func aRemotePlaylistNamesNothingElse(reference: String) throws {
    let base = try StreamAddress(url: "https://host/folder/main.m3u8")
    #expect(throws: Failure.self) { try base.resolving(reference) }
  }

  @Test func lengthsAreLimited() throws {
    let base = try StreamAddress(url: "https://host/folder/main.m3u8")
    let most = ManifestLimits.addressLength - "https://host/folder/".utf8.count
    #expect(try base.resolving(String(repeating: "a", count: most)).text.utf8.count == ManifestLimits.addressLength)
    #expect(throws: Failure.self) { try base.resolving(String(repeating: "a", count: most + 1)) }
    #expect(throws: Failure.self) { try base.resolving(String(repeating: "ä", count: most / 2)) }
    #expect(throws: Failure.self) { try StreamAddress(url: "https://h/" + String(repeating: "a", count: 9_000)) }
  }

  @Test(arguments: [
    ("b.ts", "/media/show/b.ts"), ("sub/b%20c.ts", "/media/show/sub/b c.ts"), ("x/../b.ts", "/media/show/b.ts"),
    ("/media/show/v/1.ts", "/media/show/v/1.ts"), ("file:///media/show/1.ts", "/media/show/1.ts"),
    ("file://localhost/media/show/1.ts", "/media/show/1.ts"), ("b.ts?token=1", "/media/show/b.ts"),
    ("a%2520.ts", "/media/show/a%20.ts"),
  ])
  func aLocalPlaylistNamesFilesBelowIt(reference: String, path: String) throws {
    let base = try StreamAddress(file: "/media/show/main.m3u8")
    let address = try base.resolving(reference)
    #expect(address.path == path && !address.isRemote)
  }

  @Test(arguments: [
    "../b.ts", "/etc/passwd", "/media/shows/1.ts", "x/../../b.ts", "%2e%2e/b.ts", "..%2Fb.ts", "x%2F..%2F..%2Fb.ts",
    "file:///etc/passwd", "file://other/media/show/1.ts", "//other/media/show/1.ts", "a%00b", "data:,x", "%ff.ts",
  ])
  func aLocalPlaylistNamesNoOtherFile(reference: String) throws {
    let base = try StreamAddress(file: "/media/show/main.m3u8")
    #expect(throws: Failure.self) { try base.resolving(reference) }
  }

  /// The tree belongs to the presentation's first file: a media playlist in a folder names its neighbours.
  @Test func theTreeOfTheFirstFileStays() throws {
    let main = try StreamAddress(file: "/media/show/main.m3u8")
    let media = try main.resolving("video/1.m3u8")
    #expect(try media.resolving("../audio/1.ts").path == "/media/show/audio/1.ts")
    #expect(throws: Failure.self) { try media.resolving("../../1.ts") }
    #expect(try media.resolving("https://host/1.ts").isRemote)
    let wide = try StreamAddress(file: "/media/show/video/1.m3u8", root: "/media")
    #expect(try wide.resolving("../../other/1.ts").path == "/media/other/1.ts")
    #expect(throws: Failure.self) { try StreamAddress(file: "/media/show/1.m3u8", root: "/media/sho") }
    #expect(throws: Failure.self) { try StreamAddress(file: "main.m3u8") }
  }

  @Test func filesWithAnyNameComeBack() throws {
    for name in ["a b", "100%", "%41", "q?x", "h#x", "ä", "a\\b", "\"<>", "x:y"] {
      #expect(try StreamAddress(file: "/media/\(name)").path == "/media/\(name)")
    }
  }

  /// Python's own resolution agrees for paths that a server would use.
  @Test(.enabled("no python3") { PythonJudge.hasCSV || PythonJudge.isRequired })
  func pythonResolvesTheSame() throws {
    var random = SeededGenerator(for: "pythonResolvesTheSame")
    let pieces = ["a", "b.ts", "..", ".", "x-1", "c;d", "e=f", ""]
    let references = (0..<300).map { _ -> String in
      let count = Int.random(in: 1...5, using: &random)
      let path = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "a" }.joined(separator: "/")
      let query = Bool.random(using: &random) ? "?k=v" : ""
      return path.hasPrefix("//") ? "a" + path + query : path + query
    }
    let base = try StreamAddress(url: "http://host:80/p/q/r.mpd?s=1")
    let script = """
      import sys
      from urllib.parse import urljoin
      for reference in sys.argv[2:]:
        print(urljoin(sys.argv[1], reference))
      """
    let judged = try PythonJudge.run(script, module: "csv", [base.text] + references).output
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0) }
    try #require(judged.count == references.count)
    for (reference, expected) in zip(references, judged) where !reference.contains("//") {
      #expect(try base.resolving(reference).text == expected, "'\(reference)', seed \(random.seed)")
    }
  }
}
