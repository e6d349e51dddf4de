internal import CFFmpeg
import Frames
import Glibc
import Media
import TestPicture

/// How close the decoded pictures of a rung come to the scene as it is drawn at the size of the largest rung, segment by segment: SSIM
/// for flat pictures, WS-PSNR for spheres. One thread at a time.
///
/// Smaller pictures are enlarged first, bicubically. Luma alone is looked at, in some pictures of each segment.
struct SegmentQuality: ~Copyable {
  /// Pictures of a segment that are looked at, about.
  static let pictures = 8
  /// No difference at all.
  private static let limit = 100.0

  private let specification: LadderSpecification
  private let source: LumaPicture
  private let scene: SyntheticScene
  private let chroma: [HostMemory]
  private let enlarged: LumaPicture
  private let scaler: OpaquePointer
  private var errors: [[Double]]

  /// `check` is called often while the scene is prepared, and throws to stop.
  init(_ specification: LadderSpecification, rung: Int, _ check: () throws -> Void) throws {
    let (own, size) = (specification.rungs[rung].size, specification.largest)
    var picture = specification.clip(ofRung: rung).scene
    picture.size = size
    let scene = try SyntheticScene(picture, check)
    let scaler = sws_getContext(
      Int32(own.width), Int32(own.height), AV_PIX_FMT_GRAY8, Int32(size.width), Int32(size.height), AV_PIX_FMT_GRAY8,
      SWS_BICUBIC, nil, nil, nil)
    guard let scaler else {
      throw Failure(.failed, "cannot enlarge a picture of \(own)", cause: "libswscale does not convert such a picture")
    }
    (self.scene, self.scaler, self.specification) = (scene, scaler, specification)
    (source, enlarged) = (LumaPicture(size), LumaPicture(size))
    chroma = (0..<2).map { _ in HostMemory(byteCount: ((size.width + 1) / 2) * ((size.height + 1) / 2)) }
    errors = specification.segments.map { _ in [] }
  }

  deinit { sws_freeContext(scaler) }

  /// Whether a frame is looked at.
  static func includes(_ frame: Int, _ specification: LadderSpecification) -> Bool {
    frame % specification.segmentFrames % max(1, specification.segmentFrames / pictures) == 0
  }

  /// The luma of a decoded frame.
  mutating func add(_ luma: HostPlane, frame: Int) throws {
    guard Self.includes(frame, specification) else { return }
    let base = UnsafePointer(luma.base.assumingMemoryBound(to: UInt8.self))
    var target = [Optional(enlarged.plane.base.assumingMemoryBound(to: UInt8.self)), nil, nil, nil]
    let rows = sws_scale(
      scaler, [base, nil, nil, nil], [Int32(luma.bytesPerRow), 0, 0, 0], 0, Int32(luma.rows), &target,
      [Int32(enlarged.plane.bytesPerRow), 0, 0, 0])
    guard Int(rows) == enlarged.plane.rows else {
      throw Failure(.failed, "cannot enlarge a picture", cause: "libswscale failed: \(ffmpegText(rows))")
    }
    let half = (width: enlarged.plane.rowBytes / 2, rows: enlarged.plane.rows / 2)
    scene.draw(
      frame: frame,
      into: PlaneList(
        [source.plane]
          + chroma.map { HostPlane(base: $0.base, bytesPerRow: half.width, rowBytes: half.width, rows: half.rows) }))
    errors[frame / specification.segmentFrames].append(error)
  }

  private var error: Double {
    guard specification.clip.projection == .equirectangular else {
      return PictureError.dissimilarity(source.plane, enlarged.plane)
    }
    let rows = specification.clip.stereo == .topBottom ? source.plane.rows / 2 : source.plane.rows
    return PictureError.weightedSquare(source.plane, enlarged.plane, eyeRows: rows)
  }

  /// Of each segment, dB, of the mean error of its pictures.
  var decibels: [Double] {
    errors.map { errors in
      let mean = errors.reduce(0, +) / Double(max(1, errors.count))
      return mean > 0 ? min(Self.limit, (-10 * log10(mean) * 1000).rounded() / 1000) : Self.limit
    }
  }
}

/// A plane of 8 bits that owns its memory.
private struct LumaPicture {
  private let memory: HostMemory
  let plane: HostPlane

  init(_ size: PictureSize) {
    memory = HostMemory(byteCount: size.width * size.height)
    plane = HostPlane(base: memory.base, bytesPerRow: size.width, rowBytes: size.width, rows: size.height)
  }
}

extension LadderSpecification {
  /// The size of the rung with most pixels.
  var largest: PictureSize {
    rungs.map(\.size).max { $0.width * $0.height < $1.width * $1.height } ?? PictureSize(width: 8, height: 8)
  }
}
