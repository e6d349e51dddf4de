import Frames
import Support
import Testing

@Suite struct PictureTests {
  @Test func sizesAreParsed() {
    #expect(PictureSize("1280x720") == PictureSize(width: 1280, height: 720))
    #expect(PictureSize("1x65536") == PictureSize(width: 1, height: 65536))
    #expect(PictureSize(PictureSize(width: 3840, height: 1920).description)?.width == 3840)
  }

  @Test(arguments: [
    "", "x", "1280", "1280x", "x720", "1280x720x1", "0x720", "1280x0", "-1x5", "65537x1", "1280 x 720", "1280X720",
    "12.5x7", "99999999999999999999x1", "1280×720",
  ])
  func otherTextIsNoSize(text: String) {
    #expect(PictureSize(text) == nil)
  }

  @Test func chromaOfOddPicturesRoundsUp() {
    let sizes: [(PictureSize, PictureSize)] = [
      (PictureSize(width: 161, height: 121), PictureSize(width: 81, height: 61)),
      (PictureSize(width: 160, height: 90), PictureSize(width: 80, height: 45)),
      (PictureSize(width: 1, height: 1), PictureSize(width: 1, height: 1)),
    ]
    for (picture, chroma) in sizes {
      for format in PictureFormat.all {
        #expect(format.planes[0].size(of: picture) == picture)
        let expected = PictureSize(
          width: format.name.contains("444") ? picture.width : chroma.width,
          height: format.isSubsampledBothWays ? chroma.height : picture.height)
        #expect(format.planes.dropFirst().allSatisfy { $0.size(of: picture) == expected })
      }
    }
  }

  @Test func formatsAreFoundByName() {
    for format in PictureFormat.all { #expect(PictureFormat.named(format.name) == format) }
    #expect(PictureFormat.named("yuv440p") == nil && Set(PictureFormat.all.map(\.name)).count == 15)
    let names = ["yuv420p10le", "yuv422p", "yuv444p12le", "p010le", "gray", "gray12le"]
    for name in names { #expect(PictureFormat.named(name) != nil, "\(name)") }
    #expect(PictureFormat.nv12.isChromaInterleaved && !PictureFormat.yuv420p.isChromaInterleaved)
    #expect(PictureFormat.nv12.planes[1].bytesPerTexel == 2)
    // Samples of 10 bits in the low bits of two bytes, and in the high ones.
    #expect(PictureFormat.planar(.both, bitDepth: 10).fullScale == 1023.0 / 65535)
    #expect(PictureFormat.named("p010le")?.fullScale == 65472.0 / 65535 && PictureFormat.yuv420p.fullScale == 1)
  }

  @Test func ownPicturesAreZeroedAndAligned() {
    let picture = HostPicture(format: .yuv420p, size: PictureSize(width: 161, height: 121))
    #expect(picture.planes.map(\.rowBytes) == [161, 81, 81] && picture.planes.map(\.rows) == [121, 61, 61])
    for plane in picture.planes {
      #expect(UInt(bitPattern: plane.base) % 64 == 0 && plane.bytesPerRow % 64 == 0)
      #expect(plane.packedBytes().allSatisfy { $0 == 0 } && plane.packedBytes().count == plane.rowBytes * plane.rows)
    }
    // Planes do not overlap.
    for (upper, lower) in zip(picture.planes, picture.planes.dropFirst()) {
      #expect(upper.base + upper.bytesPerRow * upper.rows <= lower.base)
    }
  }

  @Test func untaggedVideoIsGuessedBySize() {
    let guesses: [(Int, Int, ColorDescription.Matrix)] = [
      (720, 576, .bt601), (1279, 576, .bt601), (1280, 576, .bt709), (1280, 1, .bt709), (720, 577, .bt709),
      (3840, 1920, .bt709), (16, 16, .bt601),
    ]
    for (width, height, matrix) in guesses {
      #expect(ColorDescription.guessedMatrix(for: PictureSize(width: width, height: height)) == matrix)
    }
  }

  @Test func failuresAreSentences() {
    let whole = Failure(
      .media, "cannot open 'x.mp4'", cause: "moov atom not found", remedy: "the file is truncated or not an MP4")
    #expect(whole.description == "cannot open 'x.mp4': moov atom not found — the file is truncated or not an MP4")
    #expect(
      Failure(.input, "cannot open 'x'", cause: "it is a folder").description == "cannot open 'x': it is a folder")
    #expect("\(whole)" == whole.description)
  }

  @Test func framesContainTheirIntervalOnly() {
    let picture = HostPicture(format: .yuv420p, size: PictureSize(width: 2, height: 2))
    let frame = VideoFrame(
      index: 0, presentationTime: MediaTime(nanoseconds: 100), duration: MediaTime(nanoseconds: 10), format: .yuv420p,
      size: PictureSize(width: 2, height: 2), color: ColorDescription(matrix: .bt709, range: .limited),
      picture: picture)
    let inside = [99, 100, 109, 110].map { frame.contains(MediaTime(nanoseconds: $0)) }
    #expect(inside == [false, true, true, false])
  }
}
