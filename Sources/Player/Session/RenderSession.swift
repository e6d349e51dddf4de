import Decode
import Dispatch
import Frames
import GPU
import HTTP
import Logging
import Media
import Render
import Streaming

/// A clip, a device, and a renderer that fit together. One thread at a time.
public final class RenderSession {
  public let device: GPUDevice
  public let reader: FrameReader
  public let renderer: ViewRenderer
  public let interruption: Interruption
  /// What loads the clip, where that is a stream of segments: it ends with the session, or before.
  public let stream: LoadedStream?
  /// Time for opening the device and compiling shaders, mostly in parallel with opening the file.
  public let deviceMilliseconds: Double
  /// The upload strategy and shading in use, with the reason for each automatic choice.
  public let upload: UploadStrategy
  public let shading: Shading
  public let reasons: [OpenChoice: String]
  /// The user's choice of geometry, with what an untagged picture probably is.
  public let choice: GeometryChoice
  private let pool: PicturePool?

  /// The caller's choices for decoding and drawing.
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
    /// The window the device presents to; nil: none. It must outlive the session.
    public var surface: SurfaceSource?

    public init() {}
  }

  /// Opens the file, and in parallel the device and its shaders.
  ///
  /// Throws `Failure`: `.input`, `.media`, `.encrypted` or `.unsupported` for the clip, else `.device`; everything
  /// opened so far is released.
  ///
  /// - Parameter onPhase: called on this thread at the end of each of `open`, `probe`, `device_init` (the part not
  ///   overlapped), `codec_init`, `pipeline_init`.
  public convenience init(
    path: String, options: Options, interruption: Interruption = Interruption(),
    onPhase: (OpeningPhase) -> Void = { _ in }
  ) throws(Failure) {
    // A failure of the file is reported before a failure of the device.
    try checkInput(path)
    let opening = DeviceOpening(options)
    let clip = try OpenedClip(path, options, on: opening, interruption: interruption, onPhase: onPhase)
    try self.init(clip, options: options, on: opening, onPhase: onPhase)
  }

  /// The same for a stream, whose first segment is waited for.
  public convenience init(
    _ stream: LoadedStream, options: Options, interruption: Interruption = Interruption(),
    onPhase: (OpeningPhase) -> Void = { _ in }
  ) throws(Failure) {
    let opening = DeviceOpening(options)
    let clip = try OpenedClip(stream, options, on: opening, interruption: interruption, onPhase: onPhase)
    try self.init(clip, options: options, on: opening, onPhase: onPhase)
  }

  /// - Parameters:
  ///   - clip: owned by the session from now on.
  ///   - opening: the opening the clip was opened with.
  public init(
    _ clip: OpenedClip, options: Options, on opening: DeviceOpening, onPhase: (OpeningPhase) -> Void = { _ in }
  ) throws(Failure) {
    let (device, reader) = (try opening.device(), clip.reader)
    reader.allowsDeepSamples = device.info.features.contains(.deepTextures)
    var choice = options.geometry
    choice.guess = clip.guess
    self.choice = choice
    let (geometry, geometryReasons) = choice.resolve(reader.info)
    try checkSize(reader.info, device)
    let (upload, uploadReason) = try chooseUpload(options.upload, on: device, reader)
    let (pipelines, milliseconds) = try opening.pipelines()
    deviceMilliseconds = milliseconds
    renderer = try ViewRenderer(
      pipelines: pipelines, geometry: geometry, targetSize: options.targetSize, framesInFlight: options.framesInFlight,
      format: reader.info.video.shownFormat(allowsDeep: reader.allowsDeepSamples), color: reader.info.video.color)
    onPhase(.pipelineInit)
    self.device = device
    self.reader = reader
    (interruption, stream) = (clip.interruption, clip.stream)
    pool = clip.pool
    self.upload = upload
    shading = pipelines.shading
    let shadingReason = chooseShading(options, on: device).reason
    let found = [OpenChoice.upload: uploadReason, .shading: shadingReason, .decoder: reader.decoderReason]
      .compactMapValues {
        $0
      }
    reasons = geometryReasons.merging(found) { $1 }
    sessionLog.debug(
      "opened a session",
      metadata: ["upload": "\(upload)", "shading": "\(shading)", "decoder": "\(reader.decoder.name)"])
    for (choice, reason) in reasons {
      sessionLog.debug("choice", metadata: ["of": "\(choice)", "reason": "\(reason)"])
    }
  }

  deinit {
    // Written last: here it delays no frame.
    if let pipelines = device.newPipelines { PipelineFile(device.info).write(pipelines) }
  }

  /// Why memory for the chosen upload was refused; nil where it was not.
  public var uploadRefusal: String? { pool?.refusal }
  /// The problem that retries of the clip's requests wait for; nil while they succeed, and for local files. Any thread.
  public var trouble: NetworkTrouble? { stream?.trouble ?? reader.clip?.trouble }
  /// Pictures made for the decoder so far: constant in the steady state.
  public var picturesMade: Int { pool?.picturesMade ?? 0 }
}

