import Decode
import Foundation
import Frames
import GPU
import Media
import Render
import Support
import Testing

/// The first frame of every real clip for geometry and colour: our picture beside FFmpeg's, each on the judge's own
/// terms, and the shader beside the twin. `Benchmarks/agreement/run` prints the rows as a table.
@Suite(
  .tier(.test),
  .enabled(if: TestDevice.isAvailable && TestFolders.media != nil, "no Vulkan device, or no BENCH360_MEDIA"))
struct AgreementTests {
  static let clips = MediaIndex.clips.filter { ["1-", "2-", "3-", "4-", "5-"].contains($0.category.prefix(2)) }

  @Test(arguments: clips.sample(oneIn: 10))
  func agrees(_ clip: MediaIndex.Clip) throws {
    try expectAgreement(on: clip)
  }

  @Test(.tier(.full), arguments: clips)
  func everyClipAgrees(_ clip: MediaIndex.Clip) throws {
    try expectAgreement(on: clip)
  }

  private func expectAgreement(on clip: MediaIndex.Clip) throws {
    var row = AgreementRow(clip)
    defer { row.print() }
    let path = try #require(TestFolders.clip(clip.name))
    let reader: FrameReader
    let frame: VideoFrame
    do {
      reader = try FrameReader(path: path, options: DecoderOptions(threads: 1))
      frame = try #require(try reader.next())
    } catch let failure as Failure {
      row.note = failure.cause
      #expect(try failure.kind == .encrypted || !decodesElsewhere(path), "FFmpeg decodes what is refused: \(failure)")
      return
    }
    row.describe(frame)
    row.scale = try ColorJudge.scale.shareWithinOne(frame)
    row.zscale = try ColorJudge.zscale.shareWithinOne(frame)
    let isSphere = clip.category.hasPrefix("1-")
    if isSphere { row.decibels = try SphereJudge(frame, reader.info).leastDecibels() }
    row.shader = try shader(frame, reader.info, isSphere: isSphere)
    #expect(row.exceptions == [], "\(clip.name)")
  }

  private func decodesElsewhere(_ path: String) throws -> Bool {
    let arguments = ["-v", "error", "-xerror", "-i", path, "-map", "0:v", "-frames:v", "1", "-f", "null", "-"]
    return try CommandOutput.of("ffmpeg", arguments).status == 0
  }

  /// A view as `snapshot` would draw it, with the colours that the file asks for.
  private func shader(_ frame: VideoFrame, _ info: MediaInfo, isSphere: Bool) throws -> Difference {
    var geometry = PictureGeometry(
      projection: .flat, sampleAspect: info.video.sampleAspect.value ?? 1, rotation: info.video.rotation,
      isMirrored: info.video.isMirrored)
    if isSphere { geometry.projection = .equirectangular }
    geometry.stereo = info.video.stereo ?? .mono
    return try Difference(frame, geometry, Camera(pan: 30, tilt: 10), PictureSize(width: 480, height: 270))
  }
}

/// The result for one clip.
struct AgreementRow {
  private let clip: MediaIndex.Clip
  private var format = "-"
  private var color = "-"
  /// Shares of the components that differ by at most one code value.
  var scale: Double?
  var zscale: Double?
  /// The worst of several views, beside `v360`.
  var decibels: Double?
  var shader: Difference?
  var note = ""

  init(_ clip: MediaIndex.Clip) {
    self.clip = clip
  }

  mutating func describe(_ frame: VideoFrame) {
    let from = frame.convertedFrom.map { "\($0) → " } ?? ""
    format = "\(from)\(frame.format.name) \(frame.size)"
    let color = frame.color
    self.color = "\(color.matrix.rawValue) \(color.range.rawValue) \(color.primaries) \(color.transfer)"
  }

  /// Where a bar is missed.
  var exceptions: [String] {
    var missed: [String] = []
    if let scale, scale < 0.999 { missed.append("scale \(scale)") }
    if let zscale, zscale < 0.999 { missed.append("zscale \(zscale)") }
    if let decibels, decibels < 50 { missed.append("v360 \(decibels) dB") }
    if let shader, shader.shareWithinOne < 0.999 || shader.largest > 3 { missed.append("shader \(shader)") }
    return missed
  }

  /// For `Benchmarks/agreement/run`.
  func print() {
    guard ProcessInfo.processInfo.environment["BENCH360_AGREEMENT"] != nil else { return }
    func percent(_ share: Double?) -> String { share.map { String(format: "%.3f", $0 * 100) } ?? "-" }
    let cells: [String] = [
      clip.category, String(clip.name.split(separator: "/").last ?? ""), format, color, percent(scale), percent(zscale),
      decibels.map { String(format: "%.1f", $0) } ?? "-", percent(shader?.shareWithinOne),
      shader.map { String(format: "%.0f", $0.largest) } ?? "-", note,
    ]
    Swift.print("agreement|" + cells.joined(separator: "|"))
  }
}

