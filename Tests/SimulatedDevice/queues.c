// Two queue families over the driver's one queue. Submissions to both run in order. Limit: a submission that waits for a later one
// never ends.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "simulation.h"

// The program may use both queues at once, the driver's is used by one thread at a time.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

uint32_t driven_family(uint32_t family) { return family == transfer_family ? drawing_family : family; }

static VkQueue driven_queue(struct device *device, VkQueue queue) {
  return (void *)queue == &device->transfers ? device->transfers.driven : queue;
}

void simulated_GetDeviceQueue(VkDevice handle, uint32_t family, uint32_t index, VkQueue *queue) {
  struct device *device = device_of(handle);
  if (family == transfer_family) {
    *queue = (VkQueue)&device->transfers;
  } else {
    device->next.GetDeviceQueue(handle, family, index, queue);
  }
}

void simulated_GetDeviceQueue2(VkDevice handle, const VkDeviceQueueInfo2 *info, VkQueue *queue) {
  struct device *device = device_of(handle);
  if (info->queueFamilyIndex == transfer_family) {
    *queue = (VkQueue)&device->transfers;
  } else {
    device->next.GetDeviceQueue2(handle, info, queue);
  }
}

#define WITH_QUEUE(call)                                                                                               \
  struct device *device = device_of(queue);                                                                            \
  if (is_lost(device)) return VK_ERROR_DEVICE_LOST;                                                                    \
  pthread_mutex_lock(&lock);                                                                                           \
  VkResult result = device->next.call;                                                                                 \
  pthread_mutex_unlock(&lock);                                                                                         \
  return result;

// Work that was submitted before a loss has ended by then.
static int loses_device(VkQueue queue) {
  struct device *device = device_of(queue);
  if (!is_lost_submission()) return is_lost(device);
  pthread_mutex_lock(&lock);
  device->next.QueueWaitIdle(driven_queue(device, queue));
  atomic_store(&device->lost, 1);
  pthread_mutex_unlock(&lock);
  return 1;
}

