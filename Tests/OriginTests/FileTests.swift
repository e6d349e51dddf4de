import Foundation
import Frames
import Origin
import Support
import Testing

@Suite(.tier(.test)) struct FileTests {
  @Test func servesTheBytesOfFilesAndTheirRanges() throws {
    var generator = SeededGenerator(for: "servesTheBytesOfFilesAndTheirRanges")
    let sizes = [0, 1, 65_535, 65_536, 65_537, 1_000_003]
    let files = Dictionary(
      uniqueKeysWithValues: sizes.map { ("f/\($0).mp4", OriginStage.random($0, &generator)) })
    try OriginStage.with(files) { stage in
      let connection = try stage.connect()
      for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
        let whole = try connection.get("/" + name)
        #expect(whole.status == 200 && whole.body == bytes && whole.isWhole, "\(name)")
        for _ in 0..<20 where !bytes.isEmpty {
          let first = Int.random(in: 0..<bytes.count, using: &generator)
          let last = Int.random(in: first..<bytes.count + 10, using: &generator)
          let (field, wanted) =
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: ("bytes=\(first)-\(last)", bytes[first...min(last, bytes.count - 1)])
            case 1: ("bytes=\(first)-", bytes[first...])
            default: ("bytes=-\(last + 1)", bytes.suffix(last + 1))
            }
          let part = try connection.get("/" + name, ["Range": field])
          #expect(part.status == 206 && part.body == Array(wanted), "\(name) \(field)")
          let place = "bytes \(wanted.startIndex)-\(wanted.endIndex - 1)/\(bytes.count)"
          #expect(part.fields["content-range"] == place, "\(field)")
        }
      }
      let rows = try stage.rows(files.count + 20 * (sizes.count - 1))
      #expect(Set(rows.map(\.connection)) == [1], "keep-alive")
      #expect(rows.allSatisfy { $0.end == .complete })
    }
  }

  @Test(arguments: [
    ("bytes=0-0", 10, RequestedRange.part(0..<1)), ("bytes=9-", 10, .part(9..<10)), ("bytes=-3", 10, .part(7..<10)),
    ("bytes=-30", 10, .part(0..<10)), ("bytes=3-99", 10, .part(3..<10)), ("Bytes = 2-3", 10, .part(2..<4)),
    ("bytes=10-", 10, .unsatisfiable), ("bytes=-0", 10, .unsatisfiable), ("bytes=0-", 0, .unsatisfiable),
    ("bytes=5-4", 10, .whole), ("bytes=0-1,3-4", 10, .whole), ("items=0-1", 10, .whole), ("bytes=a-b", 10, .whole),
    ("bytes=", 10, .whole), ("bytes=-", 10, .whole), ("bytes=+1-2", 10, .whole), ("bytes=--1", 10, .whole),
    ("bytes=0-99999999999999999999", 10, .part(0..<10)), ("bytes=99999999999999999999-", 10, .unsatisfiable),
    ("bytes=-99999999999999999999", 10, .part(0..<10)), ("bytes=0-9223372036854775807", 10, .part(0..<10)),
  ])
  func rangesAreRead(field: String, size: Int64, range: RequestedRange) {
    #expect(RequestedRange(field, size: size) == range)
  }

  @Test func conditionsAreHonoured() throws {
    try OriginStage.with(["a.m3u8": Array("#EXTM3U\n".utf8)]) { stage in
      let connection = try stage.connect()
      let first = try connection.get("/a.m3u8")
      let tag = try #require(first.fields["etag"])
      let date = try #require(first.fields["last-modified"])
      #expect(HTTPDate.seconds(date).map { HTTPDate.text(secondsSince1970: $0) } == date)
      for (fields, status) in [
        (["If-None-Match": tag], 304), (["If-None-Match": "\"x\", W/\(tag)"], 304), (["If-None-Match": "*"], 304),
        (["If-None-Match": "\"x\""], 200), (["If-Modified-Since": date], 304),
        (["If-Modified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"], 200),
        (["If-None-Match": "\"x\"", "If-Modified-Since": date], 200), (["If-Modified-Since": "yesterday"], 200),
        (["Range": "bytes=0-1", "If-Range": tag], 206), (["Range": "bytes=0-1", "If-Range": "\"x\""], 200),
        (["Range": "bytes=0-1", "If-Range": date], 206),
        (["Range": "bytes=0-1", "If-Range": "Thu, 01 Jan 1970 00:00:00 GMT"], 200), (["Range": "bytes=8-"], 416),
      ] {
        let answer = try connection.get("/a.m3u8", fields)
        #expect(answer.status == status, "\(fields)")
        if status == 416 { #expect(answer.fields["content-range"] == "bytes */8") }
      }
      // A file that is written again has another tag, even within the same second.
      try Data("#EXTM3U2".utf8).write(to: URL(filePath: stage.folder + "/a.m3u8"))
      #expect(try connection.get("/a.m3u8", ["If-None-Match": tag]).status == 200)
    }
  }

  @Test func headTellsWhatGetWould() throws {
    try OriginStage.with(["a.ts": [1, 2, 3]]) { stage in
      let connection = try stage.connect()
      let head = try connection.get("/a.ts", method: "HEAD")
      let get = try connection.get("/a.ts")
      for name in ["content-length", "content-type", "etag", "last-modified", "accept-ranges"] {
        #expect(head.fields[name] == get.fields[name] && head.fields[name] != nil, "\(name)")
      }
      #expect(try stage.rows(2).map(\.bytes) == [0, 3])
    }
  }

  @Test(arguments: [
    ("a.m3u8", "application/vnd.apple.mpegurl"), ("a.MPD", "application/dash+xml"), ("b/a.ts", "video/mp2t"),
    ("a.m4s", "video/iso.segment"), ("a.mp4", "video/mp4"), ("a.vtt", "text/vtt"), ("a.webm", "video/webm"),
    ("a.mkv", "video/x-matroska"), ("a.jpg", "image/jpeg"), ("a.m4a", "audio/mp4"),
    ("a", "application/octet-stream"), (".ts", "application/octet-stream"), ("b.ts/a", "application/octet-stream"),
  ])
  func contentTypesFollowTheExtension(path: String, type: String) { #expect(MediaType.of(path: path) == type) }

  @Test func nothingOutsideTheFolderIsServed() throws {
    try OriginStage.with(["a.ts": [1], "b/c.ts": [2]]) { stage in
      let parent = URL(filePath: stage.folder).deletingLastPathComponent().path
      try Data([9]).write(to: URL(filePath: parent + "/secret.ts"))
      try OriginStage.write([9], to: stage.folder + "-beside/secret.ts")
      for (name, target) in [
        ("out.ts", parent + "/secret.ts"), ("outside", parent), ("beside", stage.folder + "-beside"),
        ("in.ts", stage.folder + "/a.ts"), ("dangling", parent + "/none"), ("round", stage.folder + "/round"),
      ] {
        try FileManager.default.createSymbolicLink(atPath: stage.folder + "/" + name, withDestinationPath: target)
      }
      #expect(mkfifo(stage.folder + "/pipe.ts", 0o600) == 0)
      let connection = try stage.connect()
      for (path, status) in [
        ("/a.ts", 200), ("/in.ts", 200), ("/b/../a.ts", 403), ("/../secret.ts", 403), ("/%2e%2e/secret.ts", 403),
        ("/..%2fsecret.ts", 403), ("/b/%2E%2E/%2E%2E/secret.ts", 403), ("/out.ts", 403), ("/outside/secret.ts", 403),
        ("/beside/secret.ts", 403), ("/dangling", 404), ("/round", 403), ("/pipe.ts", 403), ("/", 403), ("/b", 403),
        ("/b/", 403), ("/none.ts", 404), ("/a.ts/", 200), ("/a.ts/x", 404), ("//a.ts", 200), ("/./a.ts", 200),
        ("/a.ts?x=../..", 200), ("/a%00.ts", 400), ("/a%zz", 400), ("/%ff.ts", 400), ("/a%0a", 400),
        ("http://other/a.ts", 200), ("http://other/../secret.ts", 403), ("*", 400),
        ("/" + String(repeating: "x", count: 4000), 404), ("/" + String(repeating: "x", count: 9000), 400),
      ] {
        let answer = try connection.get(path)
        #expect(answer.status == status, "\(path.prefix(60))")
        #expect(!answer.body.contains(9) && answer.isWhole, "\(path.prefix(60))")
      }
    }
  }

  @Test func oneFileIsServedUnderItsName() throws {
    try TestFolders.withTemporary { folder in
      try OriginStage.write([1, 2], to: folder + "/a clip.mp4")
      try OriginStage.write([3], to: folder + "/other.mp4")
      let origin = try Origin.start(folder + "/a clip.mp4")
      #expect(origin.url == "http://127.0.0.1:\(origin.port)/a%20clip.mp4")
      let connection = try Connection(port: origin.port)
      #expect(try connection.get("/a%20clip.mp4").body == [1, 2])
      #expect(try connection.get("/other.mp4").status == 404)
      #expect(try connection.get("/").status == 403)
      try origin.stop()
    }
  }

  @Test func whatCannotBeServedIsNamed() throws {
    try TestFolders.withTemporary { folder in
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      for (path, words) in [("none", "no such file or directory"), ("pipe", "neither a folder nor a regular file")] {
        let failure = #expect(throws: Failure.self) { try Origin.start(folder + "/" + path) }
        #expect(failure?.description.contains(words) == true && failure?.kind == .input)
      }
      let origin = try Origin.start(folder)
      var options = OriginOptions()
      options.port = origin.port
      let taken = #expect(throws: Failure.self) { try Origin.start(folder, options: options) }
      #expect(taken?.description.contains("the port is taken") == true)
      options = OriginOptions()
      options.address = "192.0.2.1"
      let foreign = #expect(throws: Failure.self) { try Origin.start(folder, options: options) }
      #expect(foreign?.kind == .usage, "\(foreign?.description ?? "")")
      try origin.stop()
    }
  }
}
