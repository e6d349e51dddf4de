import Foundation
import Support
import Testing

extension ViewCommandTests.ViewTests {
  /// A jump over a break that was not watched leads to it first, also by the keys of chapters.
  @Test(arguments: [(rule: "watch", place: 60), ("free", 105)])
  func jumpsToChaptersKeepTheRuleOfBreaks(rule: String, place: Int) throws {
    let ladder = try SharedLadders.flat()
    try TestFolders.withTemporary { folder in
      let site = folder + "/site"
      try FileManager.default.copyItem(atPath: ladder.path("hls-fmp4"), toPath: site)
      let text = try String(contentsOfFile: site + "/video-0.m3u8", encoding: .utf8)
      // From 2 to 3 s.
      let parts = text.components(separatedBy: "#EXTINF")
      try #require(parts.count == 6, "\(text)")
      let marked =
        parts[..<3].joined(separator: "#EXTINF") + "#EXT-X-CUE-OUT:1\n#EXTINF"
        + parts[3...].joined(separator: "#EXTINF")
      try Data(marked.utf8).write(to: URL(filePath: site + "/breaks.m3u8"))
      let name = try #require(text.firstMatch(of: /EXT-X-MAP:URI="([^"]+)"/)?.output.1)
      let section = URL(filePath: "\(site)/\(name)")
      var header = BoxEditor([UInt8](try Data(contentsOf: section)))
      header.insert(BoxEditor.box("udta", Self.chapters([0, 3.5])), into: ["moov"])
      try Data(header.bytes).write(to: section)
      let stage = try Stage(["breaks.m3u8"], in: site, ["--seek-breaks", rule])
      #expect(try stage.hasPicture())
      try stage.press(.space)
      try stage.press(.home)
      #expect(try stage.number { $0 == 0 } == 0)
      try stage.press(.n, isShift: true)
      #expect(try stage.number { $0 == place } == place)
      let result = try stage.close()
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  /// Nero's list of chapters, in units of 100 ns.
  private static func chapters(_ seconds: [Double]) -> [UInt8] {
    let list = seconds.flatMap { seconds -> [UInt8] in
      BoxEditor.number(0) + BoxEditor.number(UInt32(seconds * 1e7)) + [1, UInt8(ascii: "c")]
    }
    return BoxEditor.box("chpl", BoxEditor.number(0x0100_0000) + BoxEditor.number(0) + [UInt8(seconds.count)] + list)
  }
}
