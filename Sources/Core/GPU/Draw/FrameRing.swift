internal import CVulkan
import Frames

/// Draws frames with several in flight: while the GPU draws one, the next is uploaded and recorded. They are drawn
/// offscreen, and shown in a window where the work says so: at once (`submit`), or when it is time (`prepare`, `showPrepared`).
///
/// One thread at a time. Frames given to it stay alive until the GPU's timeline says they are done with.
public final class FrameRing {
  /// Of views from now on. Where it differs from the last one's, each slot's target is made anew when the slot is free:
  /// frames in flight keep theirs.
  public var targetSize: PictureSize
  public let framesInFlight: Int
  let device: GPUDevice
  let interface: ShaderInterface
  private let timeline: TimelineSemaphore
  /// The last value promised so far.
  private var promised: UInt64 = 0
  /// Of the queue for copies, with values of its own; nil where there is none.
  private let copies: TimelineSemaphore?
  private let slots: [FrameSlot]
  /// Frames so far.
  private var submissions: UInt64 = 0
  /// The last value promised by the queue for copies; a frame whose draw was not submitted takes one as well.
  private var copiesSent: UInt64 = 0
  private var collected: UInt64 = 0
  /// The newest frame's, where that was prepared and is neither shown nor discarded.
  private var prepared: FrameSlot?
  private var calibration: ClockCalibration?

  /// Whether finished frames tell at which instants the GPU worked on them, not only for how long.
  public var tellsInstants = false {
    didSet { calibration = tellsInstants ? ClockCalibration(device: device) : nil }
  }

  public init(device: GPUDevice, interface: ShaderInterface, targetSize: PictureSize, framesInFlight: Int = 3)
    throws(Failure)
  {
    self.device = device
    self.interface = interface
    self.targetSize = targetSize
    self.framesInFlight = framesInFlight
    timeline = try TimelineSemaphore(device: device)
    copies = device.queues.copying == nil ? nil : try TimelineSemaphore(device: device)
    var slots: [FrameSlot] = []
    for _ in 0..<framesInFlight {
      slots.append(try FrameSlot(device: device, interface: interface, target: targetSize))
    }
    self.slots = slots
  }

  deinit {
    // Nothing that the GPU still uses may go.
    _ = try? copies?.wait(for: copiesSent)
    _ = try? timeline.wait(for: promised)
  }

  /// Submits one frame; blocks only while all slots are in flight. Allocates nothing once every slot has been used.
  ///
  /// After a failure nothing of this frame is in flight; the frames before it are, and the ring can be used again.
  ///
  /// - Parameter onFinished: is told the frames that have been finished since the last call, in order.
  public func submit(_ work: Work, onFinished: (Finished) -> Void) throws(Failure) {
    try begin(work, isPrepared: false, onFinished)
  }

  /// Uploads and draws one frame that `showPrepared` shows later; blocks as `submit` does, and fails as it does.
  ///
  /// Only the newest frame can be prepared: the next `submit` or `prepare` discards it. Earlier frames are reported as
  /// usual when they finish, the prepared one after it was shown.
  ///
  /// - Parameter work: with neither layer nor swapchain: those are of the moment in which it is shown.
  public func prepare(_ work: Work, onFinished: (Finished) -> Void) throws(Failure) {
    precondition(work.layer == nil && work.swapchain == nil, "what lies over a prepared view is drawn when it is shown")
    try begin(work, isPrepared: true, onFinished)
  }

  /// A frame was prepared, and neither shown nor discarded.
  public var hasPrepared: Bool { prepared != nil }

  /// Discards the prepared frame, if any: it is neither shown nor reported. The GPU may still be drawing it.
  public func discardPrepared() {
    prepared?.inFlight?.isDiscarded = true
    prepared = nil
  }

  /// Shows the prepared frame, which there must be; waits for no drawing. After a failure it is discarded, and the ring can be
  /// used again.
  ///
  /// - Parameters:
  ///   - layer: drawn over it; nothing is where there is no window to show it in.
  ///   - swapchain: of the window that shows it; nil: none does.
  public func showPrepared(layer: QuadLayer? = nil, on swapchain: Swapchain? = nil) throws(Failure) {
    guard let slot = prepared else { preconditionFailure("no frame is prepared") }
    discardPrepared()
    if let swapchain, let acquired = try swapchain.acquire(signalling: slot.imageReady()) {
      slot.arguments.end()
      if let layer { try slot.quads.take(layer) }
      let commands = try slot.commandsToShow()
      try recordShow(slot, layer, on: acquired, commands)
      try submit(commands, slot, after: nil, signalling: timeline, promised + 1, showing: acquired)
      promised += 1
      slot.inFlight?.value = promised
      slot.inFlight?.drawer = layer?.drawer
      slot.inFlight?.isDiscarded = false
      try present(acquired, on: swapchain, slot)
    }
    slot.inFlight?.isDiscarded = false
  }

