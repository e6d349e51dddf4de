import Encode
import Frames
import Testing

@Suite struct PNGTests {
  @Test func pixelsComeBack() throws {
    let folder = try Folder()
    let size = PictureSize(width: 37, height: 21)
    let rgba = (0..<size.width * size.height * 4).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    let path = folder.file("picture.png")
    try writePNG(rgba: rgba, size: size, to: path)
    let decoded = Judge.run("ffmpeg -v error -i '\(path)' -f rawvideo -pix_fmt rgb24 -")
    let expected = rgba.enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
    #expect(decoded == expected)
    #expect(folder.names == ["picture.png"])
  }

  @Test func unwritablePlacesAreNamed() throws {
    let folder = try Folder()
    let path = folder.file("missing/picture.png")
    let error = #expect(throws: Failure.self) {
      try writePNG(rgba: [1, 2, 3, 4], size: PictureSize(width: 1, height: 1), to: path)
    }
    #expect(error?.kind == .output)
    #expect(error?.description.contains("'\(path)'") ?? false)
  }
}
