internal import CAss
import Frames

/// Draws subtitles with libass: ASS files keep their fonts, colours and places; all other subtitles are white with a
/// dark outline at the bottom, each line 1/18 of the target's height.
///
/// While the visible lines do not change, they are neither laid out nor drawn again. Fonts come from fontconfig and
/// from the script; no command of a script reads a file.
///
/// One thread at a time. The first instance searches the fonts, which can take tens of milliseconds.
public final class SubtitleRenderer {
  /// How often libass was asked to draw.
  public private(set) var renders = 0
  /// Bytes of all bitmaps of the largest picture so far.
  package private(set) var largestPicture = 0
  private let library: OpaquePointer
  private let renderer: OpaquePointer
  private var track: UnsafeMutablePointer<ASS_Track>?
  private var script: SubtitleScript?
  private var hasFontsOfScript = false
  /// Events added to libass, which keeps a visible line in place when the line below it ends.
  private var added: Set<SubtitleEvent> = []
  private var last: (key: Key, picture: SubtitlePicture)?
  /// How many of these events fit into memory together.
  private var fitting: (events: [SubtitleEvent], size: PictureSize, count: Int)?

  /// The inputs of a picture.
  private struct Key: Equatable {
    var events: [SubtitleEvent]
    var size: PictureSize
    var bottom: Int
    var scale: Double
    /// Nil: no event is animated.
    var milliseconds: Int64?
  }

  /// Limits of libass's glyph cache: glyphs, and MiB of bitmaps.
  private static let kept = (letters: Int32(4000), pictures: Int32(32))
  /// Limit of events in libass; beyond it all that are not visible are removed.
  private static let addedLimit = 500
  /// Pixels either way: larger targets have no subtitles.
  private static let sizeLimit = 16384

  public init() throws(Failure) {
    guard let library = ass_library_init() else { throw Self.failure }
    bench_ass_silence(library)
    guard let renderer = ass_renderer_init(library) else {
      ass_library_done(library)
      throw Self.failure
    }
    (self.library, self.renderer) = (library, renderer)
    ass_set_extract_fonts(library, 0)
    ass_set_cache_limits(renderer, Self.kept.letters, Self.kept.pictures)
    findFonts()
  }

  deinit {
    if let track { ass_free_track(track) }
    ass_renderer_done(renderer)
    ass_library_done(library)
  }

  private static let failure = Failure(.failed, "cannot draw subtitles", cause: "libass does not start")

  private func findFonts() {
    ass_set_fonts(renderer, nil, "sans-serif", Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 0)
  }

  /// Sets the track that all following events belong to. Without effect for the current one.
  public func load(_ script: SubtitleScript) {
    guard script != self.script else { return }
    self.script = script
    if let track { ass_free_track(track) }
    (track, last, added, fitting) = (ass_new_track(library), nil, [], nil)
    if !script.fonts.isEmpty || hasFontsOfScript {
      ass_clear_fonts(library)
      for font in script.fonts {
        font.bytes.withUnsafeBytes { bytes in
          ass_add_font(library, font.name, bytes.bindMemory(to: CChar.self).baseAddress, Int32(clamping: bytes.count))
        }
      }
      hasFontsOfScript = !script.fonts.isEmpty
      findFonts()
    }
    guard let track else { return }
    var header = Array(script.header.utf8CString)
    ass_process_codec_private(track, &header, Int32(clamping: header.count - 1))
    ass_set_check_readorder(track, 0)
    if !script.isStyled { setPlainStyles(track) }
  }

  /// The picture of `events`, all visible at `time`.
  ///
  /// - Parameters:
  ///   - size: of the target, in pixels.
  ///   - bottom: height in pixels to keep free at the target's lower edge, for controls.
  ///   - scale: of letters, relative to the usual or the script's own size.
  public func picture(
    _ events: [SubtitleEvent], at time: MediaTime, size: PictureSize, bottom: Int = 0, scale: Double = 1
  ) -> SubtitlePicture {
    guard let track, !events.isEmpty, (1...Self.sizeLimit).contains(size.width),
      (1...Self.sizeLimit).contains(size.height)
    else { return SubtitlePicture() }
    let milliseconds = time.nanoseconds / 1_000_000
    let moves = events.contains(where: \.moves)
    let key = Key(events: events, size: size, bottom: bottom, scale: scale, milliseconds: moves ? milliseconds : nil)
    if let last, last.key == key { return last.picture }
    if last?.key.scale != scale { fitting = nil }
    setTarget(size, bottom: bottom, scale: scale)
    let (images, isChanged) = draw(events, at: time, size: size, on: track)
    // Unchanged, by libass: the last picture is still right.
    let picture = isChanged ? pieces(of: images) : last?.picture ?? pieces(of: images)
    last = (key, picture)
    return picture
  }

  /// Draws as many of the events as fit into memory: a few first, then as many more as their size allows.
  private func draw(
    _ events: [SubtitleEvent], at time: MediaTime, size: PictureSize, on track: UnsafeMutablePointer<ASS_Track>
  ) -> (images: UnsafeMutablePointer<ASS_Image>?, isChanged: Bool) {
    let isKnown = fitting.map { $0.events == events && $0.size == size } ?? false
    var count = isKnown ? fitting?.count ?? 1 : min(events.count, SubtitleLimits.first)
    var isChanged = false
    while true {
      add(Array(events.prefix(count)), at: time, to: track)
      var change: Int32 = 0
      renders += 1
      let images = ass_render_frame(renderer, track, time.nanoseconds / 1_000_000, &change)
      isChanged = isChanged || change != 0
      let bytes = Self.byteCount(of: images)
      largestPicture = max(largestPicture, bytes)
      let next = isKnown ? count : SubtitleLimits.next(count, of: events.count, bytes: bytes)
      guard next > count else {
        fitting = (events, size, count)
        return (images, isChanged)
      }
      count = next
    }
  }

