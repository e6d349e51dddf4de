import Foundation
import Frames
import Support
import Synchronization
import Testing

extension CommandTests {
  /// `download` and `downloads`, as a shell calls them.
  @Suite(.tier(.test)) struct DownloadTests {
    private static let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 3) }

    @Test func aFileIsLoadedListedVerifiedAndRemoved() throws {
      let server = try ScriptedServer { request, connection in connection.serve(Self.content, request, ["ETag: \"a\""])
      }
      try TestFolders.withTemporary { folder in
        let made = try Program.run(["download", server.url("/films/tour.mp4?key=secret"), "-o", "offline"], in: folder)
        #expect(
          made.status == 0 && made.text == "offline/tour/clip.mp4\n" && made.errors == "tour: 301 kB\n", "\(made)")
        let again = try Program.run(
          ["download", server.url("/films/tour.mp4?key=secret"), "-o", "offline"], in: folder)
        #expect(again.status == 0 && again.text == made.text && again.errors.contains("was there already"), "\(again)")
        #expect(server.requests.count { $0.method == "GET" } == 1)
        let list = try Program.run(["downloads", "offline", "--verify"], in: folder)
        #expect(list.text.contains("offline/tour/clip.mp4  verified") && !list.text.contains("secret"), "\(list)")
        let line = try Program.run(["downloads", "offline", "tour", "--json"], in: folder)
        let object = try JSONSerialization.jsonObject(with: Data(line.text.utf8)) as? [String: Any]
        #expect(object?["path"] as? String == "offline/tour/clip.mp4" && object?["isWhole"] as? Bool == true)
        let handle = try FileHandle(forUpdating: URL(filePath: folder + "/offline/tour/clip.mp4"))
        try handle.write(contentsOf: Data([0xFF, 0xFF]))
        try handle.close()
        let damaged = try Program.run(["downloads", "offline", "--verify"], in: folder)
        #expect(damaged.status == 1 && damaged.errors.contains("'clip.mp4' is damaged"), "\(damaged)")
        let removed = try Program.run(["downloads", "offline", "tour", "--remove"], in: folder)
        #expect(removed.status == 0 && !FileManager.default.fileExists(atPath: folder + "/offline/tour"))
      }
    }

    /// The process is killed again and again; the next goes on, and nothing ever looks whole that is not.
    @Test func goesOnAfterKills() throws {
      let isWhole = Gate()
      let server = try ScriptedServer { request, connection in
        let first = min(request.range?.first ?? 0, Self.content.count)
        let rest = Self.content[first...]
        let status = request.range == nil ? "200 OK" : "206 Partial Content"
        let place = "Content-Range: bytes \(first)-\(Self.content.count - 1)/\(Self.content.count)\r\n"
        connection.send("HTTP/1.1 \(status)\r\nETag: \"a\"\r\nContent-Length: \(rest.count)\r\n\(place)\r\n")
        guard !isWhole.isOpen else { return connection.send(rest) }
        // A part of it, until the client is gone.
        connection.send(rest.prefix(45_000))
        connection.waitForEnd()
        return false
      }
      try TestFolders.withTemporary { folder in
        let arguments = ["download", server.url("/tour.mp4"), "-o", "offline"]
        let part = folder + "/offline/tour.part/clip.mp4.part"
        var kills = 0
        while kills < 4 {
          let process = Process()
          process.executableURL = URL(filePath: TestFolders.program)
          (process.arguments, process.currentDirectoryURL) = (arguments, URL(filePath: folder))
          (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
          try process.run()
          let size = { (try? FileManager.default.attributesOfItem(atPath: part)[.size] as? Int) ?? 0 }
          let wanted = (kills + 1) * 40_000
          _ = Patience.until { size() >= wanted || !process.isRunning }
          kill(process.processIdentifier, SIGKILL)
          process.waitUntilExit()
          kills += 1
          #expect(!FileManager.default.fileExists(atPath: folder + "/offline/tour"))
        }
        isWhole.open()
        let made = try Program.run(arguments, in: folder)
        #expect(made.status == 0, "\(made)")
        #expect(FileManager.default.contents(atPath: folder + "/offline/tour/clip.mp4") == Data(Self.content))
        let firsts = server.requests.map { $0.range?.first ?? 0 }
        #expect(firsts == firsts.sorted() && Set(firsts).count == firsts.count, "each goes on: \(firsts)")
      }
    }

    private final class Gate: Sendable {
      private let state = Mutex(false)
      var isOpen: Bool { state.withLock { $0 } }
      func open() { state.withLock { $0 = true } }
    }

    @Test(arguments: [
      (["download", "clip.mp4", "-o", "x"], Int32(64), "files of this machine need no download"),
      (["download", "http://127.0.0.1:1/x.mp4", "-o", "x", "--rung", "best"], 64, "--rung"),
      (["download", "http://127.0.0.1:1/x.mp4", "-o", "x", "--audio", "en,,de"], 64, "--audio"),
      (["download", "http://127.0.0.1:1/x.mp4", "-o", "x", "--quota", "-3G"], 64, "--quota"),
      (["download", "http://127.0.0.1:1/x.mp4", "-o", "x", "--name", "../y"], 64, "--name"),
      (["download", "http://127.0.0.1:1/x.mp4", "-o", "x", "--retries", "0"], 1, "cannot download"),
      (["downloads", "nowhere"], 1, "there is no folder of that name"),
      (["downloads", ".", "--remove"], 64, "--remove takes the names of downloads"),
      (["downloads", ".", "no-such"], 1, "has none of that name"),
    ])
    func mistakesGetASentence(arguments: [String], status: Int32, words: String) throws {
      try TestFolders.withTemporary { folder in
        let result = try Program.run(arguments, in: folder)
        #expect(result.status == status && result.errors.contains(words), "\(result)")
        #expect(result.text.isEmpty)
      }
    }
  }
}
