internal import CVulkan

/// What a vertex shader is given.
enum DrawInput {
  /// The index of a vertex.
  case nothing
  /// Triangles from a `Mesh`.
  case mesh
  /// A `Quad` an instance, and the index of a vertex.
  case quads
}

/// How a fragment combines with the target's colour.
enum Blend {
  /// The fragment replaces it.
  case none
  /// The fragment's alpha says how much shows.
  case straight
  /// The same, and the fragment's colour was multiplied by it.
  case premultiplied
}

/// The fixed state of a draw into one target; shaders and layout are the caller's to fill in.
///
func drawState(_ arguments: CallArguments, input: DrawInput, blend: Blend) -> VkGraphicsPipelineCreateInfo {
  let vertexInput =
    switch input {
    case .nothing: noVertexInput
    case .mesh: Mesh.vertexInput(arguments)
    case .quads: Quad.vertexInput(arguments)
    }
  var assembly = VkPipelineInputAssemblyStateCreateInfo()
  assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
  var viewport = VkPipelineViewportStateCreateInfo()
  viewport.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO
  viewport.viewportCount = 1
  viewport.scissorCount = 1
  var raster = VkPipelineRasterizationStateCreateInfo()
  raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO
  raster.polygonMode = VK_POLYGON_MODE_FILL
  raster.cullMode = VK_CULL_MODE_NONE.rawValue
  raster.lineWidth = 1
  var samples = VkPipelineMultisampleStateCreateInfo()
  samples.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT
  let attachment = blendAttachment(blend)
  var blend = VkPipelineColorBlendStateCreateInfo()
  blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO
  blend.attachmentCount = 1
  blend.pAttachments = arguments.pointer(attachment)
  var dynamic = VkPipelineDynamicStateCreateInfo()
  dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO
  dynamic.dynamicStateCount = 2
  dynamic.pDynamicStates = arguments.pointer([VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR])
  var rendering = VkPipelineRenderingCreateInfo()
  rendering.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO
  rendering.colorAttachmentCount = 1
  rendering.pColorAttachmentFormats = arguments.pointer(targetFormat)

  var info = VkGraphicsPipelineCreateInfo()
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO
  info.pNext = UnsafeRawPointer(arguments.pointer(rendering))
  info.pVertexInputState = arguments.pointer(vertexInput)
  info.pInputAssemblyState = arguments.pointer(assembly)
  info.pViewportState = arguments.pointer(viewport)
  info.pRasterizationState = arguments.pointer(raster)
  info.pMultisampleState = arguments.pointer(samples)
  info.pColorBlendState = arguments.pointer(blend)
  info.pDynamicState = arguments.pointer(dynamic)
  return info
}

private var noVertexInput: VkPipelineVertexInputStateCreateInfo {
  var input = VkPipelineVertexInputStateCreateInfo()
  input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO
  return input
}

private func blendAttachment(_ blend: Blend) -> VkPipelineColorBlendAttachmentState {
  var state = VkPipelineColorBlendAttachmentState()
  state.blendEnable = blend == .none ? VK_FALSE : VK_TRUE
  state.srcColorBlendFactor = blend == .premultiplied ? VK_BLEND_FACTOR_ONE : VK_BLEND_FACTOR_SRC_ALPHA
  state.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA
  state.srcAlphaBlendFactor = VK_BLEND_FACTOR_ZERO
  state.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE
  state.colorWriteMask =
    VK_COLOR_COMPONENT_R_BIT.rawValue | VK_COLOR_COMPONENT_G_BIT.rawValue | VK_COLOR_COMPONENT_B_BIT.rawValue
    | VK_COLOR_COMPONENT_A_BIT.rawValue
  return state
}

/// What a draw reads for each vertex, or instance, out of one buffer.
func vertexInputState(
  _ binding: VkVertexInputBindingDescription, _ attributes: [VkVertexInputAttributeDescription],
  _ arguments: CallArguments
) -> VkPipelineVertexInputStateCreateInfo {
  var input = VkPipelineVertexInputStateCreateInfo()
  input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO
  input.vertexBindingDescriptionCount = 1
  input.pVertexBindingDescriptions = arguments.pointer(binding)
  input.vertexAttributeDescriptionCount = UInt32(attributes.count)
  input.pVertexAttributeDescriptions = arguments.pointer(attributes)
  return input
}
