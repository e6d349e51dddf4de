// The layer's interface to the loader: functions by name, and the next layer's or driver's functions.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulation.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct instance *instances;
static struct device *devices;

static void *key_of(void *dispatchable) { return *(void **)dispatchable; }

#define FIND(kind, list)                                                                                               \
  struct kind *kind##_of(void *dispatchable) {                                                                         \
    pthread_mutex_lock(&lock);                                                                                         \
    struct kind *found = list;                                                                                         \
    while (found && found->key != key_of(dispatchable)) found = found->after;                                          \
    pthread_mutex_unlock(&lock);                                                                                       \
    if (!found) {                                                                                                      \
      complain("no " #kind " has this handle");                                                                        \
      abort();                                                                                                         \
    }                                                                                                                  \
    return found;                                                                                                      \
  }                                                                                                                    \
  static void add_##kind(struct kind *added) {                                                                         \
    pthread_mutex_lock(&lock);                                                                                         \
    added->after = list;                                                                                               \
    list = added;                                                                                                      \
    pthread_mutex_unlock(&lock);                                                                                       \
  }                                                                                                                    \
  static void remove_##kind(struct kind *removed) {                                                                    \
    pthread_mutex_lock(&lock);                                                                                         \
    struct kind **place = &list;                                                                                       \
    while (*place != removed) place = &(*place)->after;                                                                \
    *place = removed->after;                                                                                           \
    pthread_mutex_unlock(&lock);                                                                                       \
    free(removed);                                                                                                     \
  }

FIND(instance, instances)
FIND(device, devices)

double setting(const char *name, double otherwise) {
  char full[64];
  snprintf(full, sizeof full, "SIMULATED_%s", name);
  const char *text = getenv(full);
  if (!text || !*text) return otherwise;
  char *end;
  double value = strtod(text, &end);
  if (*end || !(value >= 0)) {
    complain("%s is no number: '%s'", full, text);
    exit(64);
  }
  return value;
}

void complain(const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  fprintf(stderr, "simulated device: %s\n", line);
}

void *link_of(const void *chain, VkStructureType type) {
  const VkBaseInStructure *link = chain;
  while (link && link->sType != type) link = link->pNext;
  return (void *)link;
}

int unlink_presents(void *chain, struct relinked *relinked) {
  int count = 0;
  VkBaseOutStructure *before = chain;
  for (VkBaseOutStructure *link = before->pNext; link; link = link->pNext) {
    if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR ||
        link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR ||
        link->sType == VK_STRUCTURE_TYPE_PRESENT_ID_KHR) {
      relinked[count++] = (struct relinked){before, link};
      before->pNext = link->pNext;
    } else {
      before = link;
    }
  }
  return count;
}

void relink(const struct relinked *relinked, int count) {
  while (count-- > 0) relinked[count].before->pNext = relinked[count].link;
}

VkResult simulated_CreateInstance(
    const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator, VkInstance *handle) {
  VkLayerInstanceCreateInfo *link = (void *)info->pNext;
  while (link && !(link->sType == VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO && link->function == VK_LAYER_LINK_INFO))
    link = (void *)link->pNext;
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  PFN_vkGetInstanceProcAddr find = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  VkResult result = ((PFN_vkCreateInstance)find(NULL, "vkCreateInstance"))(info, allocator, handle);
  if (result != VK_SUCCESS) return result;
  struct instance *instance = calloc(1, sizeof *instance);
  if (!instance) abort();
  instance->key = key_of(*handle);
  instance->handle = *handle;
  instance->find = find;
#define LOAD(name) instance->next.name = (PFN_vk##name)find(*handle, "vk" #name);
  INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
  add_instance(instance);
  return VK_SUCCESS;
}

void simulated_DestroyInstance(VkInstance handle, const VkAllocationCallbacks *allocator) {
  if (!handle) return;
  struct instance *instance = instance_of(handle);
  instance->next.DestroyInstance(handle, allocator);
  remove_instance(instance);
}

