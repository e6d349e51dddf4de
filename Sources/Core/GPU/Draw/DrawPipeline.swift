internal import CVulkan
import Frames

/// What every shader of ours is given: binding 0 is a uniform block, bindings 1 to 3 are the picture's planes, and
/// where compute shaders write the view, binding 4 is the view.
///
/// Thread-safe after creation.
public final class ShaderInterface: Sendable {
  nonisolated(unsafe) let setLayout: VkDescriptorSetLayout
  nonisolated(unsafe) let layout: VkPipelineLayout
  let device: GPUDevice
  /// The kind of shader that makes the view; fragment shaders draw all overlays.
  public let shading: Shading

  public init(device: GPUDevice, shading: Shading = .fragment) throws(Failure) {
    let setLayout = try makeSetLayout(device, shading)
    do throws(Failure) {
      layout = try makeLayout(device, setLayout)
    } catch {
      vkDestroyDescriptorSetLayout(device.handle, setLayout, nil)
      throw error
    }
    self.setLayout = setLayout
    self.device = device
    self.shading = shading
  }

  /// Where the picture's planes are read.
  var samplingStages: VkPipelineStageFlags2 {
    shading == .compute
      ? VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT
      : VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT
  }

  deinit {
    vkDestroyPipelineLayout(device.handle, layout, nil)
    vkDestroyDescriptorSetLayout(device.handle, setLayout, nil)
  }
}

/// A draw with one pair of shaders: of a triangle that covers the view, or of a mesh. Thread-safe after creation.
public final class DrawPipeline: Sendable {
  nonisolated(unsafe) let handle: VkPipeline
  let interface: ShaderInterface
  let mesh: Mesh?

  /// - Parameters:
  ///   - vertex: SPIR-V words with entry point `main`; the same for `fragment`.
  ///   - constants: values of the fragment shader's specialisation constants 0, 1, …
  ///   - mesh: what the vertex shader is given; without one it is run three times, and has to know by itself.
  ///   - blends: draw over what is there with the fragment's alpha, instead of replacing it.
  public init(
    interface: ShaderInterface, vertex: [UInt32], fragment: [UInt32], constants: [UInt32] = [], mesh: Mesh? = nil,
    blends: Bool = false
  ) throws(Failure) {
    handle = try makeDrawPipeline(
      interface.device, interface.layout, vertex: vertex, fragment: fragment, constants: constants,
      input: mesh == nil ? .nothing : .mesh, blend: blends ? .straight : .none)
    self.interface = interface
    self.mesh = mesh
  }

  deinit {
    vkDestroyPipeline(interface.device.handle, handle, nil)
  }
}

/// Views are drawn in 8-bit RGBA, values as they are sent to a display.
let targetFormat = VK_FORMAT_R8G8B8A8_UNORM

private func makeSetLayout(_ device: GPUDevice, _ shading: Shading) throws(Failure) -> VkDescriptorSetLayout {
  let compute = VK_SHADER_STAGE_COMPUTE_BIT.rawValue
  let stages = VK_SHADER_STAGE_FRAGMENT_BIT.rawValue | (shading == .compute ? compute : 0)
  func binding(_ index: UInt32, _ type: VkDescriptorType, _ stages: UInt32) -> VkDescriptorSetLayoutBinding {
    VkDescriptorSetLayoutBinding(
      binding: index, descriptorType: type, descriptorCount: 1, stageFlags: stages, pImmutableSamplers: nil)
  }
  var bindings = [
    binding(0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, stages | VK_SHADER_STAGE_VERTEX_BIT.rawValue)
  ]
  for index in UInt32(1)...3 { bindings.append(binding(index, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, stages)) }
  if shading == .compute { bindings.append(binding(4, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, compute)) }
  var layout: VkDescriptorSetLayout?
  let result = bindings.withUnsafeBufferPointer { bindings in
    var info = VkDescriptorSetLayoutCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO
    info.bindingCount = UInt32(bindings.count)
    info.pBindings = bindings.baseAddress
    return vkCreateDescriptorSetLayout(device.handle, &info, nil, &layout)
  }
  try check(result, "create a descriptor layout")
  guard let layout else { throw Failure(.device, "cannot create a descriptor layout", cause: "none came back") }
  return layout
}

private func makeLayout(_ device: GPUDevice, _ set: VkDescriptorSetLayout) throws(Failure) -> VkPipelineLayout {
  let arguments = CallArguments()
  defer { arguments.end() }
  var info = VkPipelineLayoutCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO
  info.setLayoutCount = 1
  info.pSetLayouts = arguments.pointer(Optional(set))
  var layout: VkPipelineLayout?
  try check(vkCreatePipelineLayout(device.handle, &info, nil, &layout), "create a pipeline layout")
  guard let layout else { throw Failure(.device, "cannot create a pipeline layout", cause: "none came back") }
  return layout
}

func makeModule(_ device: GPUDevice, _ words: [UInt32]) throws(Failure) -> VkShaderModule {
  var module: VkShaderModule?
  let result = words.withUnsafeBufferPointer { words in
    var info = VkShaderModuleCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO
    info.codeSize = words.count * 4
    info.pCode = words.baseAddress
    return vkCreateShaderModule(device.handle, &info, nil, &module)
  }
  try check(result, "load a shader")
  guard let module else { throw Failure(.device, "cannot load a shader", cause: "none came back") }
  return module
}

/// - Parameter constants: of the fragment shader.
func makeDrawPipeline(
  _ device: GPUDevice, _ layout: VkPipelineLayout, vertex: [UInt32], fragment: [UInt32], constants: [UInt32] = [],
  input: DrawInput, blend: Blend
) throws(Failure) -> VkPipeline {
  let vertexModule = try makeModule(device, vertex)
  defer { vkDestroyShaderModule(device.handle, vertexModule, nil) }
  let fragmentModule = try makeModule(device, fragment)
  defer { vkDestroyShaderModule(device.handle, fragmentModule, nil) }
  let arguments = CallArguments()
  defer { arguments.end() }
  let stages = [
    shaderStage(VK_SHADER_STAGE_VERTEX_BIT, vertexModule, [], arguments),
    shaderStage(VK_SHADER_STAGE_FRAGMENT_BIT, fragmentModule, constants, arguments),
  ]
  var info = drawState(arguments, input: input, blend: blend)
  info.layout = layout
  info.stageCount = UInt32(stages.count)
  info.pStages = arguments.pointer(stages)
  var pipeline: VkPipeline?
  let result = vkCreateGraphicsPipelines(device.handle, device.pipelines.handle, 1, &info, nil, &pipeline)
  try check(result, "compile the shaders")
  guard let pipeline else { throw Failure(.device, "cannot compile the shaders", cause: "no pipeline came back") }
  return pipeline
}

/// One stage of a pipeline with its entry point `main` and its specialisation constants 0, 1, …
func shaderStage(
  _ bit: VkShaderStageFlagBits, _ module: VkShaderModule, _ constants: [UInt32], _ arguments: CallArguments
) -> VkPipelineShaderStageCreateInfo {
  let entries = constants.indices.map {
    VkSpecializationMapEntry(constantID: UInt32($0), offset: UInt32($0 * 4), size: 4)
  }
  let special = VkSpecializationInfo(
    mapEntryCount: UInt32(entries.count), pMapEntries: arguments.pointer(entries), dataSize: constants.count * 4,
    pData: UnsafeRawPointer(arguments.pointer(constants)))
  var info = VkPipelineShaderStageCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO
  info.stage = bit
  info.module = module
  info.pName = arguments.string("main")
  info.pSpecializationInfo = arguments.pointer(special)
  return info
}
