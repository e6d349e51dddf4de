internal import CAss
import Frames
import Glibc

/// Lays out text and rasterises it with libass and fontconfig's fonts, with font fallback and bidirectional layout.
///
/// One thread at a time. The first text searches the fonts, which can take tens of milliseconds.
public final class TextRenderer {
  private let library: OpaquePointer
  private let renderer: OpaquePointer
  private let track: UnsafeMutablePointer<ASS_Track>

  /// Texts are clipped to this size; pixels.
  static let size = (width: 4096, height: 2160)
  /// How far letters may extend beyond their box on the left and above; pixels.
  private static let margin = 64
  /// Limits of libass's glyph cache: glyphs, and MiB of bitmaps.
  private static let kept = (letters: Int32(2000), pictures: Int32(16))

  public init() throws(Failure) {
    guard let library = ass_library_init() else { throw Self.failure("libass does not start") }
    bench_ass_silence(library)
    guard let renderer = ass_renderer_init(library) else {
      ass_library_done(library)
      throw Self.failure("libass does not start")
    }
    guard let track = ass_new_track(library) else {
      ass_renderer_done(renderer)
      ass_library_done(library)
      throw Self.failure("libass is out of memory")
    }
    (self.library, self.renderer, self.track) = (library, renderer, track)
    ass_set_fonts(renderer, nil, "sans-serif", Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 0)
    ass_set_frame_size(renderer, Int32(Self.size.width), Int32(Self.size.height))
    ass_set_cache_limits(renderer, Self.kept.letters, Self.kept.pictures)
    (track.pointee.PlayResX, track.pointee.PlayResY) = (Int32(Self.size.width), Int32(Self.size.height))
    track.pointee.WrapStyle = 2
    track.pointee.Kerning = 1
    bench_ass_lay_out_whole_texts(track)
  }

  deinit {
    ass_free_track(track)
    ass_renderer_done(renderer)
    ass_library_done(library)
  }

  private static func failure(_ cause: String) -> Failure { Failure(.failed, "cannot draw text", cause: cause) }

  /// The text's ink; nil where there is none. Lines break at newlines only, and ASS commands in it are shown literally.
  ///
  /// - Parameter alignment: of its lines among themselves.
  public func render(_ text: String, _ style: TextStyle, alignment: TextAlignment = .left) -> TextPicture? {
    guard style.isDrawable else { return nil }
    ass_flush_events(track)
    let (escaped, lineCount) = TextScript.of(text)
    let (styleIndex, eventIndex) = (add(style, alignment), ass_alloc_event(track))
    guard eventIndex >= 0, let events = track.pointee.events else { return nil }
    let event = events + Int(eventIndex)
    event.pointee.Start = 0
    event.pointee.Duration = 1000
    event.pointee.Style = styleIndex
    event.pointee.Text = strdup(escaped)
    let height = Int((style.height * Double(lineCount)).rounded(.up))
    return Self.picture(ass_render_frame(renderer, track, 0, nil), height: height)
  }

  /// Replaces the track's styles by this one.
  private func add(_ style: TextStyle, _ alignment: TextAlignment) -> Int32 {
    for index in 0..<Int(track.pointee.n_styles) { ass_free_style(track, Int32(index)) }
    track.pointee.n_styles = 0
    let index = ass_alloc_style(track)
    guard index >= 0, let styles = track.pointee.styles else { return 0 }
    let made = styles + Int(index)
    made.pointee.Name = strdup("text")
    made.pointee.FontName = strdup(style.isMonospaced ? "monospace" : "sans-serif")
    made.pointee.FontSize = style.height
    made.pointee.Bold = style.isBold ? 1 : 0
    (made.pointee.ScaleX, made.pointee.ScaleY) = (1, 1)
    made.pointee.BorderStyle = 1
    made.pointee.Alignment = VALIGN_TOP | HALIGN_LEFT
    made.pointee.Justify =
      switch alignment {
      case .left: ASS_JUSTIFY_LEFT
      case .center: ASS_JUSTIFY_CENTER
      case .right: ASS_JUSTIFY_RIGHT
      }
    (made.pointee.MarginL, made.pointee.MarginV) = (Int32(Self.margin), Int32(Self.margin))
    // A text runs the way of its first letter that has one.
    made.pointee.Encoding = -1
    return index
  }

  /// All glyph bitmaps as one, without the padding that libass leaves around them.
  private static func picture(_ images: UnsafeMutablePointer<ASS_Image>?, height: Int) -> TextPicture? {
    var ink: Ink?
    forEachInked(images) { column, row, _ in ink = Ink(ink, column, row) }
    guard let ink else { return nil }
    let (width, rows) = (ink.columns.count, ink.rows.count)
    var coverage = Coverage(width: width, height: rows, bytes: [UInt8](repeating: 0, count: width * rows))
    forEachInked(images) { column, row, value in
      coverage.cover(column - ink.columns.lowerBound, row - ink.rows.lowerBound, with: value)
    }
    return TextPicture(
      coverage: coverage, left: ink.columns.lowerBound - margin, top: ink.rows.lowerBound - margin,
      width: max(0, ink.columns.upperBound + 1 - margin), height: height)
  }

  /// Calls `body` with column, row and coverage of every covered pixel; several glyphs may cover the same pixel.
  private static func forEachInked(
    _ images: UnsafeMutablePointer<ASS_Image>?, _ body: (_ column: Int, _ row: Int, _ value: UInt8) -> Void
  ) {
    var next = images
    while let image = next?.pointee {
      next = image.next
      guard image.w > 0, image.h > 0, let bitmap = image.bitmap else { continue }
      for row in 0..<Int(image.h) {
        for column in 0..<Int(image.w) {
          let value = bitmap[row * Int(image.stride) + column]
          if value > 0 { body(Int(image.dst_x) + column, Int(image.dst_y) + row, value) }
        }
      }
    }
  }
}

/// The bounds of the inked pixels.
private struct Ink {
  var columns: ClosedRange<Int>
  var rows: ClosedRange<Int>

  /// The bounds with one more pixel.
  init(_ ink: Ink?, _ column: Int, _ row: Int) {
    guard let ink else { (columns, rows) = (column...column, row...row); return }
    columns = ClosedRange(from: min(ink.columns.lowerBound, column), through: max(ink.columns.upperBound, column))
    rows = ClosedRange(from: min(ink.rows.lowerBound, row), through: max(ink.rows.upperBound, row))
  }
}
