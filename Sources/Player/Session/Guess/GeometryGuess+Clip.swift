import Decode
import Frames
import Logging
import Media

extension GeometryGuess {
  /// Looks at a clip that does not say what it is; nil: it says, or it is flat.
  ///
  /// Decodes up to three sync samples, and those only where shape or name speak for a sphere. Of clips on the network none is
  /// fetched. Pictures that cannot be decoded within two seconds are left out. Blocks; any thread.
  public static func of(_ clip: ProbedClip, interruption: Interruption = Interruption()) -> GeometryGuess? {
    guard let facts = GuessFacts(looking: clip, interruption) else { return nil }
    let guess = facts.guess()
    sessionLog.debug(
      "geometry guess", metadata: ["guess": "\(guess.map { "\($0.title): \($0.explanation)" } ?? "flat")"])
    return guess
  }

  /// The same of a file; nil also where it cannot be opened.
  public static func of(_ info: MediaInfo) -> GeometryGuess? {
    guard let facts = GuessFacts(info), !facts.layouts.isEmpty else { return nil }
    guard !info.isRemote, let clip = try? ProbedClip(path: info.path) else { return facts.guess() }
    return of(clip)
  }
}

extension GuessFacts {
  /// Columns of the pictures that are looked at.
  private static let width = 512
  private static let seconds = 2.0

  /// Nil where the clip says what it is.
  package init?(looking clip: ProbedClip, _ interruption: Interruption = Interruption()) {
    guard !clip.info.isSoundOnly else { return nil }
    self.init(clip.info)
    let layouts = self.layouts
    guard !layouts.isEmpty, !clip.info.isRemote else { return }
    let end = MonotonicTime.now.advanced(byMilliseconds: Self.seconds * 1000)
    let options = ThumbnailOptions(width: Self.width, stereo: .mono, isSpherical: true)
    guard let reader = try? KeyFrameReader(of: clip, options: options, interruption: interruption) else { return }
    var times: Set<MediaTime> = []
    for share in [0.5, 0.25, 0.75] where MonotonicTime.now < end {
      let time = MediaTime(seconds: (clip.info.durationSeconds ?? 0) * share)
      guard let picture = try? reader.picture(at: time), times.insert(picture.time).inserted else { continue }
      for stereo in layouts { pixels[stereo, default: []].append(PixelFigures(picture, stereo: stereo)) }
    }
  }
}
