// Heaps and memory types of a discrete GPU, over the driver's only type.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "simulation.h"

enum { device_heap, system_heap, window_heap, heap_limit };

// In the order of NVIDIA's driver: the first type, without properties, is system memory.
static const VkMemoryType types[] = {
    {0, system_heap},
    {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, device_heap},
    {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, system_heap},
    {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
     system_heap},
    // The device's memory that the CPU writes through the PCI bar.
    {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
     window_heap},
};

static uint32_t type_count(void) { return setting("BAR_MIB", 0) ? 5 : 4; }
static uint32_t all_types(void) { return (1u << type_count()) - 1; }

static VkDeviceSize heap_size(uint32_t heap) {
  static const char *const names[] = {"DEVICE_MIB", "HOST_MIB", "BAR_MIB"};
  static const double defaults[] = {8192, 16384, 0};
  return (VkDeviceSize)(setting(names[heap], defaults[heap]) * (1 << 20));
}

// Held by other programs.
static VkDeviceSize heap_taken(uint32_t heap) {
  return heap == window_heap ? (VkDeviceSize)(setting("BAR_TAKEN_MIB", 0) * (1 << 20)) : 0;
}

void shape_memory(const VkPhysicalDeviceMemoryProperties *driven, VkPhysicalDeviceMemoryProperties *shaped) {
  if (driven->memoryTypeCount != 1) {
    complain("the driver has %u memory types: only lavapipe, which has one, can be simulated on", driven->memoryTypeCount);
    abort();
  }
  memset(shaped, 0, sizeof *shaped);
  shaped->memoryTypeCount = type_count();
  memcpy(shaped->memoryTypes, types, shaped->memoryTypeCount * sizeof *types);
  shaped->memoryHeapCount = setting("BAR_MIB", 0) ? 3 : 2;
  for (uint32_t heap = 0; heap < shaped->memoryHeapCount; heap++)
    shaped->memoryHeaps[heap] = (VkMemoryHeap){
        heap_size(heap), heap == system_heap ? 0 : VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
}

// Allocations of all devices of this process.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static VkDeviceSize used[heap_limit];
static struct allocation {
  struct allocation *after;
  VkDeviceMemory memory;
  VkDeviceSize size;
  uint32_t type;
} *allocations;

void tell_budget(const VkPhysicalDeviceMemoryProperties *shaped, VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget) {
  memset(budget->heapBudget, 0, sizeof budget->heapBudget);
  memset(budget->heapUsage, 0, sizeof budget->heapUsage);
  pthread_mutex_lock(&lock);
  for (uint32_t heap = 0; heap < shaped->memoryHeapCount; heap++) {
    // Less than the heap, as common drivers report.
    budget->heapBudget[heap] = heap_size(heap) / 8 * 7;
    budget->heapUsage[heap] = used[heap];
  }
  pthread_mutex_unlock(&lock);
}

VkResult simulated_AllocateMemory(
    VkDevice handle, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *allocator, VkDeviceMemory *memory) {
  if (fails("vkAllocateMemory")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  VkMemoryAllocateInfo driven = *info;
  driven.memoryTypeIndex = 0;
  uint32_t heap = types[info->memoryTypeIndex].heapIndex;
  pthread_mutex_lock(&lock);
  int fits = used[heap] + heap_taken(heap) + info->allocationSize <= heap_size(heap);
  if (fits) used[heap] += info->allocationSize;
  pthread_mutex_unlock(&lock);
  if (!fits) {
    note(memory_refusals);
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  VkResult result = device_of(handle)->next.AllocateMemory(handle, &driven, allocator, memory);
  struct allocation *made = calloc(1, sizeof *made);
  if (!made) abort();
  pthread_mutex_lock(&lock);
  if (result == VK_SUCCESS) {
    *made = (struct allocation){allocations, *memory, info->allocationSize, info->memoryTypeIndex};
    allocations = made;
  } else {
    used[heap] -= info->allocationSize;
    free(made);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

void simulated_FreeMemory(VkDevice handle, VkDeviceMemory memory, const VkAllocationCallbacks *allocator) {
  pthread_mutex_lock(&lock);
  for (struct allocation **place = &allocations; memory && *place; place = &(*place)->after) {
    if ((*place)->memory != memory) continue;
    struct allocation *freed = *place;
    *place = freed->after;
    used[types[freed->type].heapIndex] -= freed->size;
    free(freed);
    break;
  }
  pthread_mutex_unlock(&lock);
  device_of(handle)->next.FreeMemory(handle, memory, allocator);
}

VkResult simulated_MapMemory(
    VkDevice handle, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size, VkMemoryMapFlags flags, void **base) {
  if (fails("vkMapMemory")) return VK_ERROR_OUT_OF_HOST_MEMORY;
  pthread_mutex_lock(&lock);
  struct allocation *found = allocations;
  while (found && found->memory != memory) found = found->after;
  int is_visible = found && types[found->type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
  pthread_mutex_unlock(&lock);
  if (!is_visible) {
    complain("vkMapMemory: the memory is not host-visible");
    return VK_ERROR_MEMORY_MAP_FAILED;
  }
  return device_of(handle)->next.MapMemory(handle, memory, offset, size, flags, base);
}

#define REQUIREMENTS(function, type, given, field)                                                                     \
  void simulated_##function(VkDevice handle, given subject, type *needs) {                                             \
    device_of(handle)->next.function(handle, subject, needs);                                                          \
    needs->field = all_types();                                                                                        \
  }

REQUIREMENTS(GetBufferMemoryRequirements, VkMemoryRequirements, VkBuffer, memoryTypeBits)
REQUIREMENTS(GetImageMemoryRequirements, VkMemoryRequirements, VkImage, memoryTypeBits)
REQUIREMENTS(
    GetBufferMemoryRequirements2, VkMemoryRequirements2, const VkBufferMemoryRequirementsInfo2 *,
    memoryRequirements.memoryTypeBits)
REQUIREMENTS(
    GetImageMemoryRequirements2, VkMemoryRequirements2, const VkImageMemoryRequirementsInfo2 *,
    memoryRequirements.memoryTypeBits)
REQUIREMENTS(
    GetDeviceBufferMemoryRequirements, VkMemoryRequirements2, const VkDeviceBufferMemoryRequirements *,
    memoryRequirements.memoryTypeBits)
REQUIREMENTS(
    GetDeviceImageMemoryRequirements, VkMemoryRequirements2, const VkDeviceImageMemoryRequirements *,
    memoryRequirements.memoryTypeBits)

VkResult simulated_GetMemoryHostPointerPropertiesEXT(
    VkDevice handle, VkExternalMemoryHandleTypeFlagBits type, const void *pointer,
    VkMemoryHostPointerPropertiesEXT *properties) {
  VkResult result = device_of(handle)->next.GetMemoryHostPointerPropertiesEXT(handle, type, pointer, properties);
  // The host-visible types in system memory.
  if (result == VK_SUCCESS) properties->memoryTypeBits = 1 << 2 | 1 << 3;
  return result;
}
