import Decode
import Encode
import Frames
import Playback
import Render

/// Holds what frames show against what they claim to be. Synthetic clips carry their number in the picture.
package struct FrameTruth {
  private let tag: SyntheticTag
  package private(set) var checked = 0
  package private(set) var wrong = 0
  /// The first contradiction, for the message.
  package private(set) var firstWrong: String?

  /// Nil for clips that carry no numbers.
  package init?(_ info: MediaInfo) {
    guard let tag = info.synthetic else { return nil }
    self.tag = tag
  }

  /// Reads the number from the decoded luma plane; gives it where there is one.
  @discardableResult
  package mutating func check(_ frame: VideoFrame) -> Int? {
    guard let luma = frame.picture.planes.first, let claimed = tag.frameNumber(at: frame.presentationTime) else {
      return nil
    }
    let reading = FrameCode.read(
      luma: luma, bitDepth: frame.format.bitDepth, sampleShift: frame.format.sampleShift, layout: tag.projection,
      stereo: tag.stereo)
    compare(reading, claimed, "decoded frame")
    return reading.number
  }

  /// Reads the number from a rendered view, wherever it looks.
  ///
  /// - Parameter pixels: RGBA as read back from the target.
  package mutating func check(
    _ pixels: [UInt8], of frame: VideoFrame, geometry: PictureGeometry, target: PictureSize, camera: Camera
  ) {
    guard shows(geometry.projection), let claimed = tag.frameNumber(at: frame.presentationTime) else { return }
    let view = ShownCode(
      layout: tag.projection, geometry: geometry, picture: frame.size, target: target, camera: camera)
    let reading = FrameCode.read(tag.projection) { u, v in
      // Green stands in for luma: the code is black and white.
      view.pixel(u, v).map { pixels[$0 * 4 + 1] }
    }
    // A view that need not show all bits proves nothing either way.
    guard reading.number != nil || view.mustBeLegible else { return }
    compare(reading, claimed, "rendered view of the frame")
  }

  /// Whether places in the picture are where the clip's layout has them.
  private func shows(_ projection: Projection) -> Bool {
    switch projection {
    case .flat: true
    case .equirectangular, .littlePlanet: tag.projection == .equirectangular
    case .halfEquirectangular, .cubemap3x2, .cubemap6x1, .eac, .fisheye: false
    }
  }

  private mutating func compare(_ reading: FrameCode.Reading, _ claimed: Int, _ what: String) {
    checked += 1
    guard reading.number != claimed else { return }
    wrong += 1
    guard firstWrong == nil else { return }
    switch reading {
    case .number(let number): firstWrong = "the \(what) that claims to be \(claimed) shows \(number)"
    case .unreadable(let reason): firstWrong = "the \(what) that claims to be \(claimed) shows no number: \(reason)"
    }
  }
}

/// Where a rendered view shows the cells of the frame's number.
private struct ShownCode {
  let layout: FrameCode.Layout
  let geometry: PictureGeometry
  let picture: PictureSize
  let target: PictureSize
  let camera: Camera

  private var isPlanet: Bool { geometry.projection == .littlePlanet }

  /// The index of the pixel that shows a place in the picture; nil when it is out of view, or too small to be read.
  func pixel(_ u: Double, _ v: Double) -> Int? {
    guard let place = position(u, v), !isPlanet || isLarge(place, u, v) else { return nil }
    return Int(place.y) * target.width + Int(place.x)
  }

  /// An upright view 26° high sees all bits. A planet is small in its middle and large outside: it depends on the target.
  var mustBeLegible: Bool {
    guard isPlanet else { return camera.fieldOfView >= 26 && target.height >= 90 }
    return Set(FrameCode.cells(for: layout).filter { pixel($0.u, $0.v) != nil }.map(\.bit)).count == FrameCode.bitCount
  }

  private func position(_ u: Double, _ v: Double) -> (x: Double, y: Double)? {
    geometry.pixel(u: u, v: v, picture: picture, target: target, camera: camera)
  }

  /// A degree, somewhat less than half of a cell's side, is a pixel and a half or more: the code's own measure for what can
  /// be read. The view is conformal: a degree of latitude tells for all.
  private func isLarge(_ place: (x: Double, y: Double), _ u: Double, _ v: Double) -> Bool {
    guard let beside = position(u, v < 0.5 ? v + 1.0 / 180 : v - 1.0 / 180) else { return false }
    let (dx, dy) = (beside.x - place.x, beside.y - place.y)
    return dx * dx + dy * dy >= 1.5 * 1.5
  }
}

extension Trial {
  /// Records what the checks found; nothing for clips that carry no numbers.
  func add(_ truth: FrameTruth?) {
    guard let truth else { return }
    count("wrong_frame", truth.wrong)
    if let text = truth.firstWrong { facts.warnings.append(.init(code: "wrong_frame", text: text)) }
  }
}
