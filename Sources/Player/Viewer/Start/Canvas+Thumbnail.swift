import Frames
import Overlay

extension Canvas {
  /// A small picture in the middle of a frame, as large as fits; where there is none, a sign.
  ///
  /// - Parameter share: of the frame's height, for the sign.
  mutating func thumbnail(_ picture: SmallPicture?, in frame: Box, sign: Icon, share: Double, _ color: Color) {
    guard let picture, picture.size.width > 0, picture.size.height > 0 else {
      let side = frame.height * share
      return icon(
        sign, in: Box(left: frame.center.x - side / 2, top: frame.center.y - side / 2, width: side, height: side), color
      )
    }
    let aspect = Double(picture.size.width) / Double(picture.size.height)
    let width = min(frame.width, frame.height * aspect)
    self.picture(
      picture,
      Box(
        left: (frame.center.x - width / 2).rounded(), top: (frame.center.y - width / aspect / 2).rounded(),
        width: max(1, width.rounded()), height: max(1, (width / aspect).rounded())))
  }
}
