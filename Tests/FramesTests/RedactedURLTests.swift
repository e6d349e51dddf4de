import Frames
import Support
import Testing

/// Removes user, password, query and fragment of URLs from a text, and nothing else.
@Suite struct RedactedURLTests {
  private static let texts: [(text: String, redacted: String)] = [
    ("https://me:word@host/a/b.mp4?token=1&x=2#t=3", "https://…@host/a/b.mp4?…"),
    ("http://me@host/a.mp4", "http://…@host/a.mp4"), ("http://me@host", "http://…@host"),
    ("http://h/p#t=3", "http://h/p"), ("http://h?token", "http://h?…"),
    ("rtsp://u:p@[::1]:554/s", "rtsp://…@[::1]:554/s"),
    ("HTTPS://U:P@HOST/x", "HTTPS://…@HOST/x"), ("srt+x://u:p@h:9000?passphrase=1", "srt+x://…@h:9000?…"),
    ("http://u%40c:p%2Fw@h/%20a?b", "http://…@h/%20a?…"), ("http://u:p@ss@h/x", "http://…@h/x"),
    ("--input=https://u:p@h/x?y", "--input=https://…@h/x?…"), ("-ihttp://h/x?y", "-ihttp://h/x?…"),
    ("a http://u:p@h/1 and ftp://h/2?k, b", "a http://…@h/1 and ftp://h/2?…, b"),
    ("cannot open 'http://u:p@h/x?y=z': refused — look", "cannot open 'http://…@h/x?…': refused — look"),
    ("'http://u:p'q@h/x?y='z'; then", "'http://…@h/x?…'; then"), ("'http://u:p w@h/x?y z'.", "'http://…@h/x?…'."),
    (#"{"a": "http://h/?k=1", "b": "ftp://u@h"}"#, #"{"a": "http://h/?…", "b": "ftp://…@h"}"#),
    (#"run "http://h/x?a&b" --size 1x1"#, #"run "http://h/x?…" --size 1x1"#),
    (#"run http://h/x\?a\&b\ c --size 1x1"#, #"run http://h/x\?… --size 1x1"#),
    ("(see http://h/x?y).", "(see http://h/x?…)."), ("is it http://h/x?", "is it http://h/x?"),
    ("concat:http://u:p@h/a|http://u:p@h/b?k", "concat:http://…@h/a|http://…@h/b?…"),
    ("http://proxy/http://u:p@h/x?k", "http://proxy/http://…@h/x?…"),
    ("http://proxy/https%3A%2F%2Fu%3Ap%40h%3Fk/x", "http://proxy/https%3A%2F%2F…"),
    ("x=http:%2f%2Fu:p%40h y", "x=http:%2f%2F… y"),
    ("http://u:p/w#1@h/x?k", "http://…@h/x?…"), ("http://me:wor", "http://me:…"),
    ("http://u:p@h/x\nhttp://h/y?k\n", "http://…@h/x\nhttp://h/y?…\n"),
    ("файл http://ü:ß@h/é?ё", "файл http://…@h/é?…"),
    ("file:///a/b?c", "file:///a/b?…"),
  ]

  @Test(arguments: texts)
  func secretsGo(text: String, redacted: String) {
    #expect(redactingSecrets(text) == redacted)
    #expect(redactingSecrets(redacted) == redacted, "what is clean stays as it is")
  }

  @Test(arguments: [
    "", "clip.mp4", "a?b#c@d", "me@host", "http:", "http://", "://u:p@h", "http://host:8080/a@b.mp4", "C:/a?b",
    "10:20 %",
    "file:clip?.mp4", "file:///a/b c.mp4", "a: 'b' — c", "https://www.swift.org/install", "100 %3d", "пример: 1",
  ])
  func textWithoutSecretsIsUnchanged(text: String) {
    #expect(redactingSecrets(text) == text)
    #expect(redactingSecrets(ofArgument: text) == text)
  }

  /// An argument is one URL, with any characters in it.
  @Test func argumentURLsExtendToTheEnd() {
    let (name, key) = ("00112233445566778899aabbccddeeff", "0F1E2D3C4B5A69788796A5B4C3D2E1F0")
    for text in ["\(name):\(key)", "--key=\(name):\(key)", "run a --key '\(name):\(key)' http://u:p@h/x?y"] {
      let clean = redactingSecrets(text)
      #expect(!clean.contains("F1E2") && clean.contains("\(name):…"), "\(clean)")
      #expect(redactingSecrets(clean) == clean)
    }
    #expect(
      redactingSecrets("00112233-4455-6677-8899-aabbccddeeff:\(key)0") == "00112233-4455-6677-8899-aabbccddeeff:…")
    #expect(redactingSecrets("sha256:\(name)\(key)") == "sha256:\(name)\(key)")
    #expect(redactingSecrets(ofArgument: "http://u:p w\"@h/x?y' z") == "http://…@h/x?…")
    #expect(redactingSecrets(ofArgument: "--input=http://u:p w@h/x?y z") == "--input=http://…@h/x?…")
    #expect(redactingSecrets(ofArgument: "run http://u:p@h/x?y --size 1x1") == "run http://…@h/x?… --size 1x1")
  }

  /// In any part of a URL, with any text around it.
  @Test func surroundedSecretsAreRemoved() {
    var random = SeededGenerator(for: #function)
    let pieces = ["'", "\"", " ", "=", ",", ": ", "clip", "?", "(", ")", "—", "\n", "%", "http", "\\"]
    func noise() -> String {
      (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    for _ in 0..<2000 {
      let host = ["h", "[::1]", "127.0.0.1:8080"].randomElement(using: &random) ?? ""
      let user = ["", "SECRET@", "me:SECRET@", "SECRET:SECRET@", ":SECRET@"].randomElement(using: &random) ?? ""
      let rest =
        ["", "/", "/a.mp4?t=SECRET", "?SECRET", "/x#SECRET", "/a?b=SECRET#SECRET"].randomElement(using: &random) ?? ""
      let text = "\(noise())'https://\(user)\(host)\(rest)': \(noise())"
      #expect(!redactingSecrets(text).contains("SECRET"), "\(text)")
      #expect(redactingSecrets(redactingSecrets(text)) == redactingSecrets(text), "\(text)")
    }
  }

  @Test func failuresContainNoSecrets() {
    let failure = Failure(
      .input, "cannot open 'http://u:p@h/x?k'", cause: "ftp://u@h\n\u{1B}[2J", remedy: "try rtsp://h?k")
    #expect(
      failure.description == "cannot open 'http://…@h/x?…': ftp://…@h\\u{A}\\u{1B}[2J — try rtsp://h?…")
  }
}
