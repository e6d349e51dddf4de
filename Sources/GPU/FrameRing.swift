internal import CVulkan
import Frames

/// Draws frames offscreen with several in flight: while the GPU draws one, the next is uploaded and recorded.
///
/// One thread at a time. Frames given to it stay alive until the GPU's timeline says they are done with.
public final class FrameRing {
  public let targetSize: PictureSize
  public let framesInFlight: Int
  private let device: GPUDevice
  let interface: ShaderInterface
  private let timeline: Timeline
  private let slots: [FrameSlot]
  private var submissions: UInt64 = 0
  private var collected: UInt64 = 0
  private var calibration: ClockCalibration?

  /// Whether finished frames tell at which instants the GPU worked on them, not only for how long.
  public var tellsInstants = false {
    didSet { calibration = tellsInstants ? ClockCalibration(device: device) : nil }
  }

  /// What to do with one frame.
  public struct Work {
    public var frame: VideoFrame
    /// Writes the view before anything is drawn over it; nil: the first of the draws makes it.
    public var dispatch: DispatchPipeline?
    /// Drawn in order over the same target, all with the same uniforms and textures.
    public var draws: [DrawPipeline]
    /// Laid out as the shaders' uniform block, in 32-bit floats; at most 128.
    public var uniforms: [Float]
    public var sampling: GPUDevice.Sampling
    public var wantsPixels: Bool

    public init(
      frame: VideoFrame, dispatch: DispatchPipeline? = nil, draws: [DrawPipeline], uniforms: [Float],
      sampling: GPUDevice.Sampling, wantsPixels: Bool = false
    ) {
      self.frame = frame
      self.dispatch = dispatch
      self.draws = draws
      self.uniforms = uniforms
      self.sampling = sampling
      self.wantsPixels = wantsPixels
    }
  }

