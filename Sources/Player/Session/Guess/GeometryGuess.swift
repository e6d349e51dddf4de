import Frames
import Media
import Render

/// What an untagged picture probably is, and why. A value that follows from `GuessFacts` alone.
public struct GeometryGuess: Sendable, Hashable, Codable {
  /// How much it takes for granted.
  public enum Certainty: String, Sendable, Codable {
    /// Offered, not shown by itself.
    case possible
    /// The viewer shows it so.
    case likely
  }

  /// What speaks for it.
  public enum Reason: Sendable, Hashable, Codable {
    /// Words of the file's name.
    case name([String])
    /// Width and height of the picture as small whole numbers.
    case shape(width: Int, height: Int)
    /// Edges meet and poles are stretched; of two eyes, they are alike.
    case pixels
    /// Neither for nor against it: its pictures are too plain, or were not looked at.
    case pixelsTellNothing
  }

  public var projection: Projection
  public var stereo: StereoLayout
  public var certainty: Certainty
  public var reasons: [Reason]

  public init(projection: Projection, stereo: StereoLayout, certainty: Certainty, reasons: [Reason]) {
    (self.projection, self.stereo, self.certainty, self.reasons) = (projection, stereo, certainty, reasons)
  }

  public var isLikely: Bool { certainty == .likely }

  /// `360° with two eyes, top-bottom`.
  public var title: String {
    let sphere = projection == .halfEquirectangular ? "180°" : "360°"
    return switch stereo {
    case .mono: sphere
    case .topBottom: sphere + " for two eyes, top-bottom"
    case .sideBySide: sphere + " for two eyes, side by side"
    }
  }

  /// `looks like 360°`.
  public var claim: String { "\(isLikely ? "looks like" : "may be") \(title)" }

  /// `looks like 360° (2:1, …)`.
  public var sentence: String { "\(claim) (\(explanation))" }

  /// `2:1, edges meet, poles are stretched`.
  public var explanation: String { reasons.map(\.text).joined(separator: ", ") }
}

extension GeometryGuess.Reason {
  public var text: String {
    switch self {
    case .name(let words): "named " + words.map { "'\($0)'" }.joined(separator: ", ")
    case .shape(let width, let height): "\(width):\(height)"
    case .pixels: "edges meet, poles are stretched"
    case .pixelsTellNothing: "its pixels do not tell"
    }
  }
}

/// What a guess is made of.
public struct GuessFacts: Sendable, Hashable {
  /// A path or URL.
  public var name: String
  /// Of the coded picture, both eyes.
  public var size: PictureSize
  /// Width of a sample over its height.
  public var sampleAspect: Double
  /// Of pictures spread over the clip, by how their eyes may be arranged; empty: it was not looked at.
  public var pixels: [StereoLayout: [PixelFigures]]

  public init(
    name: String, size: PictureSize, sampleAspect: Double = 1, pixels: [StereoLayout: [PixelFigures]] = [:]
  ) {
    (self.name, self.size, self.sampleAspect, self.pixels) = (name, size, sampleAspect, pixels)
  }

  /// Nil where the file itself tells what it is, or how it is turned.
  public init?(_ info: MediaInfo) {
    let video = info.video
    guard video.spherical == nil, video.stereo == nil, video.rotation == 0, !video.isMirrored, !video.isEncrypted,
      video.size.width > 0, video.size.height > 0
    else { return nil }
    self.init(name: info.path, size: video.size, sampleAspect: video.sampleAspect.value ?? 1)
  }
}

// The decision.
extension GuessFacts {
  /// Pictures of spheres that are narrower are named so, or offered only.
  static let leastWidth = 1920

  /// One way to read the picture.
  struct Candidate: Hashable {
    var projection: Projection
    var stereo: StereoLayout
  }

  /// Nil: it is flat.
  public func guess() -> GeometryGuess? {
    let hints = NameHints(name, size: size)
    let judged = candidates(hints).map { (candidate: $0, verdict: verdict(on: $0)) }
    let fitting = judged.first { $0.verdict == .fits }
    // Where pictures speak against the reading of that shape, nothing is left to offer.
    let plain = judged.first { $0.verdict == .tellsNothing && shape(of: $0.candidate) != nil }
    guard let found = fitting ?? plain else { return nil }
    let isFitting = found.verdict == .fits
    let isNamed = hints.projection != nil
    let proportions = shape(of: found.candidate)
    let isWide = size.width >= Self.leastWidth
    let isHalf = found.candidate.projection == .halfEquirectangular
    let isMono = found.candidate.stereo == .mono
    // Of half a sphere for one eye the pixels tell next to nothing, and of two eyes nothing where they are plain.
    let isCredible = isFitting ? !(isHalf && isMono) : isWide && proportions != nil && isMono && !isHalf
    guard isCredible || isNamed && (isFitting || isWide && proportions != nil) else { return nil }
    // A half's own signs are few: films of two eyes have some of them.
    let hasShape = proportions != nil || isSquashed(found.candidate)
    let needsName = !isFitting || isHalf || !hasShape || !isWide
    var reasons: [GeometryGuess.Reason] = []
    if !hints.words.isEmpty { reasons.append(.name(hints.words)) }
    if let proportions { reasons.append(.shape(width: proportions.width, height: proportions.height)) }
    reasons.append(isFitting ? .pixels : .pixelsTellNothing)
    return GeometryGuess(
      projection: found.candidate.projection, stereo: found.candidate.stereo,
      certainty: needsName && !isNamed ? .possible : .likely, reasons: reasons)
  }

