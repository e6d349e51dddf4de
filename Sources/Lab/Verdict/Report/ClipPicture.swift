import FoundationEssentials
import Frames

/// The picture of the measured clip near the top of a page.
///
/// The caller draws it: this module reads no file and needs no decoder.
public enum ClipPicture: Hashable, Sendable {
  /// One frame of the clip as a JPEG, drawn with the geometry and the first view of the newest record. `seconds` is the frame's time in
  /// the clip.
  case frame(jpeg: [UInt8], size: PictureSize, seconds: Double)
  /// The page has no picture. `reason` completes the sentence `There is no picture of the clip: …`.
  case missing(reason: String)
}

extension ClipPicture {
  /// The picture with its caption, or the sentence that says why there is none.
  func markup(_ record: Record) -> Markup {
    switch self {
    case .missing(let reason):
      return .element("p", ["class": "note"], "There is no picture of the clip: \(reason).")
    case .frame(let jpeg, let size, let seconds):
      let image = Markup.element(
        "img",
        [
          "src": "data:image/jpeg;base64,\(Data(jpeg).base64EncodedString())", "width": "\(size.width)",
          "height": "\(size.height)", "alt": "A frame of \(record.input.name)",
        ])
      return .element("figure", ["class": "picture"], [image, .element("figcaption", [:], caption(record, seconds))])
    }
  }

  private func caption(_ record: Record, _ seconds: Double) -> String {
    let frame = "The measured clip at \(ReportText.shortest(seconds, decimals: 2)) s"
    guard let view = record.settings.viewing.view else {
      return "\(frame). This run drew no view: the picture is the whole frame."
    }
    guard record.settings.geometry.pose != nil else { return "\(frame), drawn flat as this run drew it." }
    func degrees(_ value: Double) -> String { ReportText.signed(ReportText.shortest(value, decimals: 1)) + "°" }
    let roll = view.roll == 0 ? "" : ", roll \(degrees(view.roll))"
    let motion = record.settings.viewing.camera ?? "still" == "still" ? "the view" : "the first view"
    return "\(frame) in \(motion) of this run: pan \(degrees(view.pan)), tilt \(degrees(view.tilt)), "
      + "field of view \(degrees(view.fov))\(roll)."
  }
}
