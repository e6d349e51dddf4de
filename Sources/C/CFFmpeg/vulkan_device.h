// A Vulkan device of the caller's for FFmpeg to work on, and its frames there: what differs between FFmpeg 5.1 and 7.1.
#ifndef BENCH360_VULKAN_DEVICE_H
#define BENCH360_VULKAN_DEVICE_H

#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_vulkan.h>
#include <string.h>

// FFmpeg 6.1 was the first to lock queues and frames, and to decode.
#define BENCH_VULKAN_LOCKS (LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 29, 100))
// FFmpeg 7.1 wants a list of queue families, and in addition what it wanted before.
#define BENCH_VULKAN_FAMILIES (LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(59, 39, 100))

typedef struct bench_vulkan_family {
  uint32_t index, abilities, video_operations;
} bench_vulkan_family;

// As Vulkan's types of these names. The lists are the caller's, and stay until the device has gone.
typedef struct bench_vulkan_device {
  void *instance, *physical, *device;
  const void *loader, *features;
  const char *const *instance_extensions;
  const char *const *device_extensions;
  int instance_extension_count, device_extension_count;
  // One queue of each; the first draws, computes and copies.
  const bench_vulkan_family *families;
  int family_count;
} bench_vulkan_device;

typedef void (*bench_vulkan_queue_call)(AVHWDeviceContext *context, uint32_t family, uint32_t index);

static inline int bench_vulkan_locks(void) { return BENCH_VULKAN_LOCKS; }

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
// Before the device context is initialised. FFmpeg that does not lock queues leaves that to the caller.
static inline void bench_vulkan_fill(AVBufferRef *device, const bench_vulkan_device *lent, bench_vulkan_queue_call lock,
                                     bench_vulkan_queue_call unlock) {
  AVVulkanDeviceContext *context = ((AVHWDeviceContext *)device->data)->hwctx;
  context->inst = (VkInstance)lent->instance;
  context->phys_dev = (VkPhysicalDevice)lent->physical;
  context->act_dev = (VkDevice)lent->device;
  memcpy(&context->get_proc_addr, &lent->loader, sizeof lent->loader);
  context->device_features = *(const VkPhysicalDeviceFeatures2 *)lent->features;
  context->enabled_inst_extensions = lent->instance_extensions;
  context->nb_enabled_inst_extensions = lent->instance_extension_count;
  context->enabled_dev_extensions = lent->device_extensions;
  context->nb_enabled_dev_extensions = lent->device_extension_count;
  int drawing = (int)lent->families[0].index;
  context->queue_family_index = context->queue_family_tx_index = context->queue_family_comp_index = drawing;
  context->nb_graphics_queues = context->nb_tx_queues = context->nb_comp_queues = 1;
  context->queue_family_encode_index = context->queue_family_decode_index = -1;
  context->nb_encode_queues = context->nb_decode_queues = 0;
  for (int i = 0; i < lent->family_count; i++) {
    if (!lent->families[i].video_operations) continue;
    context->queue_family_decode_index = (int)lent->families[i].index;
    context->nb_decode_queues = 1;
  }
#if BENCH_VULKAN_LOCKS
  context->lock_queue = lock;
  context->unlock_queue = unlock;
#else
  (void)lock, (void)unlock;
#endif
#if BENCH_VULKAN_FAMILIES
  context->nb_qf = lent->family_count;
  for (int i = 0; i < lent->family_count; i++) {
    context->qf[i].idx = (int)lent->families[i].index;
    context->qf[i].num = 1;
    context->qf[i].flags = (VkQueueFlagBits)lent->families[i].abilities;
    context->qf[i].video_caps = (VkVideoCodecOperationFlagBitsKHR)lent->families[i].video_operations;
  }
#endif
}
#pragma clang diagnostic pop

static inline AVVkFrame *bench_vulkan_frame(const AVFrame *frame) { return (AVVkFrame *)frame->data[0]; }

// How many images there are: one for each plane, or one with all of them.
static inline int bench_vulkan_image_count(const AVFrame *frame) {
  int count = 0;
  while (count < AV_NUM_DATA_POINTERS && bench_vulkan_frame(frame)->img[count]) count++;
  return count;
}
// Whether views of single planes can be made of images with several.
static inline int bench_vulkan_has_plane_views(const AVFrame *frame) {
#if BENCH_VULKAN_LOCKS
  const AVVulkanFramesContext *context = ((const AVHWFramesContext *)frame->hw_frames_ctx->data)->hwctx;
  return (context->img_flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) != 0;
#else
  (void)frame;
  return 0;
#endif
}
static inline void *bench_vulkan_image(const AVFrame *frame, int index) { return bench_vulkan_frame(frame)->img[index]; }

// The state of one image; only between locking and unlocking the frame.
typedef struct bench_vulkan_image_state {
  uint32_t layout, family;
  void *timeline;
  uint64_t value;
} bench_vulkan_image_state;

static inline bench_vulkan_image_state bench_vulkan_state(const AVFrame *frame, int index) {
  const AVVkFrame *picture = bench_vulkan_frame(frame);
  bench_vulkan_image_state state = {picture->layout[index], VK_QUEUE_FAMILY_IGNORED, picture->sem[index],
                                    picture->sem_value[index]};
#if BENCH_VULKAN_LOCKS
  state.family = picture->queue_family[index];
#endif
  return state;
}
// Work was submitted that raises the image's timeline by one; it reads.
static inline void bench_vulkan_was_read(const AVFrame *frame, int index) {
  AVVkFrame *picture = bench_vulkan_frame(frame);
  picture->sem_value[index]++;
  picture->access[index] = (VkAccessFlagBits)0;
}
static inline void bench_vulkan_lock_frame(const AVFrame *frame) {
#if BENCH_VULKAN_LOCKS
  AVHWFramesContext *frames = (AVHWFramesContext *)frame->hw_frames_ctx->data;
  ((AVVulkanFramesContext *)frames->hwctx)->lock_frame(frames, bench_vulkan_frame(frame));
#else
  (void)frame;
#endif
}
static inline void bench_vulkan_unlock_frame(const AVFrame *frame) {
#if BENCH_VULKAN_LOCKS
  AVHWFramesContext *frames = (AVHWFramesContext *)frame->hw_frames_ctx->data;
  ((AVVulkanFramesContext *)frames->hwctx)->unlock_frame(frames, bench_vulkan_frame(frame));
#else
  (void)frame;
#endif
}

#endif
