import Foundation
import Frames
import HTTP
import Offline
import Support
import Synchronization
import Testing

/// One file, from servers of all kinds.
@Suite(.tier(.test)) struct FileDownloadTests {
  private static let content = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) }

  private static func options(_ change: (inout DownloadOptions) -> Void = { _ in }) -> DownloadOptions {
    var options = DownloadOptions()
    options.retries = .none
    change(&options)
    return options
  }

  private static func bytes(_ download: KeptDownload) -> [UInt8]? {
    download.path.flatMap { FileManager.default.contents(atPath: $0) }.map { [UInt8]($0) }
  }

  /// A server that breaks off after `count` bytes, the first time, and has these fields.
  private static func breaking(after count: Int, _ fields: [String], ignoresRanges: Bool = false) throws
    -> ScriptedServer
  {
    let flag = Flag()
    return try ScriptedServer { request, connection in
      guard flag.take() else {
        return ignoresRanges
          ? connection.respond("200 OK", fields, body: content) : connection.serve(content, request, fields)
      }
      let head = ["HTTP/1.1 200 OK", "Content-Length: \(content.count)"] + fields
      connection.send(head.joined(separator: "\r\n") + "\r\n\r\n")
      connection.send(content[..<count])
      return false
    }
  }

  private final class Flag: Sendable {
    private let isSet = Mutex(true)
    func take() -> Bool {
      isSet.withLock { isSet in
        defer { isSet = false }
        return isSet
      }
    }
  }

  @Test func foldersSayWhatTheyHold() throws {
    let server = try ScriptedServer { request, connection in connection.serve(Self.content, request, ["ETag: \"a\""]) }
    try TestFolders.withTemporary { folder in
      for name in ["b", "a"] { _ = try Download(server.url("/\(name).mp4"), into: folder, Self.options()).run() }
      func names(_ place: String) throws -> [String] { try Downloads.inside(place).map(\.name) }
      for place in [folder, folder + "/", folder + "/a/..", folder + "/./"] { #expect(try names(place) == ["a", "b"]) }
      for place in ["/a", "/a/", "/b/../a", "/a/."] { #expect(try names(folder + place) == ["a"], "\(place)") }
      #expect(try Downloads.inside(folder + "/a").first?.path == folder + "/a/clip.mp4")
      // A folder above, where what may not be entered is passed over, also by others than root.
      let inner = folder + "/inner"
      _ = try Download(server.url("/c.mp4"), into: inner + "/library", Self.options()).run()
      for place in ["/nowhere", "/a/clip.mp4", "/inner", "/inner/library/.."] {
        #expect(try names(folder + place) == [], "\(place)")
      }
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: inner)
      defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: inner) }
      #expect(try names(folder) == ["a", "b"])
    }
  }

  /// What came is not asked for again, where the server tells its version.
  @Test(arguments: [["ETag: \"a\""], ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"], []])
  func goesOnWhereItEnded(fields: [String]) throws {
    let server = try Self.breaking(after: 150_000, fields)
    try TestFolders.withTemporary { folder in
      let url = server.url("/films/clip.mp4")
      let failure = #expect(throws: Failure.self) { try Download(url, into: folder, Self.options()).run() }
      #expect(failure?.kind == .input, "\(String(describing: failure))")
      #expect(try Downloads(folder).list().map(\.isWhole) == [false])
      let made = try Download(url, into: folder, Self.options()).run()
      #expect(Self.bytes(made) == Self.content && made.name == "clip" && made.path == folder + "/clip/clip.mp4")
      let first = server.requests.last?.range?.first ?? 0
      #expect(fields.isEmpty ? first == 0 : first > 0 && first <= 150_000, "\(first)")
    }
  }

  /// A server without ranges sends all of it again, and none of it is there twice.
  @Test func goesOnWithoutRanges() throws {
    let server = try Self.breaking(after: 150_000, ["ETag: \"a\""], ignoresRanges: true)
    try TestFolders.withTemporary { folder in
      let url = server.url("/clip.mp4")
      #expect(throws: Failure.self) { try Download(url, into: folder, Self.options()).run() }
      let made = try Download(url, into: folder, Self.options()).run()
      #expect(Self.bytes(made) == Self.content)
    }
  }

  /// Another version begins anew, also a shorter one than what is there.
  @Test(arguments: [400_000, 1000])
  func anotherVersionBeginsAnew(length: Int) throws {
    let (counter, other) = (Counter(), [UInt8](repeating: 7, count: length))
    let server = try ScriptedServer { request, connection in
      guard counter.next() == 1 else { return connection.serve(other, request, ["ETag: \"b\""]) }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.content.count)\r\nETag: \"a\"\r\n\r\n")
      connection.send(Self.content[..<100_000])
      return false
    }
    try TestFolders.withTemporary { folder in
      let url = server.url("/clip.mp4")
      #expect(throws: Failure.self) { try Download(url, into: folder, Self.options()).run() }
      let made = try Download(url, into: folder, Self.options()).run()
      #expect(Self.bytes(made) == other)
      #expect(made.record.notes == ["the file changed on the server while it was loaded: it was loaded anew"])
    }
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
      value.withLock { value in
        value += 1; return value
      }
    }
  }

  /// A body without a length is taken as it comes; a told length is held.
  @Test func lengthsAreHeld() throws {
    let server = try ScriptedServer { request, connection in
      switch request.path {
      case "/open.mp4":
        connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n")
        return true
      case "/short.mp4":
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nETag: \"a\"\r\n\r\nabcd")
        return false
      default: return connection.respond(body: [UInt8]())
      }
    }
    try TestFolders.withTemporary { folder in
      let open = try Download(server.url("/open.mp4"), into: folder, Self.options()).run()
      #expect(Self.bytes(open) == Array("abcd".utf8))
      #expect(throws: Failure.self) { try Download(server.url("/short.mp4"), into: folder, Self.options()).run() }
      let none = #expect(throws: Failure.self) {
        try Download(server.url("/none.mp4"), into: folder, Self.options()).run()
      }
      #expect(none?.cause == "the server sent no bytes")
      #expect(try Downloads(folder).list().filter(\.isWhole).map(\.name) == ["open"])
    }
  }

  /// The quota is held before anything is loaded, where the length is told, and else as it comes.
  @Test func quotasAreHeld() throws {
    let server = try ScriptedServer { request, connection in
      guard request.path == "/open.mp4" else { return connection.serve(Self.content, request) }
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      for _ in 0..<100 {
        guard connection.send("1000\r\n" + String(repeating: "x", count: 4096) + "\r\n") else { break }
      }
      connection.send("0\r\n\r\n")
      return false
    }
    try TestFolders.withTemporary { folder in
      for name in ["told", "open"] {
        let failure = #expect(throws: Failure.self) {
          try Download(server.url("/\(name).mp4"), into: folder, Self.options { $0.quota = 100_000 }).run()
        }
        #expect(
          failure?.kind == .output && failure?.cause.hasSuffix("may hold 100 kB") == true,
          "\(String(describing: failure))")
      }
      let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
      let sizes = try all.map { try FileManager.default.attributesOfItem(atPath: folder + "/" + $0) }
        .filter { $0[.type] as? FileAttributeType == .typeRegular }.compactMap { $0[.size] as? Int }
      #expect(sizes.reduce(0, +) <= 105_000, "\(sizes)")
      let made = try Download(server.url("/told.mp4"), into: folder, Self.options { $0.quota = 1_000_000 }).run()
      #expect(Self.bytes(made) == Self.content)
    }
  }

  /// What the server does not have leaves nothing.
  @Test func aMistypedURLLeavesNothing() throws {
    let server = try ScriptedServer { _, connection in connection.respond("404 Not Found") }
    try TestFolders.withTemporary { folder in
      for name in ["/clip.mp4", "/stream.m3u8"] {
        let failure = #expect(throws: Failure.self) {
          try Download(server.url(name), into: folder + "/library", Self.options()).run()
        }
        #expect(failure?.cause == "the server answered 404 Not Found", "\(String(describing: failure))")
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/library")
      #expect(left.isEmpty, "\(left)")
    }
  }

  /// Two URLs of one name have folders of their own.
  @Test func namesAreTakenOnce() throws {
    let server = try ScriptedServer { request, connection in connection.serve(Array(request.path.utf8), request) }
    try TestFolders.withTemporary { folder in
      let names = try ["/a/clip.mp4", "/b/clip.mp4", "/a/clip.mp4", "/x/index.bin?token=1", "/%2e%2e/..mp4"].map {
        try Download(server.url($0), into: folder, Self.options()).run().name
      }
      #expect(names[..<3] == ["clip", "clip-2", "clip"] && names[3] == "x", "\(names)")
      #expect(try Downloads(folder).list().count == 4)
      let text = try String(contentsOfFile: folder + "/x/download.json", encoding: .utf8)
      #expect(!text.contains("token"), "\(text)")
    }
  }

  /// A change on the disk is found, and a removed download is gone.
  @Test func damageIsFound() throws {
    let server = try ScriptedServer { request, connection in connection.serve(Self.content, request) }
    try TestFolders.withTemporary { folder in
      let made = try Download(server.url("/clip.mp4"), into: folder, Self.options()).run()
      let library = Downloads(folder)
      #expect(try library.verify(made).isEmpty)
      let path = try #require(made.path)
      var bytes = Self.content
      bytes[200_000] ^= 1
      try Data(bytes).write(to: URL(filePath: path))
      #expect(try library.verify(made) == [.damaged("clip.mp4")])
      try FileManager.default.removeItem(atPath: path)
      #expect(try library.verify(made) == [.missing("clip.mp4")])
      try library.remove(try library.download("clip"))
      #expect(try library.list().isEmpty && !FileManager.default.fileExists(atPath: folder + "/clip"))
      let failure = #expect(throws: Failure.self) { try library.download("clip") }
      #expect(failure?.remedy == "it has none at all")
    }
  }
}