  /// Whether name or shape speak for a sphere.
  package var isCandidate: Bool { !layouts.isEmpty }

  /// Layouts that pictures are to be looked at for.
  var layouts: [StereoLayout] {
    var layouts: [StereoLayout] = []
    for candidate in candidates(NameHints(name, size: size)) where !layouts.contains(candidate.stereo) {
      layouts.append(candidate.stereo)
    }
    return layouts
  }

  /// Readings that shape and name allow, those of two eyes first: each half of such a picture passes for a sphere too.
  private func candidates(_ hints: NameHints) -> [Candidate] {
    let whole = [StereoLayout.topBottom, .sideBySide, .mono].map { Candidate(projection: .equirectangular, stereo: $0) }
    let half = [StereoLayout.sideBySide, .topBottom, .mono].map {
      Candidate(projection: .halfEquirectangular, stereo: $0)
    }
    let all = hints.projection == .halfEquirectangular ? half : hints.projection == nil ? whole + half : whole
    return all.filter { candidate in
      if let stereo = hints.stereo, stereo != candidate.stereo { return false }
      return shape(of: candidate) != nil || hints.projection != nil && isLandscape || isSquashed(candidate)
    }
  }

  private var isLandscape: Bool { size.width > size.height }

  /// Two eyes in a picture of 2:1, each with half of its rows or columns.
  private func isSquashed(_ candidate: Candidate) -> Bool {
    candidate.projection == .equirectangular && candidate.stereo != .mono && ratio(is: 2)
  }

  /// The picture's proportions, where they are those of the candidate, coded or shown.
  private func shape(of candidate: Candidate) -> (width: Int, height: Int)? {
    let proportions: (Int, Int) =
      switch (candidate.projection, candidate.stereo) {
      case (.halfEquirectangular, .mono): (1, 1)
      case (.halfEquirectangular, .sideBySide): (2, 1)
      case (.halfEquirectangular, .topBottom): (1, 2)
      case (_, .mono): (2, 1)
      case (_, .sideBySide): (4, 1)
      case (_, .topBottom): (1, 1)
      }
    return ratio(is: Double(proportions.0) / Double(proportions.1)) ? proportions : nil
  }

  /// Within a hundredth: sizes are rounded to whole blocks.
  private func ratio(is wanted: Double) -> Bool {
    let coded = Double(size.width) / Double(max(1, size.height))
    return [coded, coded * sampleAspect].contains { abs($0 / wanted - 1) <= 0.01 }
  }

  enum Verdict: Hashable {
    case fits, tellsNothing, contradicts
  }

  /// What pictures say of a candidate: one that contradicts outweighs the others.
  func verdict(on candidate: Candidate) -> Verdict {
    let verdicts = (pixels[candidate.stereo] ?? []).map { $0.verdict(on: candidate) }
    if verdicts.contains(.contradicts) { return .contradicts }
    return verdicts.contains(.fits) ? .fits : .tellsNothing
  }
}

extension PixelFigures {
  /// Limits between what real spheres have (seam 0.00 to 0.25, poles 0.00 to 0.22) and other pictures with detail (seam from 0.8).
  fileprivate func verdict(on candidate: GuessFacts.Candidate) -> GuessFacts.Verdict {
    if let poles, poles > 0.6 { return .contradicts }
    if candidate.stereo != .mono, let eyes, eyes < 0.6 { return .contradicts }
    let arePoles = poles.map { $0 < 0.35 } ?? false
    let areEyes = candidate.stereo == .mono || (eyes ?? 0) > 0.8
    guard candidate.projection == .equirectangular else {
      // A half's edges are half a turn apart.
      if let seam, seam < 0.2 { return .contradicts }
      return arePoles && areEyes ? .fits : .tellsNothing
    }
    guard let seam else { return .tellsNothing }
    if seam > 0.6 { return .contradicts }
    return seam < 0.3 && arePoles && areEyes ? .fits : .tellsNothing
  }
}