VkResult simulated_QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos, VkFence fence) {
  if (fails("vkQueueSubmit")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  if (loses_device(queue)) return VK_ERROR_DEVICE_LOST;
  note(driven_queue(device_of(queue), queue) == queue ? drawing_submits : transfer_submits);
  WITH_QUEUE(QueueSubmit(driven_queue(device, queue), count, infos, fence))
}

VkResult simulated_QueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2 *infos, VkFence fence) {
  if (fails("vkQueueSubmit2")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  if (loses_device(queue)) return VK_ERROR_DEVICE_LOST;
  note(driven_queue(device_of(queue), queue) == queue ? drawing_submits : transfer_submits);
  WITH_QUEUE(QueueSubmit2(driven_queue(device, queue), count, infos, fence))
}

VkResult simulated_QueueBindSparse(VkQueue queue, uint32_t count, const VkBindSparseInfo *infos, VkFence fence) {
  WITH_QUEUE(QueueBindSparse(driven_queue(device, queue), count, infos, fence))
}

VkResult simulated_QueueWaitIdle(VkQueue queue) { WITH_QUEUE(QueueWaitIdle(driven_queue(device, queue))) }

VkResult simulated_QueuePresentKHR(VkQueue queue, const VkPresentInfoKHR *info) {
  struct device *device = device_of(queue);
  if (queue == (VkQueue)&device->transfers) complain("vkQueuePresentKHR: the transfer queue does not present");
  if (is_lost(device)) return VK_ERROR_DEVICE_LOST;
  VkPresentInfoKHR driven = *info;
  struct relinked relinked[most_relinked];
  int count = unlink_presents(&driven, relinked);
  pthread_mutex_lock(&lock);
  VkResult result = device->next.QueuePresentKHR(driven_queue(device, queue), &driven);
  pthread_mutex_unlock(&lock);
  relink(relinked, count);
  if (result >= 0) note_presents(info);
  return result >= 0 ? present_result(result) : result;
}

VkResult simulated_CreateCommandPool(
    VkDevice handle, const VkCommandPoolCreateInfo *info, const VkAllocationCallbacks *allocator, VkCommandPool *pool) {
  if (fails("vkCreateCommandPool")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  VkCommandPoolCreateInfo driven = *info;
  driven.queueFamilyIndex = driven_family(info->queueFamilyIndex);
  return device_of(handle)->next.CreateCommandPool(handle, &driven, allocator, pool);
}

// Resources that both families share have one owner in the driver.

VkResult simulated_CreateBuffer(
    VkDevice handle, const VkBufferCreateInfo *info, const VkAllocationCallbacks *allocator, VkBuffer *buffer) {
  if (fails("vkCreateBuffer")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  VkBufferCreateInfo driven = *info;
  driven.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  driven.queueFamilyIndexCount = 0;
  return device_of(handle)->next.CreateBuffer(handle, &driven, allocator, buffer);
}

VkResult simulated_CreateImage(
    VkDevice handle, const VkImageCreateInfo *info, const VkAllocationCallbacks *allocator, VkImage *image) {
  if (fails("vkCreateImage")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  if (info->tiling == VK_IMAGE_TILING_LINEAR && setting("OPTIMAL_ONLY", 1))
    complain("vkCreateImage: the device has no linear images");
  VkImageCreateInfo driven = *info;
  driven.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  driven.queueFamilyIndexCount = 0;
  return device_of(handle)->next.CreateImage(handle, &driven, allocator, image);
}

// Barriers. The driver sees no transfer of ownership between the families. Limit: its release and its acquire change the layout twice,
// which is nothing to lavapipe.

#define DRIVEN(barrier)                                                                                                \
  do {                                                                                                                 \
    (barrier)->srcQueueFamilyIndex = driven_family((barrier)->srcQueueFamilyIndex);                                    \
    (barrier)->dstQueueFamilyIndex = driven_family((barrier)->dstQueueFamilyIndex);                                    \
  } while (0)

static void *copied(const void *from, size_t size) {
  void *copy = malloc(size ? size : 1);
  if (!copy) abort();
  if (size) memcpy(copy, from, size);
  return copy;
}

void simulated_CmdPipelineBarrier(
    VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags until, VkDependencyFlags flags,
    uint32_t memory_count, const VkMemoryBarrier *memory, uint32_t buffer_count, const VkBufferMemoryBarrier *buffers,
    uint32_t image_count, const VkImageMemoryBarrier *images) {
  VkBufferMemoryBarrier *driven_buffers = copied(buffers, buffer_count * sizeof *buffers);
  VkImageMemoryBarrier *driven_images = copied(images, image_count * sizeof *images);
  for (uint32_t i = 0; i < buffer_count; i++) DRIVEN(&driven_buffers[i]);
  for (uint32_t i = 0; i < image_count; i++) DRIVEN(&driven_images[i]);
  device_of(commands)->next.CmdPipelineBarrier(
      commands, from, until, flags, memory_count, memory, buffer_count, driven_buffers, image_count, driven_images);
  free(driven_buffers);
  free(driven_images);
}

void simulated_CmdPipelineBarrier2(VkCommandBuffer commands, const VkDependencyInfo *info) {
  VkDependencyInfo driven = *info;
  VkBufferMemoryBarrier2 *buffers =
      copied(info->pBufferMemoryBarriers, info->bufferMemoryBarrierCount * sizeof *buffers);
  VkImageMemoryBarrier2 *images = copied(info->pImageMemoryBarriers, info->imageMemoryBarrierCount * sizeof *images);
  for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) DRIVEN(&buffers[i]);
  for (uint32_t i = 0; i < info->imageMemoryBarrierCount; i++) DRIVEN(&images[i]);
  driven.pBufferMemoryBarriers = buffers;
  driven.pImageMemoryBarriers = images;
  device_of(commands)->next.CmdPipelineBarrier2(commands, &driven);
  free(buffers);
  free(images);
}
