import Decode
import Foundation
import Frames
import Media
import Render
import Session
import Support
import Testing

/// Guesses about clips: ours without their metadata, FFmpeg's test pictures, and the real ones.
@Suite(.tier(.test)) struct GuessedClipsTests {
  /// A synthetic clip that does not say what it is: FFmpeg writes no boxes of the sphere.
  static func untagged(
    _ name: String, _ size: PictureSize, _ stereo: StereoLayout, projection: SyntheticTag.Projection = .equirectangular
  ) throws -> String {
    let tagged = try SharedClips.synthetic("tagged-\(size)-\(stereo.rawValue)-\(projection.rawValue).mp4") {
      ($0.size, $0.stereo, $0.projection, $0.frames) = (size, stereo, projection, 1)
    }
    return try SharedClips.ffmpeg(name, ["-i", tagged, "-c", "copy", "-map_metadata", "-1"])
  }

  private static func guess(_ path: String) throws -> GeometryGuess? {
    let info = try probe(path)
    #expect(info.video.spherical == nil && info.video.stereo == nil && info.synthetic == nil, "\(path)")
    return GeometryGuess.of(info)
  }

  @Test(arguments: [
    (1920, 960, StereoLayout.mono), (1920, 1920, .topBottom), (3840, 960, .sideBySide), (1920, 960, .topBottom),
    (1920, 960, .sideBySide),
  ])
  func oursAreRecognised(width: Int, height: Int, stereo: StereoLayout) throws {
    let size = PictureSize(width: width, height: height)
    let guess = try Self.guess(Self.untagged("ours-\(size)-\(stereo.rawValue).mp4", size, stereo))
    #expect(
      guess?.isLikely == true && guess?.projection == .equirectangular && guess?.stereo == stereo,
      "\(guess?.sentence ?? "flat")")
  }

  /// Halves of a sphere, made of a whole one by FFmpeg.
  @Test func halvesAreRecognisedByNameAndOfferedWithout() throws {
    let whole = try Self.untagged("whole.mp4", PictureSize(width: 1920, height: 960), .mono)
    let half = "v360=input=e:output=hequirect:w=1920:h=1920"
    let code = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
    for (name, filter, stereo) in [
      ("dive_180_LR.mp4", half + ",split[a][b];[a][b]hstack", StereoLayout.sideBySide),
      ("dive_vr180_mono.mp4", half, .mono), ("dive_unnamed.mp4", half + ",split[a][b];[a][b]hstack", .sideBySide),
    ] {
      let path = try SharedClips.ffmpeg(name, ["-i", whole, "-filter_complex", filter] + code)
      let guess = try Self.guess(path)
      #expect(
        guess?.projection == .halfEquirectangular && guess?.stereo == stereo, "\(name): \(guess?.sentence ?? "flat")")
      #expect(guess?.isLikely == !name.contains("unnamed"), "\(name): \(guess?.sentence ?? "flat")")
    }
  }

  /// All longitudes, but not the poles.
  @Test func aFlatPanoramaIsFlat() throws {
    let path = try Self.untagged("panorama.mp4", PictureSize(width: 1920, height: 960), .mono, projection: .flat)
    #expect(try Self.guess(path) == nil)
  }

  private static let sources = ["testsrc2", "smptebars", "mandelbrot", "rgbtestsrc", "pal75bars", "testsrc", "allrgb"]
  private static let sizes = ["1920x960", "1920x1920", "3840x960"]

  @Test(arguments: zip(sources, sources.indices.map { sizes[$0 % 3] }))
  func testPicturesAreNeverTakenForSpheres(source: String, size: String) throws {
    try Self.expectNoSphere(source, size)
  }

  @Test(.tier(.full), arguments: sources, sizes)
  func testPicturesOfAnySizeAreNeverTakenForSpheres(source: String, size: String) throws {
    try Self.expectNoSphere(source, size)
  }

  private static func expectNoSphere(_ source: String, _ size: String) throws {
    let input = source == "allrgb" ? "allrgb,scale=\(size)" : "\(source)=s=\(size)"
    let path = try SharedClips.ffmpeg(
      "\(source)-\(size).mp4",
      [
        "-f", "lavfi", "-i", input, "-frames:v", "1", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
      ])
    let guess = try guess(path)
    #expect(guess?.isLikely != true, "\(source) \(size): \(guess?.sentence ?? "flat")")
  }

  @Test func filesThatSayWhatTheyAreAreNotGuessed() throws {
    let tagged = try SharedClips.synthetic("guess-tagged.mp4") {
      ($0.size, $0.frames) = (PictureSize(width: 1920, height: 960), 1)
    }
    #expect(GeometryGuess.of(try probe(tagged)) == nil)
    let flat = GeometryChoice().resolve(
      try probe(Self.untagged("auto.mp4", PictureSize(width: 1920, height: 960), .mono)))
    #expect(flat.geometry.projection == .flat, "'auto' stays with the metadata")
  }

  @Test func anAcceptedGuessStandsInForMetadata() throws {
    let info = try probe(Self.untagged("accepted.mp4", PictureSize(width: 1920, height: 1920), .topBottom))
    var choice = GeometryChoice()
    choice.guess = GeometryGuess.of(info)
    #expect(choice.resolve(info).geometry.projection == .flat)
    choice.acceptsGuess = true
    let (geometry, reasons) = choice.resolve(info)
    #expect(geometry.projection == .equirectangular && geometry.stereo == .topBottom)
    #expect(reasons[.projection]?.contains("guessed: 1:1") == true, "\(reasons)")
    choice.projection = .flat
    #expect(choice.resolve(info).geometry.stereo == .mono)
    choice.projection = nil
    choice.guess?.certainty = .possible
    #expect(choice.resolve(info).geometry.projection == .flat)
  }

  /// The real spheres, and a tenth of the other clips.
  @Test(.enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
  func realClips() throws {
    let spheres = MediaIndex.clips.filter { $0.category == "1-equirect360" }
    try Self.guess(spheres + MediaIndex.sample.filter { $0.category != "1-equirect360" })
  }

  @Test(.tier(.full), .enabled(if: TestFolders.media != nil, "BENCH360_MEDIA names no folder of clips"))
  func allRealClips() throws { try Self.guess(MediaIndex.clips) }

  /// Every clip whose name or shape speaks for a sphere, with its evidence; playlists of DASH are left out, for libavformat opens
  /// one at a time.
  private static func guess(_ clips: [MediaIndex.Clip]) throws {
    let media = try #require(TestFolders.media)
    var (likely, opened): (Set<String>, Int) = ([], 0)
    var table: [String] = []
    for clip in clips where clip.byteCount <= 100_000_000 && !clip.name.hasSuffix(".mpd") {
      let interruption = Interruption()
      interruption.setDeadline(.now.advanced(byMilliseconds: 3000))
      guard let probed = try? ProbedClip(path: media + "/" + clip.name, interruption: interruption) else { continue }
      opened += 1
      guard let facts = GuessFacts(looking: probed, interruption), facts.isCandidate else { continue }
      let guess = facts.guess()
      if guess?.isLikely == true { likely.insert(clip.name) }
      let figures = facts.pixels.sorted { $0.key.rawValue < $1.key.rawValue }.map { stereo, figures in
        "\(stereo.rawValue) " + figures.map(\.description).joined(separator: " ")
      }
      table.append(
        "\(guess.map { "\($0.certainty.rawValue) \($0.title)" } ?? "flat") | \(facts.size) | "
          + "\(clip.name.split(separator: "/").last ?? "") | \(figures.joined(separator: "; "))")
    }
    print("guesses: \(opened) clips opened, \(table.count) looked at\n" + table.sorted().joined(separator: "\n"))
    let spheres = Set(MediaIndex.clips.filter { $0.category == "1-equirect360" }.map(\.name))
    #expect(likely.isSubset(of: spheres), "flat clips taken for spheres: \(likely.subtracting(spheres))")
    let wanted = ["360-video/paris-by-diego.mp4", "city_halfres_hls0.ts", "build/overpass-clip.mp4"]
    for name in wanted { #expect(likely.contains { $0.hasSuffix(name) }, "\(name)") }
  }
}

extension PixelFigures: CustomStringConvertible {
  /// `(seam 0.03, poles 0.12)`.
  public var description: String {
    func text(_ name: String, _ value: Double?) -> String {
      "\(name) " + (value.map { String(format: "%.2f", $0) } ?? "–")
    }
    return "(\(text("seam", seam)), \(text("poles", poles))" + (eyes == nil ? ")" : ", \(text("eyes", eyes)))")
  }
}
