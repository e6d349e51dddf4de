// fetch DEVICE WIDTH HEIGHT PLANE_WIDTH PLANE_HEIGHT FOLDER: milliseconds of an empty submit, and of drawing a view of that size with one, two
// and three bilinear samples for each pixel from a plane of one byte, for each way of making them that fetch.frag knows, each submitted alone
// and waited for; medians. FOLDER holds the shaders.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

enum { repeats = 61, ways = 4 };

static VkImageView make_image(VkFormat format, uint32_t width, uint32_t height, VkImageUsageFlags usage, VkImage *image) {
  VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                            .imageType = VK_IMAGE_TYPE_2D,
                            .format = format,
                            .extent = {width, height, 1},
                            .mipLevels = 1,
                            .arrayLayers = 1,
                            .samples = VK_SAMPLE_COUNT_1_BIT,
                            .tiling = VK_IMAGE_TILING_OPTIMAL,
                            .usage = usage};
  check(vkCreateImage(device, &info, NULL, image), "no image");
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(device, *image, &needs);
  VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .allocationSize = needs.size,
                                     .memoryTypeIndex = memory_type(needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)};
  VkDeviceMemory memory;
  check(vkAllocateMemory(device, &allocation, NULL, &memory), "no memory");
  check(vkBindImageMemory(device, *image, memory, 0), "no memory");
  VkImageViewCreateInfo viewInfo = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                    .image = *image,
                                    .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                    .format = format,
                                    .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  VkImageView view;
  check(vkCreateImageView(device, &viewInfo, NULL, &view), "no view of an image");
  return view;
}

static void move(VkImage image, VkImageLayout from, VkImageLayout to) {
  VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                  .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                  .oldLayout = from,
                                  .newLayout = to,
                                  .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .image = image,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1,
                       &barrier);
}

// The plane holds something and may be read, the target may be drawn to.
static void prepare(VkImage plane, VkImage target) {
  begin();
  move(plane, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  VkClearColorValue grey = {.float32 = {0.5f, 0, 0, 1}};
  VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdClearColorImage(commands, plane, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &grey, 1, &whole);
  move(plane, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  move(target, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
  submit_and_wait(1);
}

static VkDescriptorSetLayout setLayout;
static VkPipelineLayout layout;

static VkDescriptorSet bind_plane(VkImageView view) {
  VkSamplerCreateInfo samplerInfo = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                     .magFilter = VK_FILTER_LINEAR,
                                     .minFilter = VK_FILTER_LINEAR,
                                     .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                     .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
  VkSampler sampler;
  check(vkCreateSampler(device, &samplerInfo, NULL, &sampler), "no sampler");
  VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
  VkDescriptorSetLayoutCreateInfo setInfo = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
  check(vkCreateDescriptorSetLayout(device, &setInfo, NULL, &setLayout), "no layout");
  VkPipelineLayoutCreateInfo layoutInfo = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &setLayout};
  check(vkCreatePipelineLayout(device, &layoutInfo, NULL, &layout), "no layout");
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1};
  VkDescriptorPoolCreateInfo poolInfo = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &size};
  VkDescriptorPool pool;
  check(vkCreateDescriptorPool(device, &poolInfo, NULL, &pool), "no descriptors");
  VkDescriptorSetAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = pool,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &setLayout};
  VkDescriptorSet set;
  check(vkAllocateDescriptorSets(device, &allocation, &set), "no descriptors");
  VkDescriptorImageInfo image = {sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                .dstSet = set,
                                .descriptorCount = 1,
                                .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                .pImageInfo = &image};
  vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
  return set;
}

static VkShaderModule shader(const char *folder, const char *name) {
  char path[4096];
  static uint32_t words[1 << 16];
  snprintf(path, sizeof path, "%s/%s.spv", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) fail("a shader is missing");
  size_t length = fread(words, 1, sizeof words, file);
  fclose(file);
  VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = length, .pCode = words};
  VkShaderModule module;
  check(vkCreateShaderModule(device, &info, NULL, &module), "a shader is refused");
  return module;
}

static VkPipeline make_pipeline(const char *folder, int count, int way, VkFormat format, VkExtent2D size) {
  int values[2] = {count, way};
  VkSpecializationMapEntry entries[2] = {{0, 0, sizeof count}, {1, sizeof count, sizeof way}};
  VkSpecializationInfo constants = {2, entries, sizeof values, values};
  VkPipelineShaderStageCreateInfo stages[2] = {
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_VERTEX_BIT,
       .module = shader(folder, "fetch.vert"),
       .pName = "main"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
       .module = shader(folder, "fetch.frag"),
       .pName = "main",
       .pSpecializationInfo = &constants}};
  VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                     .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  VkViewport viewport = {0, 0, size.width, size.height, 0, 1};
  VkRect2D area = {{0, 0}, size};
  VkPipelineViewportStateCreateInfo view = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                            .viewportCount = 1,
                                            .pViewports = &viewport,
                                            .scissorCount = 1,
                                            .pScissors = &area};
  VkPipelineRasterizationStateCreateInfo raster = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  VkPipelineMultisampleStateCreateInfo samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                  .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
  VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = &attachment};
  VkPipelineRenderingCreateInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO, .colorAttachmentCount = 1, .pColorAttachmentFormats = &format};
  VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                       .pNext = &rendering,
                                       .stageCount = 2,
                                       .pStages = stages,
                                       .pVertexInputState = &input,
                                       .pInputAssemblyState = &assembly,
                                       .pViewportState = &view,
                                       .pRasterizationState = &raster,
                                       .pMultisampleState = &samples,
                                       .pColorBlendState = &blend,
                                       .layout = layout};
  VkPipeline pipeline;
  check(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "a shader is refused");
  return pipeline;
}

static double draw(VkPipeline pipeline, VkDescriptorSet set, VkImageView target, VkExtent2D size) {
  double times[repeats];
  for (int i = 0; i < repeats; i++) {
    begin();
    VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = target,
                                            .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {{0, 0}, size},
                                 .layerCount = 1,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &attachment};
    vkCmdBeginRendering(commands, &rendering);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
    vkCmdDraw(commands, 3, 1, 0, 0);
    vkCmdEndRendering(commands);
    double start = milliseconds();
    submit_and_wait(1);
    times[i] = milliseconds() - start;
  }
  return median(times, repeats);
}

static double nothing(void) {
  double times[repeats];
  for (int i = 0; i < repeats; i++) {
    double start = milliseconds();
    submit_and_wait(0);
    times[i] = milliseconds() - start;
  }
  return median(times, repeats);
}

int main(int argc, char **argv) {
  if (argc != 7) fail("usage: fetch DEVICE WIDTH HEIGHT PLANE_WIDTH PLANE_HEIGHT FOLDER");
  open_device(argv[1], NULL, 0, 0);
  VkExtent2D size = {atoi(argv[2]), atoi(argv[3])};
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkImage plane, target;
  VkImageView planeView = make_image(VK_FORMAT_R8_UNORM, atoi(argv[4]), atoi(argv[5]),
                                     VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, &plane);
  VkImageView targetView = make_image(format, size.width, size.height,
                                      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT, &target);
  prepare(plane, target);
  VkDescriptorSet set = bind_plane(planeView);
  printf("%.4f", nothing());
  for (int way = 0; way < ways; way++)
    for (int count = 1; count <= 3; count++)
      printf(" %.4f", draw(make_pipeline(argv[6], count, way, format, size), set, targetView, size));
  printf("\n");
  return 0;
}
