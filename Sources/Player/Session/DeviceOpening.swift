import Frames
import GPU
import Logging
import Render

/// A device that is opened on a thread of its own, which then compiles the shaders that are likely to be needed.
///
/// A caller that shows several clips keeps it, so that all use the same device and shaders. Its thread ends before it
/// is released.
public final class DeviceOpening: Sendable {
  /// Results; nil until they are there.
  private struct Results: Sendable {
    var device: Result<GPUDevice, Failure>?
    var pipelines: Result<ViewPipelines, Failure>?
    /// That both took.
    var milliseconds = 0.0
  }
  private let results = Monitor(Results())
  /// Nil where the system created no thread: both results are failures then.
  private let thread: WorkerThread?

  public init(_ options: RenderSession.Options) {
    do throws(Failure) {
      thread = try WorkerThread { [results] in Self.open(options, results) }
    } catch {
      thread = nil
      results.withLock { ($0.device, $0.pipelines) = (.failure(error), .failure(error)) }
    }
  }

  private static func open(_ options: RenderSession.Options, _ results: Monitor<Results>) {
    let start = MonotonicTime.now
    let device = Result { () throws(Failure) in
      try GPUDevice(
        options.device, requireGPU: options.requiresGPU, validate: options.validates, surface: options.surface,
        lends: options.decoder.mayUseLentDevice
      ) { PipelineFile($0).read() }
    }
    results.withLock { $0.device = device }
    let pipelines = Result { () throws(Failure) in try makePipelines(on: device.get(), options) }
    let milliseconds = MonotonicTime.now.milliseconds(since: start)
    results.withLock { ($0.pipelines, $0.milliseconds) = (pipelines, milliseconds) }
    sessionLog.debug("opened a device and compiled shaders", metadata: ["ms": "\(milliseconds)"])
  }

  deinit {
    thread?.join()
    // The thread may end a moment later: its results are released here.
    results.withLock { ($0.device, $0.pipelines) = (nil, nil) }
  }

  /// The device; waits until it is open. Throws its failure, on every call. Any thread.
  public func device() throws(Failure) -> GPUDevice {
    guard let device = results.wait({ $0.device }) else { preconditionFailure("the wait has no end but a result") }
    return try device.get()
  }

  /// The compiled pipelines and the time that device and shaders took; waits for both. Throws their failure, on every
  /// call. Any thread.
  public func pipelines() throws(Failure) -> (ViewPipelines, milliseconds: Double) {
    thread?.join()
    let results = results.read { $0 }
    guard let pipelines = results.pipelines else { preconditionFailure("the thread ends with a result") }
    return (try pipelines.get(), results.milliseconds)
  }
}

/// Compiles the shaders of the projection the user named, else of the most common ones.
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
