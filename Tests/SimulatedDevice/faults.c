// Failures, one of each kind per process: of the calls that can run out of memory, the one that SIMULATED_FAILING_CALL counts, from 1, does;
// a lost device; a lost surface. And counts of a process.
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "simulation.h"

static atomic_long counts[counters];
static atomic_long calls;

void note(enum counted what) { atomic_fetch_add(&counts[what], 1); }

void write_counts(void) {
  const char *file = getenv("SIMULATED_LOG");
  int log = file && *file ? open(file, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
  if (log < 0) return;
  dprintf(
      log, "drawing %ld transfers %ld seen %ld late %ld overslept %ld refused %ld calls %ld\n", counts[drawing_submits],
      counts[transfer_submits], counts[presents_seen], counts[presents_late], counts[presents_overslept], counts[memory_refusals], calls);
  close(log);
}

int fails(const char *call) {
  long failing = (long)setting("FAILING_CALL", 0);
  if (atomic_fetch_add(&calls, 1) + 1 != failing) return 0;
  complain("call %ld, %s, fails", failing, call);
  return 1;
}

int is_lost_submission(void) {
  static atomic_long submissions;
  long lost = (long)setting("LOST_SUBMIT", 0);
  if (atomic_fetch_add(&submissions, 1) + 1 != lost) return 0;
  complain("submission %ld loses the device", lost);
  return 1;
}

int is_lost(struct device *device) { return atomic_load(&device->lost); }

VkResult present_result(VkResult result) {
  static atomic_long presented;
  long failing = (long)setting("FAILING_PRESENT", 0);
  if (atomic_fetch_add(&presented, 1) + 1 != failing) return result;
  complain("present %ld loses the surface", failing);
  return VK_ERROR_SURFACE_LOST_KHR;
}

VkResult simulated_WaitSemaphores(VkDevice handle, const VkSemaphoreWaitInfo *info, uint64_t timeout) {
  struct device *device = device_of(handle);
  return is_lost(device) ? VK_ERROR_DEVICE_LOST : device->next.WaitSemaphores(handle, info, timeout);
}

#define FAILING(kind)                                                                                                  \
  VkResult simulated_Create##kind(                                                                                     \
      VkDevice handle, const Vk##kind##CreateInfo *info, const VkAllocationCallbacks *allocator, Vk##kind *made) {       \
    if (fails("vkCreate" #kind)) return VK_ERROR_OUT_OF_DEVICE_MEMORY;                                                 \
    return device_of(handle)->next.Create##kind(handle, info, allocator, made);                                        \
  }

FAILING(ImageView)
FAILING(Sampler)
FAILING(Semaphore)
FAILING(QueryPool)
FAILING(DescriptorSetLayout)
FAILING(DescriptorPool)
FAILING(PipelineLayout)
FAILING(ShaderModule)

VkResult simulated_AllocateCommandBuffers(
    VkDevice handle, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *made) {
  if (fails("vkAllocateCommandBuffers")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return device_of(handle)->next.AllocateCommandBuffers(handle, info, made);
}

VkResult simulated_AllocateDescriptorSets(VkDevice handle, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *made) {
  if (fails("vkAllocateDescriptorSets")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return device_of(handle)->next.AllocateDescriptorSets(handle, info, made);
}

VkResult simulated_CreateGraphicsPipelines(
    VkDevice handle, VkPipelineCache cache, uint32_t count, const VkGraphicsPipelineCreateInfo *infos,
    const VkAllocationCallbacks *allocator, VkPipeline *made) {
  if (fails("vkCreateGraphicsPipelines")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return device_of(handle)->next.CreateGraphicsPipelines(handle, cache, count, infos, allocator, made);
}

VkResult simulated_CreateComputePipelines(
    VkDevice handle, VkPipelineCache cache, uint32_t count, const VkComputePipelineCreateInfo *infos,
    const VkAllocationCallbacks *allocator, VkPipeline *made) {
  if (fails("vkCreateComputePipelines")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return device_of(handle)->next.CreateComputePipelines(handle, cache, count, infos, allocator, made);
}
