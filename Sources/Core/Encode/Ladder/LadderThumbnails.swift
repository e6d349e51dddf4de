import Frames
import TestPicture

/// Small pictures of the scene on sheets: images of a DASH thumbnail set, and a WebVTT track of their regions.
struct LadderThumbnails {
  static let (columns, rows) = (5, 4)
  static let folder = "thumbnails"
  static let track = "\(folder)/thumbnails.vtt"

  let size: PictureSize
  private let specification: LadderSpecification
  private let scene: SyntheticScene

  init(_ specification: LadderSpecification) throws {
    var picture = specification.clip.scene
    size =
      picture.projection == .flat ? PictureSize(width: 160, height: 90) : PictureSize(width: 320, height: 160)
    picture.size = size
    (picture.stereo, picture.noise, picture.rung) = (.mono, 0, nil)
    (picture.bitDepth, picture.chroma, picture.matrix, picture.range) = (8, .yuv444, .bt601, .full)
    self.specification = specification
    scene = try SyntheticScene(picture)
  }

  /// At least one.
  var count: Int { max(1, Int((specification.duration / specification.thumbnailSeconds).rounded(.up))) }
  /// Seconds that an image covers.
  var imageSeconds: Double { specification.thumbnailSeconds * Double(Self.columns * Self.rows) }
  var imageCount: Int { (count + Self.columns * Self.rows - 1) / (Self.columns * Self.rows) }

  static func image(_ number: Int) -> String { "\(folder)/\(numbered(number)).jpg" }

  /// A JPEG of all columns and rows; those behind the last thumbnail are black.
  func jpeg(ofImage number: Int) throws -> [UInt8] {
    var sheet = SpriteSheet(cell: size, columns: Self.columns, rows: Self.rows)
    while !sheet.isFull {
      let index = number * Self.columns * Self.rows + sheet.count
      sheet.add(index < count ? picture(index) : black)
    }
    let picture = sheet.picture
    return try encodeJPEG(rgba: picture.rgba, size: picture.size)
  }

  /// Paths of images are relative to the track.
  var trackText: String {
    let cues = (0..<count).map { index in
      let start = Double(index) * specification.thumbnailSeconds
      let end = min(start + specification.thumbnailSeconds, specification.duration)
      let cell = index % (Self.columns * Self.rows)
      let place = "\(cell % Self.columns * size.width),\(cell / Self.columns * size.height)"
      return """
        \(LadderSubtitles.clock(start)) --> \(LadderSubtitles.clock(end))
        \(numbered(index / (Self.columns * Self.rows))).jpg#xywh=\(place),\(size.width),\(size.height)


        """
    }
    return "WEBVTT\n\n" + cues.joined()
  }

  /// The frame that is shown when the thumbnail's time begins.
  private func picture(_ index: Int) -> SmallPicture {
    let start = Double(index) * specification.thumbnailSeconds
    let frame = min(Int((start * (specification.clip.rate.value ?? 1)).rounded(.up)), specification.clip.frames - 1)
    let planes = (0..<3).map { _ in HostMemory(byteCount: size.width * size.height) }
    scene.draw(
      frame: frame,
      into: PlaneList(
        planes.map {
          HostPlane(base: $0.base, bytesPerRow: size.width, rowBytes: size.width, rows: size.height)
        }))
    let samples = planes.map { plane in
      (0..<size.width * size.height).map { Double(plane.base.load(fromByteOffset: $0, as: UInt8.self)) }
    }
    var rgba: [UInt8] = []
    rgba.reserveCapacity(size.width * size.height * 4)
    for index in samples[0].indices {
      // JFIF: BT.601 in full range.
      let (y, blue, red) = (samples[0][index], samples[1][index] - 128, samples[2][index] - 128)
      for value in [y + 1.402 * red, y - 0.344136 * blue - 0.714136 * red, y + 1.772 * blue, 255] {
        rgba.append(UInt8(min(max(value.rounded(), 0), 255)))
      }
    }
    return SmallPicture(rgba: rgba, size: size, time: MediaTime(seconds: start))
  }

  private var black: SmallPicture {
    SmallPicture(
      rgba: (0..<size.width * size.height).flatMap { _ in [0, 0, 0, 255] as [UInt8] }, size: size, time: .zero)
  }
}

/// `00012`, as `$Number%05d$` writes it.
func numbered(_ number: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, 5 - text.count)) + text
}
