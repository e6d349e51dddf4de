// Slowdowns of known size, in percent, for a program that knows nothing of them: preloaded by `record`, it stands between
// bench360 and the libraries that decode and draw.
//
//   BENCH360_SLOWER_DECODE=5    each call into the decoder takes 5 % more of its thread's processor time: with one decoder thread
//                               a decoder that has 5 % more to do, also where other programs take the processor away meanwhile
//   BENCH360_SLOWER_RENDER=10   each draw and dispatch is recorded once more, over 10 % of its height
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <vulkan/vulkan.h>

static double decode_share, render_share;
// Of the command buffer that this thread records.
static __thread VkRect2D scissor;

static double share(const char *variable) {
  const char *text = getenv(variable);
  double percent = text ? atof(text) : 0;
  return percent > 0 ? percent / 100 : 0;
}

__attribute__((constructor)) static void begin(void) {
  decode_share = share("BENCH360_SLOWER_DECODE");
  render_share = share("BENCH360_SLOWER_RENDER");
}

// Processor time of this thread, in seconds.
static double used(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// The library's own function.
#define REAL(real, name) \
  if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, name)

#define SLOWER_CALL(name)                                               \
  int name(void *context, void *data) {                                 \
    static int (*real)(void *, void *);                                 \
    REAL(real, #name);                                                  \
    double start = used();                                              \
    int status = real(context, data);                                   \
    double end = used(), last = end + (end - start) * decode_share;     \
    while (decode_share > 0 && used() < last) {}                        \
    return status;                                                      \
  }

SLOWER_CALL(avcodec_send_packet)
SLOWER_CALL(avcodec_receive_frame)

void vkCmdDispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
  static PFN_vkCmdDispatch real;
  REAL(real, "vkCmdDispatch");
  real(commands, x, y, z);
  if (render_share <= 0) return;
  // Beside each other they would cost less than one after the other.
  VkMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
  };
  VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  vkCmdPipelineBarrier(commands, stage, stage, 0, 1, &barrier, 0, NULL, 0, NULL);
  real(commands, x, (uint32_t)(y * render_share), z);
}

static PFN_vkCmdSetScissor set_scissor(void) {
  static PFN_vkCmdSetScissor real;
  REAL(real, "vkCmdSetScissor");
  return real;
}

void vkCmdSetScissor(VkCommandBuffer commands, uint32_t first, uint32_t count, const VkRect2D *areas) {
  scissor = areas[0];
  set_scissor()(commands, first, count, areas);
}

// Draws from now on fill only the share, or all of the scissor again.
static void confine(VkCommandBuffer commands, double part) {
  VkRect2D area = scissor;
  area.extent.height = (uint32_t)(area.extent.height * part);
  set_scissor()(commands, 0, 1, &area);
}

void vkCmdDraw(VkCommandBuffer commands, uint32_t vertices, uint32_t instances, uint32_t vertex, uint32_t instance) {
  static PFN_vkCmdDraw real;
  REAL(real, "vkCmdDraw");
  real(commands, vertices, instances, vertex, instance);
  if (render_share <= 0) return;
  confine(commands, render_share);
  real(commands, vertices, instances, vertex, instance);
  confine(commands, 1);
}

void vkCmdDrawIndexed(
    VkCommandBuffer commands, uint32_t indices, uint32_t instances, uint32_t index, int32_t vertex, uint32_t instance) {
  static PFN_vkCmdDrawIndexed real;
  REAL(real, "vkCmdDrawIndexed");
  real(commands, indices, instances, index, vertex, instance);
  if (render_share <= 0) return;
  confine(commands, render_share);
  real(commands, indices, instances, index, vertex, instance);
  confine(commands, 1);
}