  /// Size of all bitmaps; libass needs as much again while it draws.
  private static func byteCount(of images: UnsafeMutablePointer<ASS_Image>?) -> Int {
    var (sum, next) = (0, images)
    while let image = next?.pointee {
      sum = sum.addingSaturated(Int(image.stride).multipliedSaturated(by: Int(image.h)))
      next = image.next
    }
    return sum
  }

  private func setTarget(_ size: PictureSize, bottom: Int, scale: Double) {
    ass_set_frame_size(renderer, Int32(size.width), Int32(size.height))
    ass_set_storage_size(renderer, Int32(size.width), Int32(size.height))
    ass_set_pixel_aspect(renderer, 1)
    // A narrow target would have few words in a line.
    let narrow = min(1, Double(size.width) * 0.75 / Double(size.height))
    ass_set_font_scale(renderer, scale * (script?.isStyled ?? true ? 1 : max(narrow, 0.05)))
    // In percent of what lies between the lowest line and the top.
    let space = Double(size.height) * (1 - PlainStyle.margin)
    ass_set_line_position(renderer, min(max(100 * Double(bottom) / space, 0), 100))
  }

  private func add(_ events: [SubtitleEvent], at time: MediaTime, to track: UnsafeMutablePointer<ASS_Track>) {
    let hasOthers = added.contains { $0.start <= time && time < $0.end && !events.contains($0) }
    if hasOthers || added.count + events.count > Self.addedLimit {
      ass_flush_events(track)
      added = []
    }
    for event in events where added.insert(event).inserted {
      var line = Array(SubtitleLimits.calmed(event.line).utf8CString)
      let (start, end) = (event.start.nanoseconds / 1_000_000, event.end.nanoseconds / 1_000_000)
      ass_process_chunk(track, &line, Int32(clamping: line.count - 1), start, end - start)
    }
  }

  private func pieces(of images: UnsafeMutablePointer<ASS_Image>?) -> SubtitlePicture {
    var picture = SubtitlePicture()
    var next = images
    while let image = next?.pointee {
      next = image.next
      let color = Canvas.Color(libass: image.color)
      guard image.w > 0, image.h > 0, color.alpha > 0, let bitmap = image.bitmap else { continue }
      let width = Int(image.w)
      picture.add(
        left: Int(image.dst_x), top: Int(image.dst_y), width: width, height: Int(image.h), color: color
      ) { row in UnsafeBufferPointer(start: bitmap + row * Int(image.stride), count: width) }
    }
    return picture
  }
}

extension Canvas.Color {
  /// libass's colour: red, green, blue and transparency (not opacity) from the highest byte down.
  fileprivate init(libass color: UInt32) {
    func part(_ shift: UInt32) -> Double { Double(color >> shift & 0xFF) / 255 }
    self.init(part(24), part(16), part(8), alpha: 1 - part(0))
  }
}

extension SubtitleEvent {
  /// The event may be animated; some static events are counted as animated.
  fileprivate var moves: Bool {
    !effect.isEmpty || ["\\t", "\\move", "\\fad", "\\k", "\\K"].contains { line.contains($0) }
  }
}

/// The look of subtitles whose format has no styles.
private enum PlainStyle {
  /// Fractions of the target's height.
  static let letters = 1.0 / 18
  static let margin = 1.0 / 22
}

/// Replaces the header's styles, which are libavcodec's placeholders.
private func setPlainStyles(_ track: UnsafeMutablePointer<ASS_Track>) {
  bench_ass_lay_out_whole_texts(track)
  track.pointee.ScaledBorderAndShadow = 1
  track.pointee.WrapStyle = 0
  let height = Double(max(track.pointee.PlayResY, 1))
  let width = Double(max(track.pointee.PlayResX, 1))
  for index in 0..<Int(track.pointee.n_styles) {
    guard let styles = track.pointee.styles else { return }
    let style = styles + index
    bench_ass_set_font(style, "sans-serif")
    style.pointee.FontSize = height * PlainStyle.letters
    (style.pointee.ScaleX, style.pointee.ScaleY) = (1, 1)
    (style.pointee.Spacing, style.pointee.Angle) = (0, 0)
    (style.pointee.PrimaryColour, style.pointee.SecondaryColour) = (0xFFFF_FF00, 0xFFFF_FF00)
    // Dark, and the shadow half transparent.
    (style.pointee.OutlineColour, style.pointee.BackColour) = (0x1010_1018, 0x0000_0080)
    style.pointee.BorderStyle = 1
    style.pointee.Outline = height * PlainStyle.letters / 14
    style.pointee.Shadow = height * PlainStyle.letters / 28
    style.pointee.Blur = 0.4
    (style.pointee.Bold, style.pointee.Italic, style.pointee.Underline, style.pointee.StrikeOut) = (0, 0, 0, 0)
    style.pointee.Alignment = VALIGN_SUB | HALIGN_CENTER
    (style.pointee.MarginL, style.pointee.MarginR) = (Int32(width / 16), Int32(width / 16))
    style.pointee.MarginV = Int32((height * PlainStyle.margin).rounded())
    // A text runs the way of its first letter that has one.
    style.pointee.Encoding = -1
  }
}