static int is_simulated(const char *extension) {
  return !strcmp(extension, VK_KHR_PRESENT_ID_EXTENSION_NAME) || !strcmp(extension, VK_KHR_PRESENT_WAIT_EXTENSION_NAME) ||
         !strcmp(extension, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
}

VkResult simulated_CreateDevice(
    VkPhysicalDevice physical, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *allocator, VkDevice *handle) {
  VkLayerDeviceCreateInfo *link = (void *)info->pNext, *loader = NULL;
  for (VkLayerDeviceCreateInfo *each = link; each; each = (void *)each->pNext) {
    if (each->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO) continue;
    if (each->function == VK_LAYER_LINK_INFO) link = each;
    if (each->function == VK_LOADER_DATA_CALLBACK) loader = each;
  }
  if (!link || !loader) return VK_ERROR_INITIALIZATION_FAILED;
  PFN_vkGetInstanceProcAddr find = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  PFN_vkGetDeviceProcAddr find_of_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;

  VkDeviceCreateInfo driven = *info;
  const char *extensions[64];
  driven.enabledExtensionCount = 0;
  driven.ppEnabledExtensionNames = extensions;
  for (uint32_t i = 0; i < info->enabledExtensionCount && driven.enabledExtensionCount < 64; i++)
    if (!is_simulated(info->ppEnabledExtensionNames[i]))
      extensions[driven.enabledExtensionCount++] = info->ppEnabledExtensionNames[i];
  VkDeviceQueueCreateInfo queue = info->pQueueCreateInfos[0];
  queue.queueFamilyIndex = drawing_family;
  driven.queueCreateInfoCount = 1;
  driven.pQueueCreateInfos = &queue;
  struct relinked relinked[most_relinked];
  int count = unlink_presents(&driven, relinked);
  VkResult result = ((PFN_vkCreateDevice)find(instance_of(physical)->handle, "vkCreateDevice"))(
      physical, &driven, allocator, handle);
  relink(relinked, count);
  if (result != VK_SUCCESS) return result;

  struct device *device = calloc(1, sizeof *device);
  if (!device) abort();
  device->key = key_of(*handle);
  device->handle = *handle;
  device->find = find_of_device;
#define LOAD(name) device->next.name = (PFN_vk##name)find_of_device(*handle, "vk" #name);
  DEVICE_FUNCTIONS(LOAD)
#undef LOAD
  device->next.GetDeviceQueue(*handle, drawing_family, 0, &device->transfers.driven);
  loader->u.pfnSetDeviceLoaderData(*handle, &device->transfers);
  add_device(device);
  return VK_SUCCESS;
}

void simulated_DestroyDevice(VkDevice handle, const VkAllocationCallbacks *allocator) {
  if (!handle) return;
  struct device *device = device_of(handle);
  write_counts();
  device->next.DestroyDevice(handle, allocator);
  remove_device(device);
}

static PFN_vkVoidFunction of_instance(const char *name) {
#define ROW(function)                                                                                                  \
  if (!strcmp(name, "vk" #function)) return (PFN_vkVoidFunction)simulated_##function;
  INSTANCE_FUNCTIONS(ROW)
  ROW(CreateInstance)
  ROW(CreateDevice)
  return NULL;
}

static PFN_vkVoidFunction of_device(const char *name) {
  DEVICE_FUNCTIONS(ROW)
  return NULL;
}

static PFN_vkVoidFunction simulated_GetDeviceProcAddr(VkDevice handle, const char *name) {
  if (!strcmp(name, "vkGetDeviceProcAddr")) return (PFN_vkVoidFunction)simulated_GetDeviceProcAddr;
  PFN_vkVoidFunction below = device_of(handle)->find(handle, name), own = of_device(name);
  return own && (below || !strcmp(name, "vkWaitForPresentKHR")) ? own : below;
}

static PFN_vkVoidFunction simulated_GetInstanceProcAddr(VkInstance handle, const char *name) {
  if (!strcmp(name, "vkGetInstanceProcAddr")) return (PFN_vkVoidFunction)simulated_GetInstanceProcAddr;
  if (!strcmp(name, "vkGetDeviceProcAddr")) return (PFN_vkVoidFunction)simulated_GetDeviceProcAddr;
  PFN_vkVoidFunction own = of_instance(name);
  if (!own) own = of_device(name);
  if (own) return own;
  return handle ? instance_of(handle)->find(handle, name) : NULL;
}

__attribute__((visibility("default"))) VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *loader) {
  if (loader->loaderLayerInterfaceVersion < 2) return VK_ERROR_INITIALIZATION_FAILED;
  loader->loaderLayerInterfaceVersion = 2;
  loader->pfnGetInstanceProcAddr = simulated_GetInstanceProcAddr;
  loader->pfnGetDeviceProcAddr = simulated_GetDeviceProcAddr;
  loader->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}