  /// A frame the GPU is done with.
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
    /// The decoder had written into the sampled memory itself.
    public var wasDirect: Bool
    /// RGBA, 8 bits each, top row first, without padding; nil unless asked for.
    public var pixels: [UInt8]?
  }

  /// When the GPU worked on a frame.
  public struct Instants {
    /// Nil when nothing was copied.
    public var upload: TimeSpan?
    public var render: TimeSpan
    /// False: the driver does not say how its clock and the CPU's agree, and the end of the draw was taken for the
    /// instant at which completion was noticed.
    public var isCalibrated: Bool
  }

  public init(device: GPUDevice, interface: ShaderInterface, targetSize: PictureSize, framesInFlight: Int = 3)
    throws(Failure)
  {
    self.device = device
    self.interface = interface
    self.targetSize = targetSize
    self.framesInFlight = framesInFlight
    timeline = try Timeline(device: device)
    var slots: [FrameSlot] = []
    for _ in 0..<framesInFlight {
      slots.append(try FrameSlot(device: device, interface: interface, target: targetSize))
    }
    self.slots = slots
  }

  deinit {
    // Nothing that the GPU still uses may go.
    _ = try? timeline.wait(for: submissions)
  }

  /// Submits one frame; blocks only while all slots are in flight.
  ///
  /// - Returns: the frames that have been finished since the last call, in order.
  public func submit(_ work: Work) throws(Failure) -> [Finished] {
    let slot = slots[Int(submissions % UInt64(framesInFlight))]
    if let busy = slot.inFlight { try timeline.wait(for: busy.value) }
    let finished = try collect()
    try begin(work, in: slot)
    return finished
  }

  /// Waits for everything submitted.
  public func drain() throws(Failure) -> [Finished] {
    try timeline.wait(for: submissions)
    return try collect()
  }

  private func collect() throws(Failure) -> [Finished] {
    let reached = timeline.value
    var finished: [Finished] = []
    while collected < reached {
      let slot = slots[Int(collected % UInt64(framesInFlight))]
      collected += 1
      guard let work = slot.inFlight else { continue }
      slot.inFlight = nil
      finished.append(finish(work, slot))
    }
    return finished
  }

  private func begin(_ work: Work, in slot: FrameSlot) throws(Failure) {
    let started = MonotonicTime.now
    let pooled = work.frame.picture.allocation as? PooledPicture
    let textures: PictureTextures
    if let pooled { textures = pooled.textures } else { textures = try slot.stage(work.frame) }
    let staged = pooled == nil ? MonotonicTime.now.milliseconds(since: started) : 0
    slot.write(uniforms: work.uniforms)
    slot.bind(textures, sampling: work.sampling)
    try record(work, textures, isCopied: pooled == nil, in: slot)
    submissions += 1
    slot.inFlight = FrameSlot.InFlight(
      value: submissions, frame: work.frame, started: started, submitted: .now, uploadMilliseconds: staged,
      didCopy: pooled == nil, wantsPixels: work.wantsPixels)
    do throws(Failure) {
      try check(submit(slot.commands, signalling: submissions), "submit work to the GPU")
    } catch {
      submissions -= 1
      slot.inFlight = nil
      throw error
    }
  }

  private func submit(_ commands: VkCommandBuffer, signalling value: UInt64) -> VkResult {
    let arguments = CallArguments()
    defer { arguments.end() }
    var buffer = VkCommandBufferSubmitInfo()
    buffer.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO
    buffer.commandBuffer = commands
    var signal = VkSemaphoreSubmitInfo()
    signal.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO
    signal.semaphore = timeline.handle
    signal.value = value
    signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT
    var info = VkSubmitInfo2()
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2
    info.commandBufferInfoCount = 1
    info.pCommandBufferInfos = arguments.pointer(buffer)
    info.signalSemaphoreInfoCount = 1
    info.pSignalSemaphoreInfos = arguments.pointer(signal)
    return device.submit(&info)
  }

  private func finish(_ work: FrameSlot.InFlight, _ slot: FrameSlot) -> Finished {
    var ticks = [UInt64](repeating: 0, count: Int(FrameSlot.queryCount))
    let result = vkGetQueryPoolResults(
      device.handle, slot.queries, 0, FrameSlot.queryCount, ticks.count * 8, &ticks, 8,
      VK_QUERY_RESULT_64_BIT.rawValue)
    let hasTimes = result == VK_SUCCESS && device.timestampBits > 0
    func milliseconds(_ from: Int, _ to: Int) -> Double? {
      guard hasTimes else { return nil }
      let mask: UInt64 = device.timestampBits >= 64 ? .max : (1 << UInt64(device.timestampBits)) - 1
      return Double((ticks[to] &- ticks[from]) & mask) * device.timestampPeriod / 1e6
    }
    let completed = MonotonicTime.now
    return Finished(
      frame: work.frame, submitted: work.submitted, completed: completed, uploadMilliseconds: work.uploadMilliseconds,
      uploadGPUMilliseconds: work.didCopy ? milliseconds(0, 1) : nil, renderGPUMilliseconds: milliseconds(2, 3),
      uploadStarted: work.started,
      instants: tellsInstants && hasTimes ? instants(ticks, completed: completed, didCopy: work.didCopy) : nil,
      wasDirect: !work.didCopy, pixels: work.wantsPixels ? pixels(slot) : nil)
  }

  private func instants(_ ticks: [UInt64], completed: MonotonicTime, didCopy: Bool) -> Instants {
    let calibrated = calibration?.reading()
    let reading = calibrated ?? ClockReading(ticks: ticks[3], time: completed)
    func span(_ from: Int, _ to: Int) -> TimeSpan {
      TimeSpan(
        reading.time(ofTicks: ticks[from], period: device.timestampPeriod, bits: device.timestampBits),
        reading.time(ofTicks: ticks[to], period: device.timestampPeriod, bits: device.timestampBits))
    }
    return Instants(
      upload: didCopy ? span(0, 1) : nil, render: span(2, 3),
      isCalibrated: calibrated != nil)
  }

  private func pixels(_ slot: FrameSlot) -> [UInt8]? {
    slot.readback.map { Array(UnsafeRawBufferPointer(start: $0.base, count: $0.byteCount)) }
  }
}
