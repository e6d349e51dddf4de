// A Vulkan layer that gives lavapipe the shape of a discrete GPU: see Scripts/simulated-device, which builds it and names its settings.
//
// It lies below the validation layer, which therefore sees the simulated device. The driver does not: it has one queue and one memory
// type, and the layer translates each call for it.
#ifndef BENCH360_SIMULATION_H
#define BENCH360_SIMULATION_H

#include <stdatomic.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

// The calls that simulated_NAME intercepts; `next.NAME` is the next layer's or the driver's.
#define INSTANCE_FUNCTIONS(X)                                                                                          \
  X(DestroyInstance) X(EnumerateDeviceExtensionProperties) X(GetPhysicalDeviceProperties)                              \
  X(GetPhysicalDeviceProperties2) X(GetPhysicalDeviceFeatures2) X(GetPhysicalDeviceMemoryProperties)                   \
  X(GetPhysicalDeviceMemoryProperties2) X(GetPhysicalDeviceQueueFamilyProperties)                                      \
  X(GetPhysicalDeviceQueueFamilyProperties2) X(GetPhysicalDeviceFormatProperties)                                      \
  X(GetPhysicalDeviceFormatProperties2) X(GetPhysicalDeviceImageFormatProperties)                                      \
  X(GetPhysicalDeviceImageFormatProperties2) X(GetPhysicalDeviceSurfaceSupportKHR)

// One of them can be made to fail: see `fails`.
#define FAILING_FUNCTIONS(X)                                                                                           \
  X(CreateImageView) X(CreateSampler) X(CreateSemaphore) X(CreateQueryPool) X(CreateDescriptorSetLayout)               \
  X(CreateDescriptorPool) X(CreatePipelineLayout) X(CreateShaderModule)

#define DEVICE_FUNCTIONS(X)                                                                                            \
  X(DestroyDevice) X(GetDeviceQueue) X(GetDeviceQueue2) X(QueueSubmit) X(QueueSubmit2) X(QueueWaitIdle)                \
  X(QueueBindSparse) X(QueuePresentKHR) X(CreateCommandPool) X(CmdPipelineBarrier) X(CmdPipelineBarrier2)              \
  X(CreateBuffer) X(CreateImage) X(AllocateMemory) X(FreeMemory) X(MapMemory) X(GetBufferMemoryRequirements)           \
  X(GetBufferMemoryRequirements2) X(GetImageMemoryRequirements) X(GetImageMemoryRequirements2)                         \
  X(GetDeviceBufferMemoryRequirements) X(GetDeviceImageMemoryRequirements) X(GetMemoryHostPointerPropertiesEXT)        \
  X(CreateSwapchainKHR) X(DestroySwapchainKHR) X(WaitForPresentKHR) X(AllocateCommandBuffers)                          \
  X(AllocateDescriptorSets) X(CreateGraphicsPipelines) X(CreateComputePipelines) X(WaitSemaphores)              \
  FAILING_FUNCTIONS(X)

#define DECLARE(name) __typeof__(vk##name) simulated_##name;
INSTANCE_FUNCTIONS(DECLARE)
DEVICE_FUNCTIONS(DECLARE)
#undef DECLARE

#define FIELD(name) PFN_vk##name name;

// The functions below the layer, of one instance or device. `key` is the loader's pointer, with which each dispatchable handle begins.
struct instance {
  struct instance *after;
  void *key;
  VkInstance handle;
  PFN_vkGetInstanceProcAddr find;
  struct {
    INSTANCE_FUNCTIONS(FIELD)
  } next;
};

struct device {
  struct device *after;
  void *key;
  VkDevice handle;
  PFN_vkGetDeviceProcAddr find;
  // The queue of the transfer family: a dispatchable handle of its own for the driver's only queue, for the validation layer keeps one
  // family with each handle.
  struct {
    void *dispatch;
    VkQueue driven;
  } transfers;
  atomic_int lost;
  struct {
    DEVICE_FUNCTIONS(FIELD)
  } next;
};

#undef FIELD

struct instance *instance_of(void *dispatchable);
struct device *device_of(void *dispatchable);

// The value of SIMULATED_<name> in the environment.
double setting(const char *name, double otherwise);
// A line on standard error: a mistake of the program or of the simulation.
void complain(const char *format, ...);

// The link of that kind in a pNext chain; NULL where there is none.
void *link_of(const void *chain, VkStructureType type);

// What only the layer has, present-wait, is unlinked while the driver is called: one that has it as well expects that its device was made
// with it. The chain is the caller's: it cannot be copied without knowing the size of each link.
struct relinked {
  VkBaseOutStructure *before, *link;
};
enum { most_relinked = 8 };
int unlink_presents(void *chain, struct relinked *relinked);
void relink(const struct relinked *relinked, int count);

enum { drawing_family = 0, transfer_family = 1 };
int has_transfer_family(void);
// The driver's family for one of the device's.
uint32_t driven_family(uint32_t family);

// The device's heaps and memory types, instead of the driver's.
void shape_memory(const VkPhysicalDeviceMemoryProperties *driven, VkPhysicalDeviceMemoryProperties *shaped);
void tell_budget(const VkPhysicalDeviceMemoryProperties *shaped, VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget);

// After a present that succeeded.
void note_presents(const VkPresentInfoKHR *info);

// Counts of this process; `write_counts` appends a line of them to the file SIMULATED_LOG.
enum counted { drawing_submits, transfer_submits, presents_seen, presents_late, presents_overslept, memory_refusals, counters };
void note(enum counted what);
void write_counts(void);

// Whether this call, of the calls that can run out of memory, is the one that SIMULATED_FAILING_CALL names.
int fails(const char *call);

// Whether this submission, of the process's, is the one that SIMULATED_LOST_SUBMIT names: it finds its device lost.
int is_lost_submission(void);
int is_lost(struct device *device);

// The result of a present that succeeded: of the process's, the one that SIMULATED_FAILING_PRESENT names, from 1, finds its surface lost.
VkResult present_result(VkResult result);

#endif
