import Frames
import Render
import Session
import Testing

/// What an untagged picture is taken for, by name, shape and figures of its pixels.
@Suite struct GeometryGuessTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var width: Int
    var height: Int
    var aspect = 1.0
    var pixels: [StereoLayout: [PixelFigures]] = [:]
    /// `likely equirectangular tb`; nil: flat.
    var expected: String?
    var testDescription: String { "\(name) \(width)x\(height)" }
  }

  private static let sphere = PixelFigures(seam: 0.1, poles: 0.1)
  private static let film = PixelFigures(seam: 1.1, poles: 0.9)
  private static let plain = PixelFigures(seam: nil, poles: nil)
  private static let eyes = PixelFigures(seam: 0.1, poles: 0.1, eyes: 0.97)
  private static let strangers = PixelFigures(seam: 0.1, poles: 0.1, eyes: 0.2)
  private static let half = PixelFigures(seam: 1.2, poles: 0.1, eyes: 0.97)

  static let cases = [
    // Shape and pixels.
    Case(name: "a.mp4", width: 1920, height: 960, pixels: [.mono: [sphere]], expected: "likely equirectangular mono"),
    Case(
      name: "a.mp4", width: 3840, height: 1920, pixels: [.mono: [plain, sphere]],
      expected: "likely equirectangular mono"),
    Case(
      name: "a.mp4", width: 1920, height: 1920, pixels: [.topBottom: [eyes]], expected: "likely equirectangular tb"),
    Case(
      name: "a.mp4", width: 3840, height: 960, pixels: [.sideBySide: [eyes]], expected: "likely equirectangular sbs"),
    Case(
      name: "a.mp4", width: 3840, height: 1920, pixels: [.mono: [sphere], .topBottom: [eyes]],
      expected: "likely equirectangular tb"),
    Case(
      name: "a.mp4", width: 3840, height: 1920, pixels: [.mono: [sphere], .topBottom: [strangers]],
      expected: "likely equirectangular mono"),
    // Anamorphic: shown as a square.
    Case(
      name: "a.mp4", width: 1920, height: 1080, aspect: 9.0 / 16, pixels: [.topBottom: [eyes]],
      expected: "likely equirectangular tb"),
    // Pixels that speak against it outweigh shape, name and other pictures.
    Case(name: "a.mp4", width: 1920, height: 960, pixels: [.mono: [film]], expected: nil),
    Case(name: "a.mp4", width: 1920, height: 960, pixels: [.mono: [sphere, film]], expected: nil),
    Case(name: "a_360.mp4", width: 3840, height: 1920, pixels: [.mono: [film]], expected: nil),
    Case(name: "a.mp4", width: 1920, height: 1920, pixels: [.topBottom: [strangers]], expected: nil),
    // Nothing to be seen: shape alone is offered, shape and name are believed.
    Case(name: "a.mp4", width: 1920, height: 960, pixels: [.mono: [plain]], expected: "possible equirectangular mono"),
    Case(name: "a.mp4", width: 1920, height: 960, expected: "possible equirectangular mono"),
    Case(name: "a_360.mp4", width: 1920, height: 960, expected: "likely equirectangular mono"),
    Case(name: "a_360_TB.mp4", width: 1920, height: 1920, expected: "likely equirectangular tb"),
    Case(name: "a.mp4", width: 1920, height: 1920, expected: nil),
    Case(name: "a.mp4", width: 3840, height: 960, expected: nil),
    // Narrow ones need a name, and pixels too.
    Case(name: "a.mp4", width: 720, height: 360, pixels: [.mono: [sphere]], expected: "possible equirectangular mono"),
    Case(
      name: "a_360.mp4", width: 720, height: 362, pixels: [.mono: [sphere]], expected: "likely equirectangular mono"),
    Case(name: "a_360.mp4", width: 720, height: 362, expected: nil),
    Case(name: "a.mp4", width: 720, height: 360, expected: nil),
    // A film's shape.
    Case(name: "a.mp4", width: 1920, height: 1080, pixels: [.mono: [sphere]], expected: nil),
    Case(name: "a_360.mp4", width: 1920, height: 1080, expected: nil),
    Case(
      name: "a_360_TB.mp4", width: 3840, height: 2160, pixels: [.topBottom: [eyes]],
      expected: "likely equirectangular tb"),
    // Half a sphere.
    Case(
      name: "a_180_LR.mp4", width: 3840, height: 1920, pixels: [.sideBySide: [half]],
      expected: "likely half-equirectangular sbs"),
    Case(
      name: "a_vr180.mp4", width: 3840, height: 1920, pixels: [.sideBySide: [half], .mono: [film]],
      expected: "likely half-equirectangular sbs"),
    Case(
      name: "a.mp4", width: 3840, height: 1920, pixels: [.sideBySide: [half], .mono: [film]],
      expected: "possible half-equirectangular sbs"),
    Case(name: "180.mp4", width: 1920, height: 1080, expected: nil),
  ]

  @Test(arguments: cases)
  func theLikeliestIsFound(_ test: Case) {
    let facts = GuessFacts(
      name: "/clips/" + test.name, size: PictureSize(width: test.width, height: test.height),
      sampleAspect: test.aspect, pixels: test.pixels)
    let guess = facts.guess()
    #expect(
      guess.map { "\($0.certainty.rawValue) \($0.projection.rawValue) \($0.stereo.rawValue)" } == test.expected,
      "\(guess?.sentence ?? "flat")")
  }

  @Test func theReasonsAreTold() {
    let facts = GuessFacts(
      name: "https://a.example/x/Dive_360_TB.mp4?token=1", size: PictureSize(width: 3840, height: 3840),
      pixels: [.topBottom: [Self.eyes]])
    #expect(
      facts.guess()?.sentence
        == "looks like 360° for two eyes, top-bottom (named '360', 'tb', 1:1, edges meet, poles are stretched)")
    let plain = GuessFacts(name: "a.mp4", size: PictureSize(width: 1920, height: 960)).guess()
    #expect(plain?.sentence == "may be 360° (2:1, its pixels do not tell)")
  }

  /// Numbers and words that mean something else.
  @Test(arguments: [
    "640x360.mp4", "clip-640-360.mp4", "clip_360p.mp4", "rotate-180.mp4", "1360.mp4", "h360.mp4", "album.mp4",
    "tbilisi.mp4", "outside.mp4", "shot-3600.mp4",
  ])
  func namesThatSayNothing(_ name: String) {
    // Without pixels a name must speak.
    let facts = GuessFacts(name: name, size: PictureSize(width: 3840, height: 1920))
    #expect(facts.guess()?.certainty == .possible, "\(facts.guess()?.sentence ?? "flat")")
  }

  @Test(arguments: [
    ("Dive_360.mp4", "equirectangular", nil), ("dive 360° tour.webm", "equirectangular", nil),
    ("dive-VR360.mkv", "equirectangular", nil), ("dive_360TB.mp4", "equirectangular", "tb"),
    ("dive.360.OU.mp4", "equirectangular", "tb"), ("dive_equirectangular.mp4", "equirectangular", nil),
    ("dive%5F360_3dv.mp4", "equirectangular", "tb"), ("dive_360x180_side-by-side.mp4", "equirectangular", nil),
    ("dive_180_SBS.mp4", "half-equirectangular", "sbs"), ("dive_180x180_3dh.mp4", "half-equirectangular", "sbs"),
    ("dive_vr180_LR.mp4", "half-equirectangular", "sbs"), ("dive_mono360.mp4", "equirectangular", "mono"),
  ])
  func namesThatSay(_ name: String, _ projection: String, _ stereo: String?) {
    let size = PictureSize(width: 4000, height: 3000)
    let fitting = [PixelFigures(seam: projection == "equirectangular" ? 0.1 : 1, poles: 0.1, eyes: 0.9)]
    let facts = GuessFacts(name: name, size: size, pixels: [.mono: fitting, .topBottom: fitting, .sideBySide: fitting])
    let guess = facts.guess()
    #expect(guess?.projection.rawValue == projection && guess?.isLikely == true, "\(guess?.sentence ?? "flat")")
    if let stereo { #expect(guess?.stereo.rawValue == stereo) }
  }
}
