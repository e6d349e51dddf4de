import Frames

/// Checks that frames show the number they claim, and those of a ladder their rung. Synthetic clips carry both in the
/// picture.
package struct FrameTruth {
  private let tag: SyntheticTag
  /// The first picture that was read of each later run of a live stream: the stream does not say by which number a run begins. Its time is
  /// kept too, because a run may begin between two frames of the run before.
  private var firstFrames: [Int: (time: MediaTime, number: Int)] = [:]
  package private(set) var checked = 0
  /// Frames that show another number than they claim, or none that can be read.
  package private(set) var wrong = 0
  /// Frames that show another rung than they claim, or a number without a rung. An unreadable picture is counted by
  /// `wrong` alone.
  package private(set) var wrongRung = 0
  /// The first mismatch of either kind, for the message.
  package private(set) var firstWrong: String?

  /// Nil for clips that carry no numbers.
  package init?(_ tag: SyntheticTag?) {
    guard let tag else { return nil }
    self.tag = tag
  }

  /// Reads the code from the decoded luma plane and checks it; returns the number where it is readable.
  @discardableResult
  package mutating func check(_ frame: VideoFrame) -> Int? {
    inspect(frame)?.number
  }

  /// As `check`; returns all that the picture shows, nil for frames beyond the clip.
  ///
  /// - Parameters:
  ///   - rung: of the rendition that the frame was decoded from; nil takes the tag's, where it names one.
  ///   - run: how often a live stream's packager had begun again before. Of each later run the first picture that is read tells by which
  ///     number it begins.
  @discardableResult
  package mutating func inspect(_ frame: VideoFrame, rung: Int? = nil, run: Int = 0) -> FrameCode.Reading? {
    let time = frame.presentationTime
    guard let luma = frame.picture.planes.first, tag.frameNumber(at: time) != nil else { return nil }
    let reading = FrameCode.read(
      luma: luma, bitDepth: frame.format.bitDepth, sampleShift: frame.format.sampleShift, layout: tag.projection,
      stereo: tag.stereo)
    if run > 0, firstFrames[run] == nil, let number = reading.number { firstFrames[run] = (time, number) }
    guard let claimed = claimed(at: time, in: run) else { return nil }
    compare(reading, claimed, rung, "decoded frame")
    return reading
  }

  /// The number that a picture of this time is to show; nil beyond the clip.
  private func claimed(at time: MediaTime, in run: Int) -> Int? {
    guard let first = firstFrames[run], let rate = tag.rate.value, tag.frames > 0 else {
      return tag.frameNumber(at: time)
    }
    let frames = Int(saturating: ((time - first.time).seconds * rate).rounded())
    let number = first.number.addingSaturated(frames) % tag.frames
    return number < 0 ? number + tag.frames : number
  }

  /// Reads the code from a rendered view of any direction and checks it.
  ///
  /// - Parameters:
  ///   - pixels: RGBA as read back from the target.
  ///   - rung, run: as for `inspect`.
  package mutating func check(
    _ pixels: [UInt8], of frame: VideoFrame, in view: some CodeView, rung: Int? = nil, run: Int = 0
  ) {
    guard view.shows(tag.projection), let claimed = claimed(at: frame.presentationTime, in: run) else { return }
    let reading = FrameCode.read(tag.projection) { u, v in
      // Green stands in for luma: the code is black and white.
      view.pixel(u, v).map { pixels[$0 * 4 + 1] }
    }
    // A view that need not contain all bits neither proves nor refutes the number.
    guard reading.number != nil || view.mustShow(tag.projection) else { return }
    compare(reading, claimed, rung, "rendered view of the frame")
  }

  private mutating func compare(_ reading: FrameCode.Reading, _ claimed: Int, _ rung: Int?, _ what: String) {
    checked += 1
    // Only made where it is needed: most frames are right, and none is to cost an allocation.
    func claim() -> String { "the \(what) that claims to be \(claimed)" }
    switch reading {
    case .unreadable(let reason):
      wrong += 1
      keep("\(claim()) shows no number: \(reason)")
    case .number(let number), .ladder(let number, _):
      if number != claimed {
        wrong += 1
        keep("\(claim()) shows \(number)")
      }
      if let claimedRung = rung ?? tag.rung, claimedRung != reading.rung {
        wrongRung += 1
        keep("\(claim()) of rung \(claimedRung) shows \(reading.rung.map { "rung \($0)" } ?? "no rung")")
      }
    }
  }

  private mutating func keep(_ text: String) {
    if firstWrong == nil { firstWrong = text }
  }
}

/// Maps places of a picture into a rendered view; implemented by the renderer.
package protocol CodeView {
  var target: PictureSize { get }
  /// Vertical, in degrees, of an upright view; nil where the scale differs over the view, as on a little planet.
  var fieldOfView: Double? { get }

  /// Whether the view maps pictures of this layout.
  func shows(_ layout: FrameCode.Layout) -> Bool
  /// The pixel position in the target of a place in one eye's picture; nil when it is out of view.
  func position(_ u: Double, _ v: Double) -> (x: Double, y: Double)?
}

extension CodeView {
  /// The index of the pixel that shows a place in the picture; nil when it is out of view, or too small to be read.
  fileprivate func pixel(_ u: Double, _ v: Double) -> Int? {
    guard let place = position(u, v), fieldOfView != nil || isLarge(place, u, v) else { return nil }
    return Int(place.y) * target.width + Int(place.x)
  }

  /// An upright view 26° high contains all bits. Of a little planet it depends on the target: its scale varies.
  fileprivate func mustShow(_ layout: FrameCode.Layout) -> Bool {
    if let fieldOfView { return fieldOfView >= 26 && target.height >= 90 }
    return Set(FrameCode.cells(for: layout).filter { pixel($0.u, $0.v) != nil }.map(\.bit)).count == FrameCode.bitCount
  }

  /// A degree, somewhat less than half of a cell's side, is a pixel and a half or more: the code's own measure for what
  /// can be read. The view is conformal: a degree of latitude stands for all directions.
  private func isLarge(_ place: (x: Double, y: Double), _ u: Double, _ v: Double) -> Bool {
    guard let beside = position(u, v < 0.5 ? v + 1.0 / 180 : v - 1.0 / 180) else { return false }
    let (dx, dy) = (beside.x - place.x, beside.y - place.y)
    return dx * dx + dy * dy >= 1.5 * 1.5
  }
}
