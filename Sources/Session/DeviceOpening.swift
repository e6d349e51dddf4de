import Dispatch
import Frames
import GPU
import Render

/// A device that is opened on a thread of its own, which then compiles the shaders that are likely to be needed.
///
/// Whoever shows one clip after the other keeps it: all use the same device and shaders. Goes only when the thread is done.
public final class DeviceOpening: Sendable {
  /// The thread's; written before it signals or ends, read after it has been waited for.
  private final class Work: @unchecked Sendable {
    var device: Result<GPUDevice, Failure>?
    var pipelines: Result<ViewPipelines, Failure>?
    var milliseconds = 0.0
    let hasDevice = DispatchSemaphore(value: 0)
  }
  private let work = Work()
  /// Nil where the system gave none: both results are failures.
  private let thread: WorkerThread?

  public init(_ options: RenderSession.Options) {
    do throws(Failure) {
      thread = try WorkerThread { [work] in Self.open(options, work) }
    } catch {
      thread = nil
      (work.device, work.pipelines) = (.failure(error), .failure(error))
      work.hasDevice.signal()
    }
  }

  private static func open(_ options: RenderSession.Options, _ work: Work) {
    let start = MonotonicTime.now
    let device = Result { () throws(Failure) in
      try GPUDevice(
        options.device, requireGPU: options.requiresGPU, validate: options.validates, surface: options.surface,
        lends: options.decoder.mayUseLentDevice
      ) { PipelineFile($0).read() }
    }
    work.device = device
    work.hasDevice.signal()
    work.pipelines = Result { () throws(Failure) in try makePipelines(on: device.get(), options) }
    work.milliseconds = MonotonicTime.now.milliseconds(since: start)
  }

  deinit {
    thread?.join()
    // The thread may be a moment longer about ending: what it opened does not stay for it.
    (work.device, work.pipelines) = (nil, nil)
  }

  /// Waits for it. Any thread.
  public func device() throws(Failure) -> GPUDevice {
    work.hasDevice.wait()
    work.hasDevice.signal()
    guard let device = work.device else { preconditionFailure("the thread signals that there is a result") }
    return try device.get()
  }

  /// Waits for them, and for all the time that the thread took. They are one thread's at a time.
  public func pipelines() throws(Failure) -> (ViewPipelines, milliseconds: Double) {
    thread?.join()
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

func chooseShading(_ options: RenderSession.Options, on device: GPUDevice) -> (
  shading: Shading, reason: String?
) {
  if let wanted = options.shading { return (wanted, nil) }
  if options.geometry.sphere == .mesh { return (.fragment, "a mesh is drawn by fragment shaders") }
  return Shading.automatic(on: device.info)
}
