import Encode
import Foundation
import Frames
import Media
import Offline
import Origin
import Streaming
import Support
import Testing

/// A stream that was taken along is the stream, without its origin.
@Suite(.tier(.test)) struct StreamDownloadTests {
  private typealias Kind = LadderIndex.Presentation.Kind

  private static let wishes: [(wish: OfflineWish.Rung, rung: Int)] = [
    (.highest, 1), (.lowest, 0), (.number(1), 1), (.lines(100), 0),
  ]

  @Test(arguments: [
    (LadderIndex.Presentation.Kind.hlsFMP4, LadderSpecification.Encryption?.none, 0), (.hlsTS, nil, 1), (.dash, nil, 2),
    (.hlsFMP4, .aes128(rotation: 2), 3), (.hlsTS, .aes128(rotation: 2), 0),
  ])
  func isWhatWasServed(
    kind: LadderIndex.Presentation.Kind, encryption: LadderSpecification.Encryption?, wish: Int
  ) throws {
    try Self.load(kind, encryption, [Self.wishes[wish]])
  }

  @Test(
    .tier(.full),
    arguments: [
      (LadderIndex.Presentation.Kind.hlsFMP4, LadderSpecification.Encryption?.none), (.hlsTS, nil), (.dash, nil),
      (.hlsFMP4, .aes128(rotation: 2)), (.hlsTS, .aes128(rotation: 2)),
    ])
  func eachRungIsWhatWasServed(
    kind: LadderIndex.Presentation.Kind, encryption: LadderSpecification.Encryption?
  ) throws {
    try Self.load(kind, encryption, Self.wishes)
  }

  /// Loads all once, checks every byte, and shows each picture of the wanted rung.
  private static func load(
    _ kind: LadderIndex.Presentation.Kind, _ encryption: LadderSpecification.Encryption?,
    _ wishes: [(wish: OfflineWish.Rung, rung: Int)]
  ) throws {
    let ladder = try OfflineStage.ladder(encryption)
    try TestFolders.withTemporary { folder in
      for (rung, place) in wishes {
        var options = DownloadOptions()
        (options.wish.rung, options.wish.audio) = (rung, .all)
        let origin = try Origin.start(ladder.folder)
        let made = try Download(
          origin.url + OfflineStage.file(kind, of: ladder), into: folder, options
        ).run()
        try origin.stop()
        let paths = origin.log.map(\.path)
        #expect(Set(paths).count == paths.count, "each once: \(paths)")
        #expect(try Downloads(folder).verify(made).isEmpty)
        let played = try OfflineStage.play(try #require(made.path))
        #expect(played.frames == OfflineStage.frames && played.wrong == 0 && played.rung == place, "\(rung): \(played)")
        #expect(played.sounds.compactMap(\.language?.code).sorted() == ["de", "en"])
        #expect(made.record.seconds == 4.5 && made.bytes > 0)
      }
      #expect(try Downloads(folder).list().count == wishes.count)
    }
  }

  /// Files and their lines in the list that are gone, a list that was edited, and a record that leads elsewhere.
  @Test(arguments: [LadderIndex.Presentation.Kind.hlsFMP4, .dash], [false, true])
  func whatWasTakenAwayIsFound(kind: LadderIndex.Presentation.Kind, isOld: Bool) throws {
    let ladder = try OfflineStage.ladder()
    let origin = try Origin.start(ladder.folder)
    defer { try? origin.stop() }
    try TestFolders.withTemporary { folder in
      let made = try Download(origin.url + OfflineStage.file(kind, of: ladder), into: folder, DownloadOptions()).run()
      let library = Downloads(folder)
      let (list, record) = (made.folder + "/files.jsonl", made.folder + "/download.json")
      func edit(_ path: String, _ change: (inout String) -> Void) throws {
        var text = try String(contentsOfFile: path, encoding: .utf8)
        change(&text)
        try Data(text.utf8).write(to: URL(filePath: path))
      }
      // Downloads of earlier versions have no digest of the list.
      if isOld { try edit(record) { $0 = $0.replacing(/"list" : "[0-9a-f]*",\n/, with: "") } }
      func verify() throws -> [DownloadFlaw] { try library.verify(try library.download(made.name)) }
      #expect(try verify().isEmpty)
      let whole = try String(contentsOfFile: list, encoding: .utf8)
      let line = try #require(whole.split(separator: "\n").first { $0.contains(".m4s\"") })
      let name = try #require(line.firstMatch(of: /"name":"([^"]*)"/)).output.1
      try FileManager.default.moveItem(atPath: made.folder + "/" + name, toPath: folder + "/aside")
      #expect(try verify() == [.missing(String(name))])
      try edit(list) { $0 = $0.replacing(line + "\n", with: "") }
      #expect(try verify() == [.damaged("files.jsonl"), .missing(String(name))])
      // A link is no file of the download, wherever it leads.
      try edit(list) { $0 = whole }
      try FileManager.default.createSymbolicLink(
        atPath: made.folder + "/" + name, withDestinationPath: folder + "/aside")
      #expect(try verify() == [.missing(String(name))])
      try FileManager.default.removeItem(atPath: made.folder + "/" + name)
      try FileManager.default.moveItem(atPath: folder + "/aside", toPath: made.folder + "/" + name)
      for other in ["../" + name, "/etc/passwd", ""] {
        try edit(list) { $0 = whole.replacing("\"name\":\"\(name)\"", with: "\"name\":\"\(other)\"") }
        #expect(try verify() == [.damaged("files.jsonl"), .missing(String(name))], "\(other)")
      }
      try edit(list) { $0 = whole }
      #expect(try verify().isEmpty)
      let play = try #require(made.record.play)
      try edit(record) { $0 = $0.replacing("\"play\" : \"\(play)\"", with: "\"play\" : \"../../\(play)\"") }
      #expect(try verify() == [.damaged("download.json")])
      #expect(try library.download(made.name).path == nil)
      try FileManager.default.moveItem(atPath: made.folder, toPath: folder + "-elsewhere")
      defer { try? FileManager.default.removeItem(atPath: folder + "-elsewhere") }
      for link in [made.folder, made.folder + ".part"] {
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "-elsewhere")
        #expect(try library.list().isEmpty, "\(link)")
        try FileManager.default.removeItem(atPath: link)
      }
    }
  }

  /// The wanted sound and subtitles are loaded, and no others.
  @Test(arguments: [LadderIndex.Presentation.Kind.hlsFMP4, .dash])
  func tracksAreChosen(kind: LadderIndex.Presentation.Kind) throws {
    let ladder = try OfflineStage.ladder()
    let origin = try Origin.start(ladder.folder)
    defer { try? origin.stop() }
    let url = origin.url + OfflineStage.file(kind, of: ladder)
    let german = try #require(Language("de"))
    let cases: [(audio: OfflineWish.Tracks, subtitles: OfflineWish.Tracks, folders: [String])] = [
      (.usual, .none, ["audio-1"]), (.none, .all, ["subtitles-1", "subtitles-2"]),
      (.languages([german]), .languages([german]), ["audio-1", "subtitles-1"]), (.all, .none, ["audio-1", "audio-2"]),
    ]
    try TestFolders.withTemporary { folder in
      for (audio, subtitles, folders) in cases {
        var options = DownloadOptions()
        (options.wish.rung, options.wish.audio, options.wish.subtitles) = (.lowest, audio, subtitles)
        let made = try Download(url, into: folder, options).run()
        let found = try FileManager.default.contentsOfDirectory(atPath: made.folder)
          .filter { ($0.hasPrefix("audio") || $0.hasPrefix("subtitles")) && !$0.contains(".") }.sorted()
        #expect(found == folders)
      }
      var options = DownloadOptions()
      options.wish.audio = .languages([try #require(Language("fr"))])
      let failure = #expect(throws: Failure.self) { try Download(url, into: folder, options).run() }
      #expect(failure?.kind == .usage && failure?.cause == "it has no sound in 'fr'", "\(String(describing: failure))")
      options.wish.audio = .usual
      options.wish.rung = .number(2)
      let other = #expect(throws: Failure.self) { try Download(url, into: folder, options).run() }
      #expect(other?.cause == "it has no rung 2" && other?.remedy == "its rungs are 0 to 1")
    }
  }

  /// A second start loads nothing and says where it is.
  @Test func whatIsThereIsNotLoadedAgain() throws {
    let ladder = try OfflineStage.ladder()
    let origin = try Origin.start(ladder.folder)
    defer { try? origin.stop() }
    let url = origin.url + OfflineStage.file(.hlsFMP4, of: ladder)
    try TestFolders.withTemporary { folder in
      let first = try Download(url, into: folder).run()
      let count = origin.log.count
      let second = try Download(url, into: folder).run()
      #expect(first.path == second.path && origin.log.count == count)
    }
  }

  /// ClearKey: the licence stays where its server lets it, else the manifest names the server.
  @Test(arguments: [true, false])
  func licencesAreKeptWhereTheyMayBe(mayBeKept: Bool) throws {
    let ladder = try OfflineStage.ladder(.clearKey)
    let licence = try String(contentsOfFile: ladder.folder + "/clearkey.json", encoding: .utf8)
      .replacing(#""type":"temporary""#, with: #""type":"persistent-license""#)
    #expect(licence.contains("persistent-license"), "\(licence)")
    let content = ladder.folder
    let server = try ScriptedServer { request, connection in
      if mayBeKept, request.path == "/clearkey.json" { return connection.respond(body: Array(licence.utf8)) }
      guard let data = FileManager.default.contents(atPath: content + request.path) else {
        return connection.respond("404 Not Found")
      }
      return connection.serve([UInt8](data), request)
    }
    try TestFolders.withTemporary { folder in
      let made = try Download(server.url("/manifest.mpd"), into: folder).run()
      let manifest = try String(contentsOfFile: try #require(made.path), encoding: .utf8)
      #expect(manifest.contains("<dashif:Laurl>keys/licence.json</dashif:Laurl>") == mayBeKept)
      #expect(manifest.contains(server.url("/clearkey.json")) == !mayBeKept, "\(manifest)")
      #expect(made.record.notes.isEmpty == mayBeKept)
      guard mayBeKept else { return }
      let played = try OfflineStage.play(try #require(made.path))
      #expect(played.frames == OfflineStage.frames && played.wrong == 0)
      let mode = try FileManager.default.attributesOfItem(atPath: made.folder + "/keys/licence.json")[.posixPermissions]
      #expect(mode as? Int == 0o600)
    }
  }

  /// A stream of which other segments are served now is loaded anew, and said so.
  @Test func anotherStreamOfTheSameNameIsLoadedAnew() throws {
    let ladder = try OfflineStage.ladder()
    try TestFolders.withTemporary { folder in
      let site = folder + "/site"
      try FileManager.default.copyItem(atPath: ladder.folder, toPath: site)
      let origin = try Origin.start(site)
      defer { try? origin.stop() }
      let url = origin.url + OfflineStage.file(.hlsFMP4, of: ladder)
      var options = DownloadOptions()
      options.quota = 200_000
      #expect(throws: Failure.self) { try Download(url, into: folder + "/library", options).run() }
      let playlist = site + "/hls-fmp4/video-1.m3u8"
      let text = try String(contentsOfFile: playlist, encoding: .utf8).replacing("00000.m4s", with: "00001.m4s")
      try text.write(toFile: playlist, atomically: false, encoding: .utf8)
      options.quota = nil
      let made = try Download(url, into: folder + "/library", options).run()
      #expect(made.record.notes == ["the stream changed on the server while it was loaded: it was loaded anew"])
      #expect(try Downloads(folder + "/library").verify(made).isEmpty)
    }
  }

  /// The quota ends within a file: what came of that counts.
  @Test func quotasAreHeldWithinAFile() throws {
    let ladder = try OfflineStage.ladder()
    let origin = try Origin.start(ladder.folder)
    defer { try? origin.stop() }
    let url = origin.url + OfflineStage.file(.hlsFMP4, of: ladder)
    for quota in stride(from: 60_000, to: 220_000, by: 10_000) {
      try TestFolders.withTemporary { folder in
        var options = DownloadOptions()
        options.quota = Int64(quota)
        let failure = #expect(throws: Failure.self) { try Download(url, into: folder, options).run() }
        #expect(failure?.kind == .output, "\(String(describing: failure))")
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let media = names.filter { $0.hasSuffix(".m4s") || $0.hasSuffix(".mp4") }
        let bytes = try media.map { try Data(contentsOf: URL(filePath: "\(folder)/\($0)")).count }.reduce(0, +)
        #expect(bytes > 0 && bytes <= quota, "\(names)")
      }
    }
  }

  /// A live stream has no end.
  @Test func liveStreamsAreRefused() throws {
    let server = try ScriptedServer { request, connection in
      let text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n1.ts\n#EXTINF:2,\n2.ts\n"
      return connection.serve(Array(text.utf8), request)
    }
    try TestFolders.withTemporary { folder in
      let failure = #expect(throws: Failure.self) { try Download(server.url("/live.m3u8"), into: folder).run() }
      #expect(failure?.kind == .unsupported && failure?.cause == "it is a live stream, which has no end yet")
    }
  }
}