/// A filter of FFmpeg's that turns YCbCr into R'G'B' of the same size. It is given the samples that we decoded, and the
/// twin stops where it stops: after the matrix.
enum ColorJudge: CaseIterable {
  /// Exact with top-left siting only: between two rows libswscale rounds chroma to a quarter. In the last two rows it
  /// reads the chroma of rows further up; they are left out.
  case scale
  /// libzimg, with the siting that the file signals.
  case zscale

  /// Nil for pictures that are smaller than what is left out. Odd sizes lose a column or row: libzimg refuses them, and
  /// libswscale stretches their chroma.
  func shareWithinOne(_ original: VideoFrame) throws -> Double? {
    var frame = original.cropped(toEven: original.format)
    guard frame.size.width > 0, frame.size.height > 2 else { return nil }
    (frame.color.primaries, frame.color.transfer) = ("bt709", "bt709")
    if self == .scale { frame.color.siting = .topLeft }
    let judged = try FilterJudge.views(of: frame, [filter(frame)], pixels: self == .scale ? "rgb24" : "gbrp")[0]
    let count = frame.size.width * frame.size.height
    try #require(judged.count == 3 * count, "\(judged.count) bytes")
    let twin = ExactTwin(
      frame: frame, geometry: PictureGeometry(projection: .flat), camera: Camera(), target: frame.size)
    var within = 0
    let judgedRows = frame.size.height - (self == .scale ? 2 : 0)
    for pixel in 0..<judgedRows * frame.size.width {
      guard let exact = twin.pixel(pixel % frame.size.width, pixel / frame.size.width) else { continue }
      // libzimg gives planes: green, blue, red.
      let (red, green, blue) =
        self == .scale ? (3 * pixel, 3 * pixel + 1, 3 * pixel + 2) : (2 * count + pixel, pixel, count + pixel)
      if abs(exact.x.rounded() - Double(judged[red])) <= 1 { within += 1 }
      if abs(exact.y.rounded() - Double(judged[green])) <= 1 { within += 1 }
      if abs(exact.z.rounded() - Double(judged[blue])) <= 1 { within += 1 }
    }
    return Double(within) / Double(3 * judgedRows * frame.size.width)
  }

  private func filter(_ frame: VideoFrame) -> String {
    let color = frame.color
    switch self {
    case .scale: return FilterJudge.scale(color.matrix, color.range)
    case .zscale:
      let range = color.range == .limited ? "tv" : "pc"
      let matrix: [ColorDescription.Matrix: String] = [.bt601: "170m", .bt709: "709", .bt2020: "2020_ncl"]
      let siting: [ColorDescription.ChromaSiting: String] = [.left: "left", .center: "center", .topLeft: "topleft"]
      return "zscale=filter=bilinear:dither=none:matrixin=\(matrix[color.matrix] ?? ""):rangein=\(range)"
        + ":chromalin=\(siting[color.siting] ?? ""):primariesin=709:transferin=709:primaries=709:transfer=709"
        + ":matrix=gbr:range=pc"
    }
  }
}

/// `v360` over luma, in its own convention.
private struct SphereJudge {
  private let frame: VideoFrame

  /// Of two eyes the left one is judged.
  init(_ frame: VideoFrame, _ info: MediaInfo) {
    self.frame = frame.part(PictureGeometry(projection: .equirectangular, stereo: info.video.stereo ?? .mono))
  }

  func leastDecibels() throws -> Double {
    let luma = TwinPlane.planes(of: frame)[0]
    var generator = SeededGenerator()
    let cameras = [Camera(), Camera(pan: 90), Camera(pan: 180)] + (0..<2).map { _ in Camera.random(using: &generator) }
    let target = PictureSize(width: 320, height: 180)
    let judged = try FilterJudge.views(
      of: frame, cameras.map { "extractplanes=y," + FilterJudge.v360($0, target) }, pixels: "gray")
    return zip(cameras, judged).map { camera, view in
      peakSignalToNoise(luma.v360View(camera: camera, target: target), view)
    }.min() ?? 0
  }
}

extension VideoFrame {
  /// The part of the picture that one eye sees.
  fileprivate func part(_ geometry: PictureGeometry) -> VideoFrame {
    let part = geometry.part
    return cropped(
      to: PictureSize(width: Int(Double(size.width) * part.width), height: Int(Double(size.height) * part.height)))
  }

  /// Without a last column or row that has a chroma sample for itself.
  fileprivate func cropped(toEven format: PictureFormat) -> VideoFrame {
    guard let chroma = format.planes.dropFirst().first else { return self }
    func even(_ length: Int, _ shift: Int) -> Int { (length >> shift) << shift }
    return cropped(
      to: PictureSize(width: even(size.width, chroma.horizontalShift), height: even(size.height, chroma.verticalShift)))
  }

  /// The top-left part of the picture, without a copy.
  func cropped(to size: PictureSize) -> VideoFrame {
    guard size != self.size else { return self }
    let planes = zip(picture.planes, format.planes).map { plane, format in
      let part = format.size(of: size)
      return HostPlane(
        base: plane.base, bytesPerRow: plane.bytesPerRow, rowBytes: part.width * format.bytesPerTexel, rows: part.height
      )
    }
    var frame = self
    frame.size = size
    frame.picture = HostPicture(planes: PlaneList(planes), owner: picture)
    return frame
  }
}
