import Encode
import Foundation
import Frames
import Support
import Testing

@Suite(.tier(.test)) struct JPEGTests {
  /// Smooth, so that a good JPEG comes near it.
  private static func picture(_ size: PictureSize) -> [UInt8] {
    (0..<size.height).flatMap { row in
      (0..<size.width).flatMap { column -> [UInt8] in
        [UInt8(column * 255 / size.width), UInt8(row * 255 / size.height), UInt8((row + column) % 256 / 2), 255]
      }
    }
  }

  @Test(arguments: [(64, 48), (37, 21), (1, 1), (160, 90)])
  func pixelsComeBackNearly(width: Int, height: Int) throws {
    let folder = try Folder()
    let size = PictureSize(width: width, height: height)
    let rgba = Self.picture(size)
    let path = folder.file("picture.jpg")
    try writeJPEG(rgba: rgba, size: size, quality: 100, to: path)
    #expect(ThumbnailJudge.psnr(rgba, try #require(try ThumbnailJudge(path, size: size).frames.first)) > 36)
    let stream = Judge.videoStream(path)
    #expect(stream.isSuperset(of: ["codec_name=mjpeg", "pix_fmt=yuvj420p", "width=\(width)", "height=\(height)"]))
    #expect(folder.names == ["picture.jpg"])
  }

  @Test func lowerQualityIsSmaller() throws {
    let size = PictureSize(width: 160, height: 90)
    let noise = (0..<size.width * size.height * 4).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
    let sizes = try [1, 30, 60, 90, 100].map { try encodeJPEG(rgba: noise, size: size, quality: $0).count }
    #expect(sizes == sizes.sorted() && sizes[0] * 3 < sizes[4], "\(sizes)")
    #expect(try encodeJPEG(rgba: noise, size: size) == encodeJPEG(rgba: noise, size: size))
  }
}

@Suite struct SpriteSheetTests {
  private static func picture(_ value: UInt8) -> SmallPicture {
    SmallPicture(rgba: [UInt8](repeating: value, count: 3 * 2 * 4), size: PictureSize(width: 3, height: 2), time: .zero)
  }

  @Test func picturesLieInRows() {
    var sheet = SpriteSheet(cell: PictureSize(width: 3, height: 2), columns: 2, rows: 2)
    for (value, place) in [(UInt8(1), (0, 0)), (2, (3, 0)), (3, (0, 2))] {
      #expect(!sheet.isFull && sheet.add(Self.picture(value)) == place)
    }
    #expect(sheet.size == PictureSize(width: 6, height: 4))
    sheet.add(Self.picture(4))
    #expect(sheet.isFull)
    for (value, (column, row)) in [(UInt8(1), (0, 0)), (2, (3, 0)), (3, (0, 2)), (4, (3, 2))] {
      let part = sheet.picture.cut(column: column, row: row, size: sheet.cell)
      #expect(part.rgba.allSatisfy { $0 == value })
    }
  }

  @Test func partialRowsAreShorter() {
    var sheet = SpriteSheet(cell: PictureSize(width: 3, height: 2), columns: 10, rows: 10)
    sheet.add(Self.picture(7))
    sheet.add(Self.picture(8))
    #expect(sheet.picture.size == PictureSize(width: 6, height: 2))
  }
}

@Suite struct FileGroupTests {
  @Test func filesAppearTogether() throws {
    let folder = try Folder()
    do {
      var files = FileGroup()
      try files.add([1, 2], as: folder.file("a"))
      try files.add([3], as: folder.file("b"))
      #expect(!folder.names.contains("a"))
    }
    #expect(folder.names.isEmpty, "what is never finished leaves nothing")
    var files = FileGroup()
    try files.add([1, 2], as: folder.file("a"))
    try files.add([3], as: folder.file("b"))
    try files.finish()
    #expect(folder.names.sorted() == ["a", "b"])
  }

  @Test func unwritablePlacesAreNamed() throws {
    let folder = try Folder()
    try Data().write(to: URL(filePath: folder.file("taken")))
    let path = folder.file("taken/a")
    let error = #expect(throws: Failure.self) {
      var files = FileGroup()
      try files.add([1], as: path)
    }
    #expect(error?.kind == .output && error?.description.contains("'\(path)'") ?? false)
  }
}