/// The upload strategies that lend memory to decoders, the best first.
private func uploads(_ wanted: UploadStrategy?, on device: GPUDevice) -> [UploadStrategy] {
  let candidates: [UploadStrategy] = wanted.map { $0 == .copy ? [] : [$0] } ?? [.shared, .direct, .staged]
  return candidates.filter { $0.obstacle(on: device) == nil }
}

/// Throws `.unsupported` where the user's own choice cannot be had: only `auto` may take another one.
private func chooseUpload(
  _ wanted: UploadStrategy?, on device: GPUDevice, _ reader: FrameReader
) throws(Failure) -> (UploadStrategy, reason: String?) {
  let (found, reason) = bestUpload(wanted, on: device, decoder: reader.decoder)
  guard wanted == nil || found == wanted else {
    throw Failure(
      .unsupported, "cannot draw '\(reader.info.path)' with --upload \(wanted?.rawValue ?? "")",
      cause: reason ?? "the device cannot do that", remedy: "use --upload auto")
  }
  return (found, reason)
}

private func bestUpload(
  _ wanted: UploadStrategy?, on device: GPUDevice, decoder: DecoderDescription
) -> (UploadStrategy, reason: String?) {
  if wanted == .copy { return (.copy, nil) }
  let possible = uploads(wanted, on: device)
  if possible.contains(.shared), decoder.sharesMemory {
    return (.shared, wanted == nil ? "the device reads what decoder '\(decoder.choice.rawValue)' writes" : nil)
  }
  if wanted == .shared {
    let reason = "decoder '\(decoder.name)' on '\(decoder.choice.rawValue)' shares no memory with the device"
    return (.copy, UploadStrategy.shared.obstacle(on: device) ?? reason)
  }
  guard let best = possible.first(where: { $0 != .shared }) else {
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

/// A clip ready to be decoded into a device's memory. One thread at a time, which need not be the one that opened it.
public struct OpenedClip {
  let reader: FrameReader
  /// Its bytes and description, for further readers of its tracks; nil for streams of segments.
  public var clip: ProbedClip? { reader.clip }
  let pool: PicturePool?
  let interruption: Interruption
  let guess: GeometryGuess?
  let stream: LoadedStream?

  /// Throws as `RenderSession.init` does for the clip and the device.
  ///
  /// - Parameter onPhase: called on this thread at the end of each of `open`, `probe`, `device_init` and `codec_init`.
  public init(
    _ path: String, _ options: RenderSession.Options, on opening: DeviceOpening,
    interruption: Interruption = Interruption(), onPhase: (OpeningPhase) -> Void = { _ in }
  ) throws(Failure) {
    var options = options
    options.decoder.network = try options.decoder.network.withKeys(of: path, interruption: interruption)
    let memory = DecoderMemory(options, opening)
    let reader = try FrameReader(
      path: path, options: options.decoder, allocator: try memory.open(onPhase), interruption: interruption,
      onPhase: onPhase)
    self.init(reader, memory.pool, options, interruption, nil)
  }

  /// The video of a stream; waits for its first segment.
  public init(
    _ stream: LoadedStream, _ options: RenderSession.Options, on opening: DeviceOpening,
    interruption: Interruption = Interruption(), onPhase: (OpeningPhase) -> Void = { _ in }
  ) throws(Failure) {
    let packets = try stream.packets(interruption: interruption)
    onPhase(.open)
    let memory = DecoderMemory(options, opening)
    let reader = try FrameReader(
      packets, packets.info, options: options.decoder, allocator: try memory.open(onPhase), onPhase: onPhase)
    self.init(reader, memory.pool, options, interruption, stream)
  }

  private init(
    _ reader: FrameReader, _ pool: PicturePool?, _ options: RenderSession.Options, _ interruption: Interruption,
    _ stream: LoadedStream?
  ) {
    (self.reader, self.pool, self.interruption, self.stream) = (reader, pool, interruption, stream)
    let choice = options.geometry
    let isWanted = choice.acceptsGuess && choice.guess == nil
    guess = isWanted ? reader.clip.flatMap { GeometryGuess.of($0, interruption: interruption) } : choice.guess
  }
}

/// The memory that a decoder writes into, made once its device is open.
private final class DecoderMemory {
  private let options: RenderSession.Options
  private let opening: DeviceOpening
  /// Nil before `open`, and where no way of uploading lends memory.
  private(set) var pool: PicturePool?

  init(_ options: RenderSession.Options, _ opening: DeviceOpening) { (self.options, self.opening) = (options, opening) }

  func open(_ onPhase: (OpeningPhase) -> Void) throws(Failure) -> PicturePool? {
    let device = try opening.device()
    onPhase(.deviceInit)
    let possible = uploads(options.upload, on: device)
    pool = possible.isEmpty ? nil : PicturePool(device: device, strategies: possible)
    return pool
  }
}
