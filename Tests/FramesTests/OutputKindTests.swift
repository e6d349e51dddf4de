import Foundation
import Frames
import Support
import Testing

@Suite struct OutputKindTests {
  /// The smallest file of each kind that is recognised.
  private static let files: [(kind: OutputKind, content: [UInt8])] = [
    (.record, Array(#"{ "a": "\"schema\" : \"bench360/1\"", "schema" : "bench360/1" }"#.utf8)),
    (.comparison, Array(#"{"schema":"bench360-comparison\/1"}"#.utf8)),
    (.sessions, Array(#"{"estimator":"ewma","schema":"bench360-abr/1"}"#.utf8)),
    (.inputEvents, Array(#"{"schema": "bench360-input/1", "events": []}"#.utf8)),
    (.trace, Array("{\"displayTimeUnit\":\"ms\",\"metadata\":{},\n\"traceEvents\":[\n]}\n".utf8)),
    (.frameTable, Array("scenario,variant,trial,frame,pts_seconds\r\n".utf8)),
    (.report, Array(#"<!DOCTYPE html><html><head><meta name="generator" content="bench360"/></head></html>"#.utf8)),
    (.thumbnailTrack, Array("WEBVTT\n".utf8)),
    (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]),
    (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0]),
    (.requestLog, Array(#"{"bytes":10,"cmcd":{"br":"3200"},"connection":1,"end":"complete"}"#.utf8)),
    (.p1203, Array("{\n  \"I11\" : {},\n  \"I13\" : {},\n  \"I23\" : {}\n}\n".utf8)),
    (.events, Array(#"{"session":"00","sequence":1,"schema":"bench360-events/1"}"#.utf8)),
    (.export, Array("# TYPE bench360_ttff_seconds gauge\n".utf8)),
    (.syntheticClip, Array("…moov…bench360-synthetic/1 rate=30/1".utf8)),
  ]
  private static let strangers = [
    "x", "{}", #"{"schema": "other/1"}"#, #"{"text": "\"schema\": \"bench360/1\""}"#, #"["schema", "bench360/1"]"#,
    #"{"traceEvents":[]}"#, "<!DOCTYPE html><html></html>", "ftypisom", "a,b\n",
  ]

  @Test func everyKindHasASample() {
    #expect(Set(Self.files.map(\.kind)) == Set(OutputKind.allCases))
  }

  @Test func aFileIsReplacedByItsOwnKindOnly() throws {
    try TestFolders.withTemporary { folder in
      let path = folder + "/file"
      for file in Self.files {
        try Data(file.content).write(to: URL(filePath: path))
        for kind in OutputKind.allCases {
          let refusal = Self.refusal(kind, path)
          #expect((refusal == nil) == (kind == file.kind), "\(kind) over \(file.kind)")
          try kind.checkReplaceable(path, force: true)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(file.content))
      }
      for text in Self.strangers {
        try Data(text.utf8).write(to: URL(filePath: path))
        for kind in OutputKind.allCases { #expect(Self.refusal(kind, path) != nil, "\(kind) over \(text)") }
      }
    }
  }

  @Test func messageNamesBothKindsAndTheRemedy() throws {
    try TestFolders.withTemporary { folder in
      try Data("film".utf8).write(to: URL(filePath: folder + "/mine.mp4"))
      let failure = try #require(Self.refusal(.record, folder + "/mine.mp4"))
      #expect(failure.kind == .output)
      #expect(
        failure.description == "cannot write the record to '\(folder)/mine.mp4': a file that is not a record of "
          + "bench360 is there — name another file, or add --force to replace it")
    }
  }

  /// A schema that begins anywhere around the border of two blocks.
  @Test func schemasAcrossBlockBordersAreFound() throws {
    try TestFolders.withTemporary { folder in
      let path = folder + "/file"
      for place in [(1 << 20) - 30, (1 << 20) - 12, (1 << 20) - 1, 1 << 20, (2 << 20) - 200, 3 << 20] {
        let text = "{" + String(repeating: " ", count: place) + #""schema"  :  "bench360/1"}"#
        try Data(text.utf8).write(to: URL(filePath: path))
        #expect(Self.refusal(.record, path) == nil, "\(place)")
        #expect(Self.refusal(.comparison, path) != nil, "\(place)")
      }
      let clip = [UInt8](repeating: 1, count: 9 << 20) + Array("bench360-synthetic/1".utf8)
      try Data(clip).write(to: URL(filePath: path))
      #expect(Self.refusal(.syntheticClip, path) == nil)
    }
  }

  @Test func missingEmptyAndSpecialFilesPass() throws {
    try TestFolders.withTemporary { folder in
      try Data().write(to: URL(filePath: folder + "/empty"))
      try FileManager.default.createSymbolicLink(atPath: folder + "/nowhere", withDestinationPath: folder + "/none")
      try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "film")
      try Data("film".utf8).write(to: URL(filePath: folder + "/film"))
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      for name in ["none", "empty", "pipe", "nowhere", ""] {
        #expect(Self.refusal(.png, folder + "/" + name) == nil, "\(name)")
      }
      #expect(Self.refusal(.png, "/dev/null") == nil)
      #expect(Self.refusal(.png, folder + "/link") != nil, "a link is what it leads to")
    }
  }

  @Test func linksAreFollowedToTheirTarget() throws {
    try TestFolders.withTemporary { folder in
      let manager = FileManager.default
      try manager.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
      try manager.createSymbolicLink(atPath: folder + "/one", withDestinationPath: "sub/two")
      try manager.createSymbolicLink(atPath: folder + "/sub/two", withDestinationPath: "three")
      try manager.createSymbolicLink(atPath: folder + "/round", withDestinationPath: "round")
      #expect(OutputPlace.followingLinks(folder + "/one") == folder + "/sub/three")
      #expect(OutputPlace.followingLinks(folder + "/plain") == folder + "/plain")
      #expect(OutputPlace.followingLinks(folder + "/round") == folder + "/round")
      #expect(OutputPlace(at: folder + "/one") == .nothing && OutputPlace(at: folder) == .folder)
    }
  }

  private static func refusal(_ kind: OutputKind, _ path: String) -> Failure? {
    do throws(Failure) {
      try kind.checkReplaceable(path, force: false)
      return nil
    } catch {
      return error
    }
  }
}
