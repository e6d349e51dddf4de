import Decode
import Encode
import Foundation
import Frames
import Support
import Testing

@Suite(.tier(.test)) struct TrackReaderTests {
  @Test(arguments: [
    ("a.jpg", "dir/t.vtt", "dir/a.jpg"), ("a.jpg", "t.vtt", "a.jpg"), ("../a%20b.jpg?v=1", "/d/t.vtt", "/d/../a b.jpg"),
    ("/a.jpg", "dir/t.vtt", "/a.jpg"), ("file:///a.jpg", "t.vtt", "/a.jpg"),
    ("file://localhost/a.jpg", "t.vtt", "/a.jpg"),
    ("a%zz.jpg", "t.vtt", "a%zz.jpg"),
    ("a.jpg", "http://h/d/t.vtt", "http://h/d/a.jpg"),
    ("a.jpg?x=1", "https://h:1/d/t.vtt?q#f", "https://h:1/d/a.jpg?x=1"),
    ("/a.jpg", "http://h/d/t.vtt", "http://h/a.jpg"), ("//o/a.jpg", "https://h/d/t.vtt", "https://o/a.jpg"),
    ("../../../a.jpg", "http://h/d/e/t.vtt", "http://h/a.jpg"),
    ("./b/../a.jpg", "http://h/d/t.vtt", "http://h/d/a.jpg"),
    ("HTTPS://o/a.jpg", "http://h/t.vtt", "https://o/a.jpg"), ("a.jpg", "http://h", "http://h/a.jpg"),
  ])
  func referencesAreResolved(reference: String, track: String, expected: String) throws {
    #expect(try resolveImage(reference, track: track) == expected)
  }

  /// From the network nothing leads to a file here; from a file nothing leads to the network.
  @Test(arguments: [
    ("file:///etc/hostname", "http://h/t.vtt"), ("FILE:/etc/hostname", "https://h/t.vtt"),
    ("concat:a|b", "http://h/t.vtt"),
    ("subfile,,start,0,end,9,,:/etc/hostname", "http://h/t.vtt"), ("data:image/png;base64,AA", "http://h/t.vtt"),
    ("http:a.jpg", "http://h/t.vtt"), ("a.jpg", "rtmp://h/t.vtt"), ("fd:", "http://h/t.vtt"),
    ("http://h/a.jpg", "t.vtt"), ("https://h/a.jpg", "/d/t.vtt"), ("//h/a.jpg", "t.vtt"), ("file://h/a.jpg", "t.vtt"),
    ("data:image/png;base64,AA", "t.vtt"), ("concat:a|b", "t.vtt"), ("a%00.jpg", "t.vtt"), ("?x", "t.vtt"),
  ])
  func referencesThatLeadElsewhereAreRefused(reference: String, track: String) throws {
    if reference.hasPrefix("subfile") {
      // No scheme: a strange name beside the track, on the network too.
      #expect(try resolveImage(reference, track: track).hasPrefix("http://h/"))
    } else {
      #expect(failure { _ = try resolveImage(reference, track: track) }?.kind == .input)
    }
  }

  /// Four flat colours in an image of 200 × 100.
  private static let colours: [[UInt8]] = [[200, 30, 30], [30, 200, 30], [30, 30, 200], [200, 200, 30]]

  private static func sheet(_ path: String, _ options: [String]) throws {
    var rgba: [UInt8] = []
    for row in 0..<100 { for column in 0..<200 { rgba += colours[row / 50 * 2 + column / 100] + [255] } }
    let png = path + ".source.png"
    try writePNG(rgba: rgba, size: PictureSize(width: 200, height: 100), to: png)
    let run = try CommandOutput.of("ffmpeg", ["-v", "error", "-y", "-i", png] + options + [path])
    try #require(run.status == 0, "\(run.errors)")
  }

  private static func expectColour(_ picture: SmallPicture?, _ number: Int, size: String) throws {
    let picture = try #require(picture)
    #expect(picture.size == PictureSize(size))
    let middle = (picture.size.height / 2 * picture.size.width + picture.size.width / 2) * 4
    let found = picture.rgba[middle..<middle + 3]
    #expect(zip(found, colours[number]).allSatisfy { abs(Int($0) - Int($1)) <= 12 }, "\(Array(found)) is not \(number)")
    #expect(picture.rgba[middle + 3] == 255)
  }

  @Test(arguments: [
    ("s.jpg", ["-q:v", "2"]), ("s.png", []), ("s.webp", ["-c:v", "libwebp", "-quality", "95"]),
    ("s.webp", ["-c:v", "libwebp", "-lossless", "1"]),
    ("s.png", ["-filter_complex", "split[a][b];[a]palettegen[p];[b][p]paletteuse"]),
  ])
  func partsOfImagesAreCut(name: String, options: [String]) throws {
    try TestFolders.withTemporary { folder in
      try Self.sheet(folder + "/" + name, options)
      let text = """
        WEBVTT

        00:00.000 --> 00:01.000
        \(name)#xywh=0,0,100,50

        00:01.000 --> 00:02.000
        \(name)#xywh=100,0,100,50

        00:02.000 --> 00:03.000
        \(name)#xywh=percent:0,50,50,50

        00:03.000 --> 00:04.000
        file://\(folder)/\(name)#xywh=pixel:120,60,400,400

        00:04.000 --> 00:05.000
        \(name)

        00:05.000 --> 00:06.000
        \(name)#xywh=200,0,10,10

        00:06.000 --> 00:07.000
        missing.jpg

        00:07.000 --> 00:08.000
        t.vtt
        """
      try Data(text.utf8).write(to: URL(filePath: folder + "/t.vtt"))
      let reader = try TrackReader(path: folder + "/t.vtt")
      func picture(_ seconds: Double) throws -> SmallPicture? { try reader.picture(at: MediaTime(seconds: seconds)) }
      try Self.expectColour(try picture(0.5), 0, size: "100x50")
      try Self.expectColour(try picture(1.0), 1, size: "100x50")
      try Self.expectColour(try picture(2.9), 2, size: "100x50")
      try Self.expectColour(try picture(-9), 0, size: "100x50")
      #expect(reader.imagesRead == 1, "the image is held")
      try Self.expectColour(try picture(3.5), 3, size: "80x40")
      let whole = try #require(try picture(4.5))
      #expect(whole.size == PictureSize(width: 160, height: 80) && whole.time == MediaTime(seconds: 4))
      #expect(failure { _ = try picture(5.5) }?.cause.contains("outside the image") ?? false)
      #expect(failure { _ = try picture(6.5) }?.kind == .input)
      #expect(failure { _ = try picture(7.5) }?.cause.contains("no JPEG, PNG or WebP") ?? false)
      #expect(reader.places.place(of: MediaTime(seconds: 2.5)) == MediaTime(seconds: 2))
    }
  }

  @Test func damagedImagesAreRefused() throws {
    var random = SeededGenerator(for: "damagedImagesAreRefused")
    try TestFolders.withTemporary { folder in
      for (name, options) in [("s.jpg", ["-q:v", "2"]), ("s.png", []), ("s.webp", ["-c:v", "libwebp"])] {
        try Self.sheet(folder + "/" + name, options)
        let whole = [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + name)))
        try Data("WEBVTT\n\n00:00.000 --> 00:01.000\n\(name)\n".utf8).write(to: URL(filePath: folder + "/t.vtt"))
        for _ in 0..<60 {
          var bytes = Array(whole.prefix(Int.random(in: 1...whole.count, using: &random)))
          for _ in 0..<Int.random(in: 0..<12, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
          }
          try Data(bytes).write(to: URL(filePath: folder + "/" + name))
          let reader = try TrackReader(path: folder + "/t.vtt")
          let refused = failure {
            let picture = try reader.picture(at: .zero)
            #expect(picture.map { $0.size.width <= 160 } ?? false)
          }
          #expect(refused.map { $0.description.contains(name) } ?? true, "seed \(random.seed)")
        }
      }
    }
  }

  @Test func tracksWithoutCuesAreRefused() throws {
    try TestFolders.withTemporary { folder in
      let path = folder + "/t.vtt"
      try Data("WEBVTT\n\n00:00.000 --> nonsense\na.jpg\n".utf8).write(to: URL(filePath: path))
      let refused = failure { _ = try TrackReader(path: path) }
      #expect(refused?.cause == "it has no thumbnails (line 3: its times are malformed)")
      #expect(failure { _ = try TrackReader(path: folder + "/missing.vtt") }?.cause.contains("no such file") ?? false)
    }
  }
}