  /// Waits for everything submitted.
  public func drain(onFinished: (Finished) -> Void) throws(Failure) {
    try timeline.wait(for: promised)
    collect(onFinished)
  }

  private func collect(_ onFinished: (Finished) -> Void) {
    let reached = timeline.value
    while collected < submissions {
      let slot = slots[Int(collected % UInt64(framesInFlight))]
      guard slot !== prepared, let work = slot.inFlight, work.value <= reached else { return }
      collected += 1
      slot.inFlight = nil
      let finished = finish(work, slot)
      if !work.isDiscarded { onFinished(finished) }
    }
  }

  private func begin(_ work: Work, isPrepared: Bool, _ onFinished: (Finished) -> Void) throws(Failure) {
    discardPrepared()
    let slot = slots[Int(submissions % UInt64(framesInFlight))]
    if let busy = slot.inFlight { try timeline.wait(for: busy.value) }
    collect(onFinished)
    slot.arguments.end()
    let started = MonotonicTime.now
    try slot.fit(targetSize)
    let (samples, upload) = try slot.samples(of: work.frame)
    let moving = upload == .copy ? MonotonicTime.now.milliseconds(since: started) : 0
    let textures = try slot.textures(for: samples, of: work.frame)
    slot.bindings.write(uniforms: work.eye.uniforms, view: 0)
    if let other = work.otherEye { slot.bindings.write(uniforms: other.uniforms, view: 1) }
    slot.bindings.bind(textures, sampling: work.sampling, slot.arguments)
    if let layer = work.layer { try slot.quads.take(layer) }
    slot.timestamps.reset()
    let value = promised + 1
    let isApart = try sendCopies(samples, textures, slot)
    let acquired: Swapchain.Acquired?
    let submitted: MonotonicTime
    do throws(Failure) {
      acquired = try work.swapchain?.acquire(signalling: slot.imageReady())
      submitted = try send(
        work, isApart ? .textures(textures) : samples, textures, slot, value, after: isApart ? copies : nil,
        isPrepared ? .later : acquired.map(Showing.on) ?? .nowhere)
    } catch {
      // The slot is used again at once.
      if isApart { try? copies?.wait(for: copiesSent) }
      throw error
    }
    submissions += 1
    promised = value
    slot.inFlight = FrameSlot.InFlight(
      value: value, frame: work.frame, started: started, submitted: submitted, uploadMilliseconds: moving,
      upload: upload, wantsPixels: work.wantsPixels, drawer: work.layer?.drawer)
    if isPrepared { prepared = slot }
    if let swapchain = work.swapchain, let acquired { try present(acquired, on: swapchain, slot) }
  }

  private func present(_ acquired: Swapchain.Acquired, on swapchain: Swapchain, _ slot: FrameSlot) throws(Failure) {
    slot.inFlight?.acquired = acquired
    slot.inFlight?.swapchain = swapchain
    slot.inFlight?.present = try swapchain.present(acquired, slot.arguments)
  }

  /// Records the draw and submits it; no other work with the picture comes between.
  ///
  /// - Returns: the instant of the submission.
  private func send(
    _ work: Work, _ samples: Samples, _ textures: PictureTextures, _ slot: FrameSlot, _ value: UInt64,
    after: TimelineSemaphore?, _ showing: Showing
  ) throws(Failure) -> MonotonicTime {
    let passage = textures.handover?.begin()
    var isSubmitted = false
    defer { textures.handover?.end(isSubmitted: isSubmitted) }
    try record(work, samples, textures, passage, in: slot, showing)
    let now = MonotonicTime.now
    try submit(slot.commands, slot, after: after, passage, signalling: timeline, value, showing: showing.acquired)
    isSubmitted = true
    return now
  }

