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

  /// Enough for the pictures not to stay in the caches that one alone would fill.
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
    for index in 0..<target where !trial.shouldStop && !frames.isEmpty {
      let camera = trial.camera(atFrame: index, rate: rate)
      trial.trace?.begin(frames[index % frames.count])
      try check.render(frames[index % frames.count], camera: camera, isLast: index == target - 1)
      trial.progress(Double(index) / Double(target))
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

  /// How far one more view lies from the reference: after everything that is timed.
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

/// Draws, collects what the GPU says of each view, and reads some views back to see whether they are right.
struct RenderCheck {
  private let session: RenderSession
  private let trial: Trial
  private var truth: FrameTruth?
  private var submitted = 0
  /// Cameras of the views in flight that will be read back, by frame.
  private var cameras: [Camera] = []
  /// Frames by how they were really uploaded.
  private var uploads: [UploadStrategy: Int] = [:]
  private var convertedFrames = 0
  private(set) var lastCompletion: MonotonicTime?
  /// Views finish in the order in which their frames were taken, each once.
  private let tracesInOrder: Bool

  /// One view in so many is read back: seldom enough not to count, often enough to notice.
  static let readbackInterval = 16

  init(_ session: RenderSession, _ trial: Trial, tracesInOrder: Bool = true) {
    self.session = session
    self.trial = trial
    truth = FrameTruth(session.reader.info.synthetic)
    self.tracesInOrder = tracesInOrder
  }

  mutating func render(_ frame: VideoFrame, camera: Camera, isLast: Bool) throws(Failure) {
    let shown = truth?.check(frame)
    trial.trace?.shows(shown)
    let wantsPixels = truth != nil && (submitted % Self.readbackInterval == 0 || isLast)
    submitted += 1
    if wantsPixels { cameras.append(camera) }
    try session.renderer.render(frame, camera: camera, wantsPixels: wantsPixels) { add($0) }
  }

  /// What the decoded frame shows, held against what it claims; nil where there is no number.
  mutating func number(of frame: VideoFrame) -> Int? { truth?.check(frame) }

  /// A view that somebody else drew.
  mutating func add(_ view: FrameRing.Finished, camera: Camera) {
    submitted += 1
    if view.pixels != nil { cameras.append(camera) }
    add(view)
  }

  /// Waits for what is in flight, and records what was found.
  mutating func finish() throws(Failure) {
    try session.renderer.drain { add($0) }
    trial.add(truth)
    trial.addValidation(session.device)
    trial.add(session.reader)
    if submitted > 0 { trial.facts.colorConversion = session.renderer.conversion.description }
    addUpload()
  }

  /// What was chosen need not have been possible for this clip.
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
    // A first picture that came while the clip was opened is copied whatever was chosen.
    if !session.reader.decodedFirstWhileOpening || view.frame.index > 0 { uploads[view.upload, default: 0] += 1 }
    if view.frame.convertedFrom != nil { convertedFrames += 1 }
    if let last = lastCompletion { trial.add(.frameInterval, view.completed.milliseconds(since: last)) }
    lastCompletion = view.completed
    if tracesInOrder { trial.trace?.finished(view) }
    if let pixels = view.pixels, !cameras.isEmpty {
      truth?.check(
        pixels, of: view.frame, geometry: session.renderer.geometry, target: session.renderer.targetSize,
        camera: cameras.removeFirst())
    }
  }
}

extension Trial {
  func camera(atFrame index: Int, rate: Double) -> Camera {
    request.settings.motion.camera(
      from: request.settings.startingCamera, at: MediaTime(seconds: Double(index) / rate))
  }

  /// How far a view that was read back lies from the reference that looks where `camera` does.
  ///
  /// Nothing where the frame's samples are out of the CPU's reach.
  func addError(of pixels: [UInt8], frame: VideoFrame, camera: Camera, _ renderer: ViewRenderer) {
    guard frame.isInHostMemory else { return }
    let error = ViewError(
      of: pixels,
      reference: ExactTwin(
        frame: frame, geometry: renderer.geometry, camera: camera, target: renderer.targetSize),
      seed: request.settings.seed)
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

  /// Who decodes: a hardware decoder may have given up meanwhile.
  func add(_ reader: FrameReader) {
    facts.decoder = reader.decoder
    facts.reasons[.decoder] = reader.decoderReason ?? facts.reasons[.decoder]
    if let text = reader.endsEarly, !facts.warnings.contains(where: { $0.code == WarningCode.endsEarly.rawValue }) {
      facts.warnings.append(
        .init(
          code: .endsEarly, text: text + ": what is there was looped",
          remedy: "copy or download the file again to measure all of it"))
    }
  }

  /// A validation message is a bug of ours or of the driver's: never silent.
  func addValidation(_ device: GPUDevice) {
    for message in device.instance.validation.messages {
      facts.warnings.append(
        .init(code: .validation, text: message, remedy: "report it with this record"))
    }
  }
}
