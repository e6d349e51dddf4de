import Foundation
import Frames
import Playlists
import Render
import Support
import Testing

/// Inputs of a user: clips, folders, playlists, and playlists of playlists.
@Suite struct PlaylistInputsTests {
  private static func clips(_ inputs: String...) throws -> [String] {
    try PlaylistInputs.clips(of: inputs, isClip: { $0.hasSuffix(".mp4") }).items.map(\.source)
  }

  private static func write(_ text: String, _ path: String) throws {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private static func cause(_ path: String) -> String? {
    (#expect(throws: Failure.self) { try clips(path) })?.cause
  }

  @Test func clipsFoldersAndPlaylistsAreOneList() throws {
    try TestFolders.withTemporary { folder in
      for name in ["c/clip10.mp4", "c/Clip2.mp4", "c/.hidden.mp4", "c/notes.txt", "c/deeper/x.mp4", "b.mp4"] {
        try Self.write("", "\(folder)/\(name)")
      }
      try Self.write("b.mp4\nc\nlist.json\n", "\(folder)/list.m3u")
      try Self.write(
        #"{"title": "T", "items": [{"source": "b.mp4", "title": "B"}, "https://h/x.mpd"]}"#, "\(folder)/list.json")
      let inFolder = ["\(folder)/c/Clip2.mp4", "\(folder)/c/clip10.mp4"]
      #expect(try Self.clips("\(folder)/c") == inFolder)
      #expect(try Self.clips("\(folder)/c/") == inFolder)
      #expect(
        try Self.clips("x.mp4", "\(folder)/list.m3u") == ["x.mp4", "\(folder)/b.mp4"] + inFolder + [
          "\(folder)/b.mp4", "https://h/x.mpd",
        ])
      // A folder that says itself what it plays is not looked into.
      let told = try PlaylistInputs.clips(of: ["\(folder)/list.m3u"], isClip: { _ in true }) {
        (place) throws(Failure) in
        place == "\(folder)/c" ? [PlaylistItem("told.mp4")] : nil
      }
      #expect(told.items.map(\.source) == ["\(folder)/b.mp4", "told.mp4", "\(folder)/b.mp4", "https://h/x.mpd"])
      let file = try PlaylistInputs.clips(of: ["\(folder)/list.json"], isClip: { _ in false })
      #expect(file.title == "T" && file.items[0].title == "B")
    }
  }

  /// What is no playlist on this machine is a clip, whose opening tells what is wrong: streams, missing files, sockets.
  @Test func otherInputsAreClips() throws {
    try TestFolders.withTemporary { folder in
      try Self.write("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na.ts\n", "\(folder)/hls.m3u8")
      for input in ["\(folder)/hls.m3u8", "\(folder)/missing.m3u", "https://h/list.m3u", "-", ""] {
        #expect(try Self.clips(input) == [input])
      }
      try #require(mkfifo("\(folder)/pipe.m3u", 0o600) == 0)
      #expect(try Self.clips("\(folder)/pipe.m3u") == ["\(folder)/pipe.m3u"])
    }
  }

  @Test func endlessReferencesAreRefused() throws {
    try TestFolders.withTemporary { folder in
      try Self.write("b.m3u\n", "\(folder)/a.m3u")
      try Self.write("sub/../a.m3u\n", "\(folder)/b.m3u")
      try Self.write("", "\(folder)/sub/x")
      #expect(Self.cause("\(folder)/a.m3u") == "it names itself")
      for depth in 0..<12 { try Self.write("\(depth + 1).m3u\n", "\(folder)/\(depth).m3u") }
      try Self.write("end.mp4", "\(folder)/12.m3u")
      #expect(Self.cause("\(folder)/0.m3u") == "it is inside 8 others")
      #expect(try Self.clips("\(folder)/5.m3u") == ["\(folder)/end.mp4"])
      // Each names the next one ten times: a hundred million clips.
      for depth in 0..<8 {
        try Self.write(String(repeating: "w\(depth + 1).m3u\n", count: 10), "\(folder)/w\(depth).m3u")
      }
      try Self.write("end.mp4", "\(folder)/w8.m3u")
      let cause = Self.cause("\(folder)/w1.m3u")
      #expect(cause == "more than 1000 playlists and folders belong to it", "\(cause ?? "")")
    }
  }

  @Test func hostileFilesAreRefused() throws {
    try TestFolders.withTemporary { folder in
      let path = "\(folder)/list.json"
      try Self.write(String(repeating: "[", count: 1_000_000), path)
      #expect(Self.cause(path) == "it is no JSON")
      try Self.write("[" + String(repeating: "1,", count: 2_000_000) + "1]", path)
      #expect(Self.cause(path) == "it is no playlist: clip 1 is of another kind")
      try Self.write("[" + String(repeating: #""a","#, count: 20_000) + #""a"]"#, path)
      #expect(Self.cause(path) == "it names more than 20000 clips")
      try Self.write(String(repeating: " ", count: 5 << 20), path)
      #expect(Self.cause(path) == "it is longer than 4 MiB")
      try Data([0x5B, 0x22, 0xFF, 0xFE, 0x22, 0x5D]).write(to: URL(filePath: path))
      #expect(Self.cause(path) == "it is not UTF-8, as JSON is")
      try Data([0x66, 0xFC, 0x0A]).write(to: URL(filePath: "\(folder)/list.m3u8"))
      #expect(Self.cause("\(folder)/list.m3u8") == "it is not UTF-8, as .m3u8 says")
      #expect(Self.cause(folder) == "it holds no clips")
    }
  }

  /// `results/playlist.schema.json` names what is read.
  @Test func theSchemaNamesWhatIsRead() throws {
    let data = try Data(contentsOf: URL(filePath: TestFolders.repository + "/results/playlist.schema.json"))
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let definitions = try #require(schema["$defs"] as? [String: Any])
    let clip = try #require((definitions["clip"] as? [String: Any])?["properties"] as? [String: Any])
    func values(_ name: String) -> [String]? { (clip[name] as? [String: Any])?["enum"] as? [String] }
    #expect(values("projection") == Projection.allCases.map(\.rawValue))
    #expect(values("stereo") == StereoLayout.allCases.map(\.rawValue))
    #expect(
      Set(clip.keys) == [
        "source", "sources", "title", "subtitles", "poster", "projection", "stereo", "start", "duration",
      ])
  }
}