  /// Submits copies to their own queue, where the device has one; returns whether it did.
  private func sendCopies(
    _ samples: Samples, _ textures: PictureTextures, _ slot: FrameSlot
  ) throws(Failure) -> Bool {
    guard case .buffer(let buffer) = samples, let copies, let commands = slot.copyCommands else { return false }
    try recordCopiesApart(buffer, textures, commands, slot)
    try submit(commands, slot, after: nil, signalling: copies, copiesSent + 1)
    copiesSent += 1
    return true
  }

  /// - Parameters:
  ///   - passage: of the picture that is drawn; nil: no other driver or device works with it.
  ///   - acquired: the window's image; the draw waits for it and signals when it is drawn.
  private func submit(
    _ commands: CommandBuffer, _ slot: FrameSlot, after: TimelineSemaphore?, _ passage: Passage? = nil,
    signalling timeline: TimelineSemaphore, _ value: UInt64, showing acquired: Swapchain.Acquired? = nil
  ) throws(Failure) {
    let arguments = slot.arguments
    let all = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT
    var buffer = VkCommandBufferSubmitInfo()
    buffer.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO
    buffer.commandBuffer = commands.handle
    var waits = SemaphoreList(arguments)
    var signals = SemaphoreList(arguments)
    signals.append(timeline.handle, value, all)
    if let after { waits.append(after.handle, copiesSent, interface.samplingStages) }
    // All stages: images pass to us in a barrier, not in a shader.
    for awaited in passage?.waits ?? [] { waits.append(awaited.timeline, awaited.value, all) }
    for raised in passage?.signals ?? [] { signals.append(raised.timeline, raised.value, all) }
    if let acquired, let ready = slot.ready {
      signals.append(acquired.drawn, 0, all)
      waits.append(ready, 0, VK_PIPELINE_STAGE_2_BLIT_BIT)
    }
    var info = VkSubmitInfo2()
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2
    info.commandBufferInfoCount = 1
    info.pCommandBufferInfos = arguments.pointer(buffer)
    (info.waitSemaphoreInfoCount, info.pWaitSemaphoreInfos) = (waits.count, UnsafePointer(waits.base))
    (info.signalSemaphoreInfoCount, info.pSignalSemaphoreInfos) = (signals.count, UnsafePointer(signals.base))
    try check(device.submit(&info, copies: timeline === copies), "submit work to the GPU")
  }

  private func finish(_ work: FrameSlot.InFlight, _ slot: FrameSlot) -> Finished {
    if let acquired = work.acquired { work.swapchain?.finished(acquired) }
    let bits = device.queues.drawing.timestampBits
    let copyBits = device.queues.copying?.timestampBits ?? bits
    let isCopied = ![.direct, .shared].contains(work.upload)
    let copying = isCopied && copyBits > 0 ? slot.timestamps.ticks(of: .copying) : nil
    let drawing = bits > 0 ? slot.timestamps.ticks(of: .drawing) : nil
    let completed = MonotonicTime.now
    return Finished(
      frame: work.frame, submitted: work.submitted, completed: completed, uploadMilliseconds: work.uploadMilliseconds,
      uploadGPUMilliseconds: copying.map { milliseconds($0, bits: copyBits) },
      renderGPUMilliseconds: drawing.map { milliseconds($0, bits: bits) }, uploadStarted: work.started,
      instants: tellsInstants ? instants(copying, drawing, slot, completed: completed) : nil, upload: work.upload,
      pixels: work.wantsPixels ? slot.readback.read() : nil, present: work.present)
  }

  private typealias Ticks = StageTimestamps.Ticks

  private func milliseconds(_ ticks: Ticks, bits: UInt32) -> Double {
    let mask: UInt64 = bits >= 64 ? .max : (1 << UInt64(bits)) - 1
    return Double((ticks.end &- ticks.start) & mask) * device.clock.period / 1e6
  }

  private func instants(
    _ copying: Ticks?, _ drawing: Ticks?, _ slot: FrameSlot, completed: MonotonicTime
  ) -> Instants? {
    guard let drawing else { return nil }
    let overlaying = slot.timestamps.ticks(of: .overlaying)
    let calibrated = calibration?.reading()
    let reading = calibrated ?? ClockReading(ticks: (overlaying ?? drawing).end, time: completed)
    let queues = device.queues
    func span(_ ticks: Ticks, on queue: DeviceQueues.Queue) -> TimeSpan {
      TimeSpan(
        reading.time(ofTicks: ticks.start, period: device.clock.period, bits: queue.timestampBits),
        reading.time(ofTicks: ticks.end, period: device.clock.period, bits: queue.timestampBits))
    }
    return Instants(
      upload: copying.map { span($0, on: queues.copying ?? queues.drawing) }, render: span(drawing, on: queues.drawing),
      overlay: overlaying.map { span($0, on: queues.drawing) }, isCalibrated: calibrated != nil)
  }
}

