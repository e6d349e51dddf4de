import Foundation
import Streaming
import Support
import Testing

@Suite struct LocalPresentationTests {
  /// A playlist's folder is served; of a ladder, the ladder's, for keys lie there.
  @Test func theFolderIsTheLaddersWhereThereIsOne() throws {
    try TestFolders.withTemporary { folder in
      for name in ["alone", "ladder", "ladder/hls-ts"] {
        try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
      }
      for name in ["alone/a b.m3u8", "ladder/manifest.mpd", "ladder/hls-ts/main.m3u8"] {
        try Data("#EXTM3U\n".utf8).write(to: URL(filePath: folder + "/" + name))
      }
      try Data("{}".utf8).write(to: URL(filePath: folder + "/ladder/ladder.json"))
      for (file, served, manifest) in [
        ("alone/a b.m3u8", "alone", "a b.m3u8"), ("ladder/manifest.mpd", "ladder", "manifest.mpd"),
        ("ladder/hls-ts/main.m3u8", "ladder", "hls-ts/main.m3u8"),
      ] {
        let found = try #require(LocalPresentation(file: folder + "/" + file))
        #expect(found.folder == folder + "/" + served && found.manifest == manifest)
      }
      #expect(LocalPresentation(file: folder + "/alone/a b.m3u8")?.urlPath == "a%20b.m3u8")
      #expect(LocalPresentation(file: folder + "/ladder/ladder.json") == nil)
      #expect(
        LocalPresentation(folder: folder + "/ladder", manifests: ["none.m3u8", "manifest.mpd"])?.manifest
          == "manifest.mpd")
      #expect(LocalPresentation(folder: folder, manifests: ["main.m3u8"]) == nil)
      // Nothing is read of a pipe: reading would wait.
      #expect(mkfifo(folder + "/pipe.m3u8", 0o600) == 0)
      #expect(LocalPresentation(file: folder + "/pipe.m3u8") == nil)
    }
  }
}
