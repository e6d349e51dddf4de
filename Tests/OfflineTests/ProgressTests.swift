import Foundation
import Frames
import Offline
import Support
import Synchronization
import Testing

/// What a caller is told while a download comes.
@Suite(.tier(.test)) struct ProgressTests {
  /// A run of a download; whether the folder had its name at each call.
  private struct Told {
    var steps: [(progress: DownloadProgress, isWhole: Bool)] = []
    var isDone = false

    /// Never less than before, and 1 once, at the end, when all is whole.
    func check(_ text: String) {
      let fractions = steps.map(\.progress.fraction)
      #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 }, "\(text): \(fractions)")
      #expect(fractions.allSatisfy { (0...1).contains($0) }, "\(text): \(fractions)")
      #expect(fractions.isEmpty || (fractions.last == 1) == isDone, "\(text): \(fractions)")
      #expect(steps.allSatisfy { ($0.progress.fraction == 1) == $0.isWhole }, "\(text): \(fractions)")
      for (step, _) in steps {
        #expect(step.total ?? step.bytes >= step.bytes && step.secondsLeft ?? 0 >= 0, "\(text): \(step)")
      }
    }
  }

  /// Loads; ends after so many calls.
  private static func load(_ url: String, into folder: String, endsAfter count: Int = .max) -> Told {
    let interruption = Interruption()
    var told = Told()
    var options = DownloadOptions()
    options.retries = .none
    let download = Download(url, into: folder, options, interruption: interruption)
    let name = url.split(separator: "/").last?.split(separator: ".").first ?? ""
    told.isDone =
      (try? download.run { progress in
        told.steps.append((progress, FileManager.default.fileExists(atPath: "\(folder)/\(name)")))
        if told.steps.count == count { interruption.request() }
      }) != nil
    return told
  }

  /// Segments of random sizes, of a stream whose manifest tells any bit rate, once ended and gone on with.
  @Test func aStreamsFractionRises() throws {
    var random = SeededGenerator(for: "a stream's fraction rises")
    for round in 0..<20 {
      func playlist(_ name: String) -> (text: String, sizes: [Int]) {
        let sizes = (0..<Int.random(in: 1...12, using: &random)).map { _ in
          Int.random(in: 1...(Bool.random(using: &random) ? 300 : 60_000), using: &random)
        }
        let lines = sizes.indices.map { "#EXTINF:\(Int.random(in: 1...9, using: &random)),\n\(name)-\($0).ts\n" }
        return ("#EXTM3U\n#EXT-X-TARGETDURATION:9\n" + lines.joined() + "#EXT-X-ENDLIST\n", sizes)
      }
      let (video, sound) = (playlist("video"), playlist("sound"))
      let bandwidth = Int.random(in: 1...(Bool.random(using: &random) ? 10_000 : 1_000_000), using: &random)
      let film = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="one",DEFAULT=YES,AUTOSELECT=YES,URI="sound.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth),AUDIO="a"
        video.m3u8

        """
      var answers = ["/film.m3u8": film, "/video.m3u8": video.text, "/sound.m3u8": sound.text].mapValues {
        [UInt8]($0.utf8)
      }
      for (name, sizes) in [("video", video.sizes), ("sound", sound.sizes)] {
        for (index, size) in sizes.enumerated() { answers["/\(name)-\(index).ts"] = Array(repeating: 7, count: size) }
      }
      let server = try ScriptedServer { [answers] request, connection in
        connection.serve(answers[request.path] ?? [], request)
      }
      try TestFolders.withTemporary { folder in
        let text = "round \(round): \(bandwidth) bit/s, \(video.sizes), \(sound.sizes)"
        let url = server.url("/film.m3u8")
        let first = Self.load(url, into: folder, endsAfter: Int.random(in: 1...20, using: &random))
        first.check(text)
        let second = Self.load(url, into: folder)
        second.check(text)
        #expect(second.isDone && second.steps.isEmpty == first.isDone, "\(text)")
      }
    }
  }

  /// Of a file with a length, without one, and of one that is another file when it is gone on with.
  @Test func aFilesFractionRises() throws {
    let content = [UInt8](repeating: 7, count: 300_000)
    let isOther = Mutex(false)
    let server = try ScriptedServer { request, connection in
      switch request.path {
      case "/open.mp4":
        connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n4\r\nabcd\r\n0\r\n\r\n")
        return true
      case "/other.mp4" where !isOther.withLock({ $0 }):
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(content.count)\r\nETag: \"a\"\r\n\r\n")
        connection.send(content[..<200_000])
        return false
      default: return connection.serve(content, request, ["ETag: \"b\""])
      }
    }
    try TestFolders.withTemporary { folder in
      for name in ["known", "open"] {
        let told = Self.load(server.url("/\(name).mp4"), into: folder)
        told.check(name)
        #expect(told.isDone && told.steps.count > 1)
      }
      let begun = Self.load(server.url("/other.mp4"), into: folder)
      begun.check("begun")
      #expect(!begun.isDone && begun.steps.last.map { (0.5...0.7).contains($0.progress.fraction) } == true)
      isOther.withLock { $0 = true }
      let anew = Self.load(server.url("/other.mp4"), into: folder)
      anew.check("anew")
      #expect(anew.isDone)
    }
  }
}
