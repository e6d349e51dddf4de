import Decode
import Frames
import GPU
import Media
import Playback
import Render
import Session
import Verdict

/// Seeking: jumps, slider drags, and single-frame steps.
struct ScrubScenario: MeasuredScenario {
  let variants: [String?] = ScrubVariant.all.map(\.name)
  let usualVariants: [String?] = ScrubVariant.usual.map(\.name)
  let suites: [Suite: [String?]] = [
    .full: [ScrubVariant(.random, .exact).name, ScrubVariant(.dragForward, .halfPixel).name]
  ]

  /// Pixels of the slider.
  static let sliderWidth = 1280

  func repetitions(variant: String?, of info: MediaInfo) -> Int? {
    guard variant.flatMap(ScrubVariant.init(name:))?.isLong == true else { return nil }
    return ScrubVariant.repetitions(ofSeconds: info.durationSeconds)
  }

  func run(_ trial: Trial) throws(Failure) {
    guard let variant = trial.request.variant.flatMap(ScrubVariant.init(name:)) else {
      throw Failure(
        .usage, "cannot run scenario 'scrub/\(trial.request.variant ?? "")'", cause: "there is no such variant")
    }
    trial.stage("open")
    let session = try RenderSession(
      path: trial.request.input, options: trial.request.settings.sessionOptions(), interruption: trial.interruption)
    trial.add(session)
    trial.stage("find the end")
    guard let last = try lastFrame(session.reader) else { return }
    var view = ScrubView(session, trial)
    // Warm up shaders, textures and the decoder before timing.
    try view.show(last, isMeasured: false)
    let feed = FrameFeed(reader: session.reader, interruption: trial.interruption, start: .ordered)
    defer { feed.stop() }
    trial.stage(variant.pattern.rawValue)
    let slider = ScrubSlider(duration: last.presentationTime, width: Self.sliderWidth)
    var measure = ScrubMeasure(trial, feed, view, slider, variant)
    do throws(Failure) {
      switch variant.pattern.kind {
      case .jumps: try measure.jump()
      case .drag: try measure.drag()
      case .steps: try measure.step()
      }
    } catch {
      // The user's stop cut the read short: keep the measurements so far.
      guard error.kind == .cancelled, trial.shouldStop else { throw error }
    }
    try measure.finish()
  }

  /// The limit of exact seeks; at the duration that a container states there may be no frame.
  private func lastFrame(_ reader: FrameReader) throws(Failure) -> VideoFrame? {
    guard let seconds = reader.info.durationSeconds else {
      throw Failure(
        .unsupported, "cannot scrub '\(reader.info.path)'", cause: "nothing tells how long it is",
        remedy: "put the clip into MP4 or Matroska")
    }
    return try reader.seek(SeekRequest(target: MediaTime(seconds: seconds + 1)))
  }
}

/// Shows frames that seeks landed on, and checks their numbers.
struct ScrubView {
  private let session: RenderSession
  private let trial: Trial
  private var check: RenderCheck
  private var shown = 0

  init(_ session: RenderSession, _ trial: Trial) {
    self.session = session
    self.trial = trial
    check = RenderCheck(session, trial)
  }

  /// Draws a frame and waits for the GPU; returns when completion was noticed.
  @discardableResult
  mutating func show(_ frame: VideoFrame, isMeasured: Bool = true) throws(Failure) -> MonotonicTime {
    let camera = trial.request.settings.viewing.startingCamera
    let wantsPixels = isMeasured && shown % RenderCheck.readbackInterval == 0
    var finished: FrameRing.Finished?
    if isMeasured { trial.trace?.decoded(frame) }
    try session.renderer.render(frame, camera: camera, wantsPixels: wantsPixels) { finished = $0 }
    try session.renderer.drain { finished = $0 }
    guard let finished, isMeasured else { return .now }
    shown += 1
    check.add(finished, camera: camera)
    trial.facts.add(conversionOf: frame)
    trial.count(.presented)
    return finished.completed
  }

  /// The count of frame numbers in the clip, after which they repeat; nil if its frames show none.
  var numbers: Int? { session.reader.info.synthetic?.frames }

  /// The number that the frame shows; nil where there is none. Not part of any time.
  mutating func number(of frame: VideoFrame) -> Int? {
    let number = check.number(of: frame)
    trial.trace?.shows(number)
    return number
  }

  mutating func finish() throws(Failure) { try check.finish() }
}
