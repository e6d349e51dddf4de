import Decode
import Frames
import GPU
import Overlay
import Playback
import Render

/// The caller's picture of a clip that has none: decoded once, on a thread of its own. One thread.
final class Artwork {
  /// As it was told last.
  private var bytes: [UInt8]?
  private var work: BackgroundWork<SmallPicture>?
  private var picture: SmallPicture?

  /// Of its longer side: larger ones take more of the painter's atlas than they are worth.
  private static let pixelLimit = 512

  deinit { work?.wait() }

  /// Follows what the caller tells; returns whether there is another picture to draw, or none any more.
  ///
  /// Throws in one sentence, once, why an image cannot be read.
  func follow(_ wanted: [UInt8]?) throws(Failure) -> Bool {
    if wanted != bytes {
      let hadPicture = picture != nil
      work?.wait()
      (bytes, picture) = (wanted, nil)
      work = wanted.map { bytes in
        BackgroundWork(onDone: {}) { () throws(Failure) in try Self.picture(of: bytes) }
      }
      return hadPicture
    }
    guard let made = work?.take() else { return false }
    work = nil
    picture = try made.get()
    return true
  }

  private static func picture(of bytes: [UInt8]) throws(Failure) -> SmallPicture {
    var options = ThumbnailOptions()
    options.width = pixelLimit
    return try ThumbnailShaper(options).tile(0, columns: 1, rows: 1, ofImage: bytes, path: "artwork")
  }

  /// In the middle of each view, three quarters of it at most.
  func draw(on canvas: inout Canvas, in regions: (first: TargetRegion, second: TargetRegion?)) {
    guard let picture else { return }
    let (width, height) = (Double(picture.size.width), Double(picture.size.height))
    for region in [regions.first, regions.second].compactMap(\.self) {
      let scale = 0.75 * min(Double(region.size.width) / width, Double(region.size.height) / height)
      let size = (width: (width * scale).rounded(), height: (height * scale).rounded())
      let box = Canvas.Box(
        left: Double(region.left) + ((Double(region.size.width) - size.width) / 2).rounded(),
        top: Double(region.top) + ((Double(region.size.height) - size.height) / 2).rounded(), width: size.width,
        height: size.height)
      canvas.picture(picture, box)
    }
  }
}
