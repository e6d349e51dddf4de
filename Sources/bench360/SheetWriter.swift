import Decode
import Encode
import Frames

/// Thumbnails in the order of their times, and the images and the track that come of them.
struct SheetWriter: ~Copyable {
  /// Longer sides are no JPEGs and no textures.
  static let sideLimit = 16384

  private let output: String
  private let columns: Int
  private let rows: Int
  private let format: ThumbnailFormat
  private let writing: WritingOptions
  private var files = FileGroup()
  private var sheet: SpriteSheet?
  private var sheets = 0
  private var sizes: [PictureSize] = []
  private var cues: [ThumbnailTrack.Cue] = []
  /// Of the last thumbnail; nil where nobody knows its place.
  private var last: (place: MediaTime?, time: MediaTime)?
  private(set) var thumbnails = 0

  init(output: String, columns: Int, rows: Int, format: ThumbnailFormat, writing: WritingOptions) {
    (self.output, self.columns, self.rows, self.format) = (output, columns, rows, format)
    self.writing = writing
  }

  /// Throws where a file of another kind is in the place of an image that there will be, as far as that is known before
  /// anything is decoded; the others are checked before they are made. No file has its name by then.
  func checkImages(ofThumbnails count: Int) throws(Failure) {
    for number in 1...max(1, (count + columns * rows - 1) / (columns * rows)) {
      try writing.check(path(of: number), format.kind)
    }
  }

  /// `104 thumbnails of 160x80 in 2 images`.
  var summary: String {
    let count = sheets + (sheet == nil ? 0 : 1)
    return "\(thumbnails) thumbnail\(thumbnails == 1 ? "" : "s") of "
      + sizes.map(\.description).joined(separator: " and ") + " in \(count) image\(count == 1 ? "" : "s")"
  }

  /// One more stretch of time; the picture is asked for where it is not the last one's.
  mutating func add(
    at start: MediaTime, until end: MediaTime, place: MediaTime?, picture: () throws(Failure) -> SmallPicture?
  ) throws(Failure) {
    if let place, last?.place == place { return goOn(until: end) }
    guard let picture = try picture() else { return }
    if last?.time == picture.time { return goOn(until: end) }
    last = (place, picture.time)
    let cell = picture.size
    if sheet.map({ $0.isFull || $0.cell != cell }) ?? false { try flush() }
    if !sizes.contains(cell) { sizes.append(cell) }
    // A clip may have pictures of several sizes: an image has those of one.
    var target =
      sheet
      ?? SpriteSheet(
        cell: cell, columns: min(columns, max(1, Self.sideLimit / cell.width)),
        rows: min(rows, max(1, Self.sideLimit / cell.height)))
    let (column, row) = target.add(picture)
    sheet = target
    thumbnails += 1
    let name = path(of: sheets + 1).split(separator: "/").last.map(String.init) ?? ""
    cues.append(
      ThumbnailTrack.Cue(
        start: start, end: end, image: imageReference(toFile: name),
        region: .pixels(x: column, y: row, width: cell.width, height: cell.height)))
  }

  /// Writes what is left, then gives all files their names, the track's last.
  consuming func finish() throws {
    try flush()
    try files.add(Array(ThumbnailTrack(cues).text.utf8), as: output)
    try files.finish()
  }

  private mutating func goOn(until end: MediaTime) {
    cues[cues.count - 1].end = end
  }

  private func path(of number: Int) -> String { "\(output.dropLast(4))-\(number).\(format.suffix)" }

  private mutating func flush() throws(Failure) {
    guard let picture = sheet?.picture else { return }
    sheets += 1
    sheet = nil
    try writing.check(path(of: sheets), format.kind)
    do {
      let bytes =
        switch format {
        case .jpeg: try encodeJPEG(rgba: picture.rgba, size: picture.size)
        case .png: try encodePNG(rgba: picture.rgba, size: picture.size)
        }
      try files.add(bytes, as: path(of: sheets))
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.failed, "cannot write '\(path(of: sheets))'", cause: "\(error)")
    }
  }
}
