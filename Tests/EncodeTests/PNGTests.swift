import Encode
import Foundation
import Frames
import Support
import Testing

@Suite(.tier(.test)) struct PNGTests {
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
    try Data().write(to: URL(filePath: folder.file("taken")))
    let path = folder.file("taken/missing/picture.png")
    let error = #expect(throws: Failure.self) {
      try writePNG(rgba: [1, 2, 3, 4], size: PictureSize(width: 1, height: 1), to: path)
    }
    #expect(error?.kind == .output)
    #expect(error?.description.contains("'\(path)'") ?? false)
    #expect(error?.cause.hasPrefix("cannot make the folder '\(folder.file("taken/missing"))': ") ?? false)
  }

  @Test func missingFoldersAreMade() throws {
    let folder = try Folder()
    for name in ["a/b/picture.png", "a//c/picture.png"] {
      try writePNG(rgba: [1, 2, 3, 4], size: PictureSize(width: 1, height: 1), to: folder.file(name))
      #expect(FileManager.default.fileExists(atPath: folder.file(name)))
    }
    try generateClip(smallClip { $0.frames = 1 }, to: folder.file("d/clip.mp4"))
    #expect(folder.names.sorted() == ["a", "d"])
  }
}