/// Semaphores that a submission waits for, or signals.
private struct SemaphoreList {
  let base: UnsafeMutablePointer<VkSemaphoreSubmitInfo>
  private(set) var count: UInt32 = 0

  /// Our timeline or copies, a window's image, and those of a picture.
  private static let limit = 2 + Passage.timelineLimit

  init(_ arguments: CallArguments) { base = arguments.reserve(VkSemaphoreSubmitInfo.self, Self.limit) }

  /// - Parameter value: of a timeline; nothing to others.
  mutating func append(_ semaphore: VkSemaphore, _ value: UInt64, _ stages: VkPipelineStageFlags2) {
    precondition(count < Self.limit, "a picture has at most \(Passage.timelineLimit) timelines")
    var info = VkSemaphoreSubmitInfo()
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO
    info.semaphore = semaphore
    info.value = value
    info.stageMask = stages
    base[Int(count)] = info
    count += 1
  }
}

// A ring's input and output.
extension FrameRing {
  /// What makes the view before anything is drawn over it.
  public enum View: Sendable {
    case draw(DrawPipeline)
    case dispatch(DispatchPipeline)
  }

  /// One eye's share of the target, and its uniforms.
  public struct Eye {
    public var region: TargetRegion
    public var uniforms: UniformBlock

    public init(region: TargetRegion, uniforms: UniformBlock) {
      self.region = region
      self.uniforms = uniforms
    }
  }

  /// The work of one frame.
  public struct Work {
    public var frame: VideoFrame
    public var view: View
    /// Drawn over it in order, all with the same uniforms and textures.
    public var overlays: [DrawPipeline]
    /// Drawn over all of the target, after everything else; nil: nothing is, at no cost.
    public var layer: QuadLayer?
    /// Together they cover the target.
    public var eye: Eye
    public var otherEye: Eye?
    public var sampling: GPUDevice.Sampling
    public var wantsPixels: Bool
    /// Where it is shown; nil: nowhere. Used by no other ring.
    public var swapchain: Swapchain?

    public init(
      frame: VideoFrame, view: View, overlays: [DrawPipeline] = [], layer: QuadLayer? = nil, eye: Eye,
      otherEye: Eye? = nil, sampling: GPUDevice.Sampling, wantsPixels: Bool = false, swapchain: Swapchain? = nil
    ) {
      self.frame = frame
      self.view = view
      self.overlays = overlays
      self.layer = layer
      self.eye = eye
      self.otherEye = otherEye
      self.sampling = sampling
      self.wantsPixels = wantsPixels
      self.swapchain = swapchain
    }
  }

  /// A frame that the GPU has finished.
  public struct Finished {
    public var frame: VideoFrame
    public var submitted: MonotonicTime
    /// When its completion was noticed.
    public var completed: MonotonicTime
    /// CPU time moving rows; 0 when nothing was moved.
    public var uploadMilliseconds: Double
    /// From GPU timestamps; nil where the device has none, or nothing was copied.
    public var uploadGPUMilliseconds: Double?
    public var renderGPUMilliseconds: Double?
    /// When moving rows began.
    public var uploadStarted: MonotonicTime
    /// Nil unless asked for, and where the device has no timestamps.
    public var instants: Instants?
    /// How its samples got into textures.
    public var upload: UploadStrategy
    /// RGBA, 8 bits each, top row first, without padding; nil unless asked for. A prepared view's are without the layer.
    public var pixels: [UInt8]?
    /// Its way to the display; nil when it was not shown, as in a window that is minimised.
    public var present: Present?
  }

  /// When the GPU worked on a frame.
  public struct Instants {
    /// Nil when nothing was copied.
    public var upload: TimeSpan?
    public var render: TimeSpan
    /// The draws over a prepared view when it was shown; nil where there were none.
    public var overlay: TimeSpan?
    /// False: the driver does not say how its clock and the CPU's agree, and the end of the last stage was taken
    /// for the instant at which completion was noticed: of a prepared view, when it was shown at the earliest.
    public var isCalibrated: Bool

    /// When the picture was ready: the copy to a window's image, which waits for the display, is no part of it.
    public var end: MonotonicTime { max(render.end, overlay?.end ?? render.end) }
  }
}
