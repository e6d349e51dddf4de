import Decode
import Encode
import Frames

/// Takes thumbnails in the order of their times, and writes the sheets and the track.
struct SheetWriter: ~Copyable {
  /// Limit of JPEG and of textures.
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
  /// Of the last thumbnail; place is nil if unknown.
  private var last: (place: MediaTime?, time: MediaTime)?
  private(set) var thumbnails = 0

  init(output: String, columns: Int, rows: Int, format: ThumbnailFormat, writing: WritingOptions) {
    (self.output, self.columns, self.rows, self.format) = (output, columns, rows, format)
    self.writing = writing
  }

  /// Throws if an existing file in the place of an image is of another kind, as far as image names are known before
  /// decoding; later ones are checked before they are made. No file has its final name by then.
  func checkImages(ofThumbnails count: Int) throws(Failure) {
    for number in Range(from: 1, to: max(1, (count + columns * rows - 1) / (columns * rows)) + 1) {
      try writing.check(path(of: number), format.kind)
    }
  }

  /// `104 thumbnails of 160x80 in 2 images`.
  var summary: String {
    let count = sheets + (sheet == nil ? 0 : 1)
    return "\(thumbnails) thumbnail\(thumbnails == 1 ? "" : "s") of "
      + sizes.map(\.description).joined(separator: " and ") + " in \(count) image\(count == 1 ? "" : "s")"
  }

  /// Adds a stretch of time; calls for the picture only if it differs from the last one.
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
    // Pictures of a clip may differ in size: each sheet has a single size.
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

  /// Writes the last sheet, then renames all files to their final names, the track's last.
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
