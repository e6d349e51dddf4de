/// Texts that were drawn before, up to so many bytes of ink; those not asked for the longest go first.
///
/// One thread at a time.
public final class TextCache {
  public let byteLimit: Int
  /// Of the ink that is held now.
  public private(set) var byteCount = 0
  /// How often a text had to be laid out.
  public private(set) var misses = 0
  private let renderer: TextRenderer
  private var entries: [Key: Entry] = [:]
  private var uses = 0

  private struct Key: Hashable {
    var text: String
    var style: TextStyle
    var alignment: TextAlignment

    /// Equal strings may be spelled differently, as é and e´ are, and fonts draw them so.
    static func == (one: Key, other: Key) -> Bool {
      one.style == other.style && one.alignment == other.alignment && one.text.utf8.elementsEqual(other.text.utf8)
    }
  }

  private struct Entry {
    /// Nil: nothing is inked.
    var picture: TextPicture?
    var lastUse: Int

    /// Texts without ink take room as well.
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

  /// The size of a text's box in pixels: see `TextPicture`.
  public func measure(_ text: String, _ style: TextStyle) -> (width: Int, height: Int) {
    guard style.isDrawable else { return (0, 0) }
    let height = Int((style.height * Double(TextScript.of(text).lineCount)).rounded(.up))
    return (picture(text, style)?.width ?? 0, height)
  }

  /// Down to three quarters at once, so that looking for the oldest is rare.
  private func makeRoom(for count: Int) {
    guard byteCount + count > byteLimit else { return }
    for (key, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      guard byteCount + count > byteLimit * 3 / 4 else { return }
      entries[key] = nil
      byteCount -= entry.byteCount
    }
  }
}
