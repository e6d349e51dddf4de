import Decode
import Frames
import GPU
import Playback
import Render
import Session
import TestPicture
import Verdict

/// The GPU alone: a few frames, decoded beforehand, are drawn again and again.
struct RenderScenario: MeasuredScenario {
  let suites = Suite.each([nil])

  /// Enough frames that their pictures do not stay in the caches, as a single one would.
  private static let heldFrames = 8

  func run(_ trial: Trial) throws(Failure) {
    trial.stage("open")
    let session = try RenderSession(
      path: trial.request.input, options: trial.request.settings.sessionOptions(), interruption: trial.interruption)
    trial.add(session)
    trial.stage("decode")
    var frames: [VideoFrame] = []
    while frames.count < Self.heldFrames, !trial.shouldStop, let frame = try trial.next(session.reader.next) {
      frames.append(frame)
    }
    trial.stage("render")
    let rate = session.reader.info.video.frameRate.value ?? 25
    let target = trial.frameTarget(rate: rate)
    var check = RenderCheck(session, trial)
    var index = 0
    while index < target, !frames.isEmpty, !trial.shouldStop, !trial.isOverdue(after: index) {
      let camera = trial.camera(atFrame: index, rate: rate)
      trial.trace?.begin(frames[index % frames.count])
      try check.render(frames[index % frames.count], camera: camera, isLast: index == target - 1)
      trial.progress(Double(index) / Double(target))
      index += 1
    }
    try check.finish()
    if let frame = frames.first { trial.facts.add(conversionOf: frame) }
    trial.addProcessCosts()
    trial.stage("compare")
    for (frame, index) in [(frames.first, 0), (frames.last, target - 1)] {
      guard let frame, !trial.shouldStop else { continue }
      try compare(frame, trial.camera(atFrame: index, rate: rate), session, trial)
    }
  }

  /// How far one more view lies from the reference, after all timing.
  private func compare(
    _ frame: VideoFrame, _ camera: Camera, _ session: RenderSession, _ trial: Trial
  ) throws(Failure) {
    let renderer = session.renderer
    var views = try renderer.render(frame, camera: camera, wantsPixels: true)
    views += try renderer.drain()
    guard let pixels = views.last?.pixels else { return }
    trial.addError(of: pixels, frame: frame, camera: camera, renderer)
  }
}

/// Draws, collects the GPU's times of each view, and reads some views back to check them.
struct RenderCheck {
  private let session: RenderSession
  private let trial: Trial
  private var truth: FrameTruth?
  private var submitted = 0
  /// Cameras of the views in flight that will be read back, by frame.
  private var cameras: [Camera] = []
  /// Frames by the upload strategy in use.
  private var uploads: [UploadStrategy: Int] = [:]
  private var convertedFrames = 0
  private(set) var lastCompletion: MonotonicTime?
  /// Views finish in the order in which their frames were taken, each once.
  private let tracesInOrder: Bool
  /// The rung of a stream's frame, and how often its packager had begun again before; nil and 0 for other clips.
  private let source: (VideoFrame) -> (rung: Int?, run: Int)
  /// The first picture showed one beside its number: it is a ladder's, and each must.
  private var showsRungs = false

  /// One of this many views is read back: rarely enough not to affect times, often enough to find errors.
  static let readbackInterval = 16

  init(
    _ session: RenderSession, _ trial: Trial, tracesInOrder: Bool = true,
    source: @escaping (VideoFrame) -> (rung: Int?, run: Int) = { _ in (nil, 0) }
  ) {
    self.session = session
    self.trial = trial
    truth = FrameTruth(session.reader.info.synthetic)
    (self.tracesInOrder, self.source) = (tracesInOrder, source)
  }

  mutating func render(_ frame: VideoFrame, camera: Camera, isLast: Bool) throws(Failure) {
    let shown = number(of: frame)
    trial.trace?.shows(shown)
    let wantsPixels = truth != nil && (submitted % Self.readbackInterval == 0 || isLast)
    submitted += 1
    if wantsPixels { cameras.append(camera) }
    try session.renderer.render(frame, camera: camera, wantsPixels: wantsPixels) { add($0) }
  }

  /// Compares the number that the decoded frame shows with the expected one; nil where there is none.
  mutating func number(of frame: VideoFrame) -> Int? {
    let (rung, run) = source(frame)
    let reading = truth?.inspect(frame, rung: showsRungs ? rung : nil, run: run)
    showsRungs = showsRungs || reading?.rung != nil && rung != nil
    return reading?.number
  }

