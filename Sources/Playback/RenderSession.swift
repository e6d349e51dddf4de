import Decode
import Dispatch
import Frames
import GPU
import Render

/// A clip, a device, and a renderer that fit together. One thread at a time.
public final class RenderSession {
  public let device: GPUDevice
  public let reader: FrameReader
  public let renderer: ViewRenderer
  public let interruption: Interruption
  /// How long opening the device and compiling shaders took, mostly beside opening the file.
  public let deviceMilliseconds: Double
  /// How frames get to the GPU and who draws them, and why each choice that was left to us fell as it did.
  public let upload: UploadStrategy
  public let shading: Shading
  public let reasons: [String: String]
  private let pool: PicturePool?
  private let pipelines: ViewPipelines

  public struct Options: Sendable {
    public var decoder = DecoderOptions()
    /// Nil is `auto`.
    public var upload: UploadStrategy?
    /// Nil is `auto`.
    public var shading: Shading?
    public var device = "auto"
    public var requiresGPU = false
    public var validates = false
    public var geometry = GeometryChoice()
    public var targetSize = PictureSize(width: 1280, height: 720)
    public var framesInFlight = 3
    /// A window that the device is to show pictures in; nil: none. It must outlive the session.
    public var surface: SurfaceSource?

    public init() {}
  }

  /// The device is opened and shaders are compiled beside opening the file.
  ///
  /// - Parameters:
  ///   - before: whose device and shaders are used again, whatever the options say of them; it draws no more.
  ///   - onPhase: told the end of each of `open`, `probe`, `device_init` (what of it had to be waited for), `codec_init`,
  ///     `pipeline_init`.
  public init(
    path: String, options: Options, interruption: Interruption = Interruption(), after before: RenderSession? = nil,
    onPhase: (String) -> Void = { _ in }
  ) throws(Failure) {
    // What is wrong with the file is told before what is wrong with the device.
    try checkInput(path)
    let opening = before.map { DeviceOpening($0.device, $0.pipelines) } ?? DeviceOpening(options)
    var pool: PicturePool?
    func makePool() throws(Failure) -> PicturePool? {
      let device = try opening.device()
      onPhase("device_init")
      let possible = uploads(options.upload, on: device)
      pool = possible.isEmpty ? nil : PicturePool(device: device, strategies: possible)
      return pool
    }
    let reader = try FrameReader(
      path: path, options: options.decoder, allocator: try makePool(), interruption: interruption, onPhase: onPhase)
    let device = try opening.device()
    reader.allowsDeepSamples = device.info.features.contains(.deepTextures)
    let (geometry, geometryReasons) = options.geometry.resolve(reader.info)
    try checkSize(reader.info, device)
    let (upload, uploadReason) = chooseUpload(options.upload, on: device, decoder: reader.decoder)
    let (pipelines, milliseconds) = try opening.pipelines()
    deviceMilliseconds = milliseconds
    renderer = try ViewRenderer(
      pipelines: pipelines, geometry: geometry, targetSize: options.targetSize, framesInFlight: options.framesInFlight,
      format: reader.info.video.shownFormat(allowsDeep: reader.allowsDeepSamples), color: reader.info.video.color)
    onPhase("pipeline_init")
    self.device = device
    self.reader = reader
    self.interruption = interruption
    self.pool = pool
    self.pipelines = pipelines
    self.upload = upload
    shading = pipelines.shading
    let shadingReason = chooseShading(options, on: device).reason
    let found = ["upload": uploadReason, "shading": shadingReason].compactMapValues { $0 }
    reasons = geometryReasons.merging(found) { $1 }
  }

  deinit {
    // Nobody waits for it any more.
    if let pipelines = device.newPipelines { PipelineFile(device.info).write(pipelines) }
  }

  /// Why frames were not uploaded as chosen; nil when they were, and where it is not the memory's fault.
  public var uploadRefusal: String? { pool?.refusal }
  /// Pictures made for the decoder so far: constant in the steady state.
  public var picturesMade: Int { pool?.picturesMade ?? 0 }
}

