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
    guard geometry.projection.rawValue == tag.projection.rawValue || geometry.projection == .flat,
      let claimed = tag.frameNumber(at: frame.presentationTime)
    else { return }
    let reading = FrameCode.read(tag.projection) { u, v in
      guard
        let place = geometry.pixel(u: u, v: v, picture: frame.size, target: target, camera: camera)
      else { return nil }
      // Green stands in for luma: the code is black and white.
      return pixels[(Int(place.y) * target.width + Int(place.x)) * 4 + 1]
    }
    // A view too narrow to show all bits proves nothing either way.
    guard reading.number != nil || camera.fieldOfView >= 26 && target.height >= 90 else { return }
    compare(reading, claimed, "rendered view of the frame")
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

extension Trial {
  /// Records what the checks found; nothing for clips that carry no numbers.
  func add(_ truth: FrameTruth?) {
    guard let truth else { return }
    count("wrong_frame", truth.wrong)
    if let text = truth.firstWrong { facts.warnings.append(.init(code: "wrong_frame", text: text)) }
  }
}
