import Frames
import Render
import TestPicture

/// A rendered view, as far as needed to read the frame's number from it.
struct RenderedView: CodeView {
  let geometry: PictureGeometry
  let picture: PictureSize
  let target: PictureSize
  let camera: Camera

  var fieldOfView: Double? { geometry.projection == .littlePlanet ? nil : camera.fieldOfView }

  func shows(_ layout: FrameCode.Layout) -> Bool {
    switch geometry.projection {
    case .flat: true
    case .equirectangular, .littlePlanet: layout == .equirectangular
    case .halfEquirectangular, .cubemap3x2, .cubemap6x1, .eac, .fisheye: false
    }
  }

  func position(_ u: Double, _ v: Double) -> (x: Double, y: Double)? {
    geometry.pixel(u: u, v: v, picture: picture, target: target, camera: camera)
  }
}

extension FrameTruth {
  /// Reads the number from a rendered view, for any camera.
  ///
  /// - Parameters:
  ///   - pixels: RGBA as read back from the target.
  ///   - rung: of the rendition that the frame was decoded from; nil takes the tag's, where it names one.
  ///   - run: as for `inspect`.
  package mutating func check(
    _ pixels: [UInt8], of frame: VideoFrame, geometry: PictureGeometry, target: PictureSize, camera: Camera,
    rung: Int? = nil, run: Int = 0
  ) {
    check(
      pixels, of: frame, in: RenderedView(geometry: geometry, picture: frame.size, target: target, camera: camera),
      rung: rung, run: run)
  }
}

extension Trial {
  /// Records the results of the checks; nothing for clips without numbers.
  func add(_ truth: FrameTruth?) {
    guard let truth else { return }
    count(.wrongFrame, truth.wrong)
    if let text = truth.firstWrong { facts.warnings.append(.init(code: .wrongFrame, text: text)) }
  }
}