/// A device that is opened on a thread of its own, which then compiles the shaders that are likely to be needed.
///
/// Goes only when the thread is done. One thread at a time.
private final class DeviceOpening {
  /// The thread's; written before it signals or ends, read after it has been waited for.
  private final class Work: @unchecked Sendable {
    var device: Result<GPUDevice, Failure>?
    var pipelines: Result<ViewPipelines, Failure>?
    var milliseconds = 0.0
    let hasDevice = DispatchSemaphore(value: 0)
  }
  private let work = Work()
  /// Nil where both were there already.
  private let thread: WorkerThread?
  private var isDone = false

  init(_ device: GPUDevice, _ pipelines: ViewPipelines) {
    thread = nil
    work.device = .success(device)
    work.pipelines = .success(pipelines)
    work.hasDevice.signal()
  }

  init(_ options: RenderSession.Options) {
    thread = WorkerThread { [work] in
      let start = MonotonicTime.now
      let device = Result { () throws(Failure) in
        try GPUDevice(
          options.device, requireGPU: options.requiresGPU, validate: options.validates, surface: options.surface
        ) { PipelineFile($0).read() }
      }
      work.device = device
      work.hasDevice.signal()
      work.pipelines = Result { () throws(Failure) in try makePipelines(on: device.get(), options) }
      work.milliseconds = MonotonicTime.now.milliseconds(since: start)
    }
  }

  deinit {
    if !isDone { thread?.join() }
    // The thread may be a moment longer about ending: what it opened does not stay for it.
    (work.device, work.pipelines) = (nil, nil)
  }

  /// Waits for it.
  func device() throws(Failure) -> GPUDevice {
    work.hasDevice.wait()
    work.hasDevice.signal()
    guard let device = work.device else { preconditionFailure("the thread signals that there is a result") }
    return try device.get()
  }

  /// Waits for them, and for all the time that the thread took.
  func pipelines() throws(Failure) -> (ViewPipelines, milliseconds: Double) {
    if !isDone { thread?.join() }
    isDone = true
    guard let pipelines = work.pipelines else { preconditionFailure("the thread ends with a result") }
    return (try pipelines.get(), work.milliseconds)
  }
}

/// Compiles what is likely to be needed: the projection that was named, or those that files usually have.
private func makePipelines(on device: GPUDevice, _ options: RenderSession.Options) throws(Failure) -> ViewPipelines {
  let pipelines = try ViewPipelines(device: device, shading: chooseShading(options, on: device).shading)
  let usual: [Projection] = options.geometry.sphere == .mesh ? [.equirectangular] : [.flat, .equirectangular]
  for projection in options.geometry.projection.map({ [$0] }) ?? usual {
    try pipelines.prepare(PictureGeometry(projection: projection, sphere: options.geometry.sphere))
  }
  return pipelines
}

private func chooseShading(_ options: RenderSession.Options, on device: GPUDevice) -> (
  shading: Shading, reason: String?
) {
  if let wanted = options.shading { return (wanted, nil) }
  if options.geometry.sphere == .mesh { return (.fragment, "a mesh is drawn by fragment shaders") }
  return Shading.automatic(on: device.info)
}

/// The ways in which decoders can be given memory, the best first.
private func uploads(_ wanted: UploadStrategy?, on device: GPUDevice) -> [UploadStrategy] {
  let candidates: [UploadStrategy] = wanted.map { $0 == .copy ? [] : [$0] } ?? [.direct, .staged]
  return candidates.filter { $0.obstacle(on: device) == nil }
}

private func chooseUpload(
  _ wanted: UploadStrategy?, on device: GPUDevice, decoder: DecoderDescription
) -> (UploadStrategy, reason: String?) {
  if wanted == .copy { return (.copy, nil) }
  guard let best = uploads(wanted, on: device).first else {
    return (.copy, (wanted ?? .staged).obstacle(on: device))
  }
  if !decoder.canRenderDirectly { return (.copy, "decoder \(decoder.name) cannot write into memory of ours") }
  if wanted != nil { return (best, nil) }
  return (best, UploadStrategy.direct.obstacle(on: device) ?? "the device samples what the decoder writes")
}

private func checkSize(_ info: MediaInfo, _ device: GPUDevice) throws(Failure) {
  let size = info.video.size
  let largest = device.info.maxImageSize
  guard size.width <= largest, size.height <= largest else {
    throw Failure(
      .unsupported, "cannot render '\(info.path)'",
      cause: "its picture of \(size) is larger than the largest image of device '\(device.info.name)', \(largest)",
      remedy: "scale the clip down, or use another --device")
  }
}
