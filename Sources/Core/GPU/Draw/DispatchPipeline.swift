internal import CVulkan
import Frames

/// A compute shader that writes every pixel of the view. Thread-safe after creation.
public final class DispatchPipeline: Sendable {
  nonisolated(unsafe) let handle: VkPipeline
  let interface: ShaderInterface
  private let pixelsPerGroup: PictureSize

  /// - Parameters:
  ///   - interface: made for compute shading.
  ///   - shader: SPIR-V words with entry point `main`.
  ///   - constants: values of its specialisation constants 0, 1, …
  ///   - pixelsPerGroup: what one workgroup writes.
  public init(
    interface: ShaderInterface, shader: [UInt32], constants: [UInt32] = [], pixelsPerGroup: PictureSize
  ) throws(Failure) {
    precondition(interface.shading == .compute, "the interface has no view to write")
    handle = try makePipeline(interface, shader, constants)
    self.interface = interface
    self.pixelsPerGroup = pixelsPerGroup
  }

  deinit {
    vkDestroyPipeline(interface.device.handle, handle, nil)
  }

  /// Workgroups that cover a target; the last ones reach over its edge.
  func groups(for target: PictureSize) -> (x: UInt32, y: UInt32) {
    (
      UInt32((target.width + pixelsPerGroup.width - 1) / pixelsPerGroup.width),
      UInt32((target.height + pixelsPerGroup.height - 1) / pixelsPerGroup.height)
    )
  }
}

private func makePipeline(
  _ interface: ShaderInterface, _ shader: [UInt32], _ constants: [UInt32]
) throws(Failure) -> VkPipeline {
  let device = interface.device
  let module = try makeModule(device, shader)
  defer { vkDestroyShaderModule(device.handle, module, nil) }
  let arguments = CallArguments()
  defer { arguments.end() }
  var info = VkComputePipelineCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO
  info.stage = shaderStage(VK_SHADER_STAGE_COMPUTE_BIT, module, constants, arguments)
  info.layout = interface.layout
  var pipeline: VkPipeline?
  try check(
    vkCreateComputePipelines(device.handle, device.pipelines.handle, 1, &info, nil, &pipeline), "compile the shaders")
  guard let pipeline else { throw Failure(.device, "cannot compile the shaders", cause: "no pipeline came back") }
  return pipeline
}