  /// A view drawn by another component.
  mutating func add(_ view: FrameRing.Finished, camera: Camera) {
    submitted += 1
    if view.pixels != nil { cameras.append(camera) }
    add(view)
  }

  /// Waits for the views in flight, and records the results.
  mutating func finish() throws(Failure) {
    try session.renderer.drain { add($0) }
    trial.add(truth)
    if showsRungs, let truth { trial.count(.wrongRung, truth.wrongRung) }
    trial.addValidation(session.device)
    trial.add(session.reader)
    if submitted > 0 { trial.facts.colorConversion = session.renderer.conversion.description }
    addUpload()
  }

  /// The chosen strategy may be impossible for this clip.
  private func addUpload() {
    guard let most = uploads.max(by: { $0.value < $1.value })?.key, most != session.upload else { return }
    trial.facts.upload = most.rawValue
    let reason =
      convertedFrames > 0
      ? "frames that libswscale made are copied" : "the decoder moved its pictures by cropping"
    trial.facts.reasons[.upload] = session.reader.sharingRefusal ?? session.uploadRefusal ?? reason
  }

  private mutating func add(_ view: FrameRing.Finished) {
    trial.add(.uploadCPU, view.uploadMilliseconds)
    trial.add(.uploadGPU, view.uploadGPUMilliseconds)
    trial.add(.renderGPU, view.renderGPUMilliseconds)
    // A first picture that arrived while the clip was opened is always copied.
    if !session.reader.decodedFirstWhileOpening || view.frame.index > 0 { uploads[view.upload, default: 0] += 1 }
    if view.frame.convertedFrom != nil { convertedFrames += 1 }
    if let last = lastCompletion { trial.add(.frameInterval, view.completed.milliseconds(since: last)) }
    lastCompletion = view.completed
    if tracesInOrder { trial.trace?.finished(view) }
    if let pixels = view.pixels, !cameras.isEmpty {
      let (rung, run) = source(view.frame)
      truth?.check(
        pixels, of: view.frame, geometry: session.renderer.geometry, target: session.renderer.targetSize,
        camera: cameras.removeFirst(), rung: showsRungs ? rung : nil, run: run)
    }
  }
}

extension Trial {
  func camera(atFrame index: Int, rate: Double) -> Camera {
    let viewing = request.settings.viewing
    return viewing.motion.camera(from: viewing.startingCamera, at: MediaTime(seconds: Double(index) / rate))
  }

  /// How far a view that was read back lies from the reference for `camera`.
  ///
  /// Records nothing if the CPU cannot read the frame's samples.
  func addError(of pixels: [UInt8], frame: VideoFrame, camera: Camera, _ renderer: ViewRenderer) {
    guard frame.isInHostMemory else { return }
    let error = ViewError(
      of: pixels,
      reference: ExactTwin(
        frame: frame, geometry: renderer.geometry, camera: camera, target: renderer.targetSize),
      seed: request.settings.repetition.seed)
    add(.weightedPSNR, error.weightedPSNR)
    add(.maxError, error.largest)
  }

  func add(_ session: RenderSession) {
    facts.upload = session.upload.rawValue
    facts.shading = session.shading.rawValue
    facts.reasons = named(session.reasons)
    add(session.reader)
    session.renderer.tellsInstants = trace != nil
  }

  /// The decoder in use: a hardware decoder may have failed meanwhile.
  func add(_ reader: FrameReader) {
    facts.decoder = reader.decoder
    facts.reasons[.decoder] = reader.decoderReason ?? facts.reasons[.decoder]
    if let text = reader.endsEarly, !facts.warnings.contains(where: { $0.code == WarningCode.endsEarly.rawValue }) {
      facts.warnings.append(
        .init(
          code: .endsEarly, text: text + "; the frames before were measured",
          remedy: "copy or download the file again to measure all of it"))
    }
    let formats = reader.formats
    facts.warnings.removeAll { $0.code == WarningCode.formatChanges.rawValue }
    // A stream's rungs are formats of their own.
    if formats.count > 1, reader.clip != nil {
      facts.warnings.append(
        .init(
          code: .formatChanges,
          text: "the video's format changes in mid-clip: " + formats.map(\.description).joined(separator: "; then "),
          remedy: "figures are of all formats together; cut the clip to compare them"))
    }
  }

  /// A validation message is a bug of this program or of the driver: always reported.
  func addValidation(_ device: GPUDevice) {
    for message in device.instance.validation.messages {
      facts.warnings.append(
        .init(code: .validation, text: message, remedy: "report it with this record"))
    }
  }
}
