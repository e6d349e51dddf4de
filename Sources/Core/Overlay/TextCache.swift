/// A cache of laid-out texts, limited in bytes of ink; the least recently used are removed first.
///
/// One thread at a time.
public final class TextCache {
  public let byteLimit: Int
  /// Bytes of ink in the cache.
  public private(set) var byteCount = 0
  /// Number of texts that were laid out because they were not in the cache.
  public private(set) var misses = 0
  private let renderer: TextRenderer
  private var entries: [Key: Entry] = [:]
  private var uses = 0

  private struct Key: Hashable {
    var text: String
    var style: TextStyle
    var alignment: TextAlignment

    /// Compares scalars: canonically equal strings, such as é composed and decomposed, may be drawn differently.
    static func == (one: Key, other: Key) -> Bool {
      one.style == other.style && one.alignment == other.alignment && one.text.utf8.elementsEqual(other.text.utf8)
    }
  }

  private struct Entry {
    /// Nil: the text has no ink.
    var picture: TextPicture?
    var lastUse: Int

    /// Entries without ink take memory too.
    var byteCount: Int { (picture?.coverage.bytes.count ?? 0) + 128 }
  }

  public init(renderer: TextRenderer, byteLimit: Int = 8 << 20) {
    self.renderer = renderer
    self.byteLimit = byteLimit
  }

  /// As `TextRenderer.render`.
  public func picture(_ text: String, _ style: TextStyle, alignment: TextAlignment = .left) -> TextPicture? {
    guard style.isDrawable else { return nil }
    uses += 1
    let key = Key(text: text, style: style, alignment: alignment)
    if let index = entries.index(forKey: key) {
      entries.values[index].lastUse = uses
      return entries.values[index].picture
    }
    misses += 1
    let entry = Entry(picture: renderer.render(text, style, alignment: alignment), lastUse: uses)
    makeRoom(for: entry.byteCount)
    entries[key] = entry
    byteCount += entry.byteCount
    return entry.picture
  }

  /// Whether a font has a letter: all letters without a font have the same picture.
  public func hasLetter(_ letter: Unicode.Scalar) -> Bool {
    let style = TextStyle(height: 16)
    return renderer.render(String(letter), style)?.coverage != picture("\u{10FFFD}", style)?.coverage
  }

  /// The size of a text's box in pixels: see `TextPicture`.
  public func measure(_ text: String, _ style: TextStyle) -> (width: Int, height: Int) {
    guard style.isDrawable else { return (0, 0) }
    let height = Int((style.height * Double(TextScript.of(text).lineCount)).rounded(.up))
    return (picture(text, style)?.width ?? 0, height)
  }

  /// Shrinks to three quarters at once, so that searching the oldest entries is rare.
  private func makeRoom(for count: Int) {
    guard byteCount + count > byteLimit else { return }
    for (key, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      guard byteCount + count > byteLimit * 3 / 4 else { return }
      entries[key] = nil
      byteCount -= entry.byteCount
    }
  }
}
