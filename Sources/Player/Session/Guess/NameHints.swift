import Frames
import Media
import Render

/// What a file's name says of a sphere and of two eyes: `360`, `VR180`, `_TB`, `_LR`. Pure.
struct NameHints: Sendable, Hashable {
  /// `equirectangular` or `half-equirectangular`; nil: the name does not say.
  var projection: Projection?
  var stereo: StereoLayout?
  /// The words that say so, in lower case.
  var words: [String] = []

  /// - Parameters:
  ///   - path: a path or URL; its last component counts.
  ///   - size: of the clip's picture: `360` may be the number of its rows.
  init(_ path: String, size: PictureSize) {
    let name = (path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) ?? "")
      .withoutPercentEncoding.lowercased()
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
    let words = stem.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    for (place, word) in words.enumerated() {
      // `TB`, `top-bottom`, `side-by-side`.
      let joined = (0..<3).compactMap { place >= $0 ? words[Range(from: place - $0, to: place + 1)].joined() : nil }
      if let stereo = joined.lazy.compactMap({ Self.layouts[$0] }).first { note(stereo, word) }
      let isSize = [place - 1, place + 1].contains { words.indices.contains($0) && Self.isLength(words[$0]) }
      let isTurn = place > 0 && words[place - 1].hasPrefix("rot")
      if !isSize, !isTurn { read(number: word, size) }
    }
  }

  private mutating func note(_ stereo: StereoLayout, _ word: String) {
    self.stereo = self.stereo ?? stereo
    words.append(word)
  }

  /// `360`, `vr180`, `360tb`: a number of degrees with letters before or behind it, which may name a layout.
  private mutating func read(number word: String, _ size: PictureSize) {
    if Self.spheres.contains(word) {
      projection = projection ?? .equirectangular
      return words.append(word)
    }
    for (degrees, projection) in [("360", Projection.equirectangular), ("180", .halfEquirectangular)] {
      guard let place = word.firstRange(of: degrees), let pixels = Int(degrees) else { continue }
      let (before, after) = (String(word[..<place.lowerBound]), String(word[place.upperBound...]))
      let isPictureSize = (before + after).isEmpty && [size.width, size.height].contains(pixels)
      guard !isPictureSize, Self.prefixes.contains(before), Self.suffixes.contains(after) else { continue }
      self.projection = self.projection ?? projection
      words.append(word)
      for part in [before, after] { if let stereo = Self.layouts[part] { self.stereo = self.stereo ?? stereo } }
    }
  }

  private static let spheres: Set = ["equirect", "equirectangular", "erp", "spherical", "photosphere", "insta360"]
  private static let layouts: [String: StereoLayout] = [
    "tb": .topBottom, "ou": .topBottom, "topbottom": .topBottom, "overunder": .topBottom, "3dv": .topBottom,
    "sbs": .sideBySide, "lr": .sideBySide, "sidebyside": .sideBySide, "leftright": .sideBySide, "3dh": .sideBySide,
    "mono": .mono,
  ]
  private static let prefixes = Set(["", "vr", "video", "stereo", "3d", "pano"]).union(layouts.keys)
  private static let suffixes = Set(["", "vr", "video", "stereo", "3d", "deg", "x180"]).union(layouts.keys)

  /// `640` of `clip-640-360.mp4`.
  private static func isLength(_ word: String) -> Bool {
    (3...4).contains(word.count) && word != "360" && word != "180" && word.allSatisfy(\.isNumber)
  }
}
