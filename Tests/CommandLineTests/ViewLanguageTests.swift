import Foundation
import Support
import Testing

// The language of the window.
extension ViewCommandTests.ViewTests {
  private static let font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"

  /// No boxes for letters: without a font the window is in English, and says so on standard error.
  @Test(.enabled("no DejaVu Sans") { FileManager.default.fileExists(atPath: font) })
  func aMissingFontIsTold() throws {
    try Self.withClips { folder in
      let settings = """
        <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
        <fontconfig><dir>\(URL(filePath: Self.font).deletingLastPathComponent().path)</dir><cachedir>\(folder)/fonts</cachedir></fontconfig>
        """
      try settings.write(toFile: folder + "/fonts.conf", atomically: true, encoding: .utf8)
      let stage = try Stage(
        ["one.mp4"], in: folder,
        environment: ["LANGUAGE": "ja", "LANG": "de", "FONTCONFIG_FILE": folder + "/fonts.conf"])
      #expect(try stage.number { $0 > 0 }.map { $0 > 0 } == true)
      #expect(try stage.reaches("Open — bench360", by: .o, isControl: true))
      try stage.press(.q, isControl: true)
      let result = try stage.running.wait()
      #expect(
        result.errors.hasPrefix("bench360: cannot write Japanese in the window: no font has the letter ")
          && result.errors.contains("fonts-droid-fallback") && result.errors.split(separator: "\n").count == 1,
        "\(result.errors)")
    }
  }
}
