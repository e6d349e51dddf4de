// What the device says of itself: a discrete GPU with optimally tiled pictures, a family for transfers, present-wait.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulation.h"

int has_transfer_family(void) { return setting("TRANSFER_FAMILY", 1) != 0; }

static int is_optimal_only(void) { return setting("OPTIMAL_ONLY", 1) != 0; }

static void describe(VkPhysicalDeviceProperties *properties) {
  properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  snprintf(properties->deviceName, sizeof properties->deviceName, "Simulated discrete GPU");
  // Keeps the driver's pipeline caches apart from this device's.
  properties->pipelineCacheUUID[0] ^= 0x5a;
  // The largest that Vulkan allows, and that of common GPUs.
  properties->limits.minUniformBufferOffsetAlignment = 256;
}

void simulated_GetPhysicalDeviceProperties(VkPhysicalDevice physical, VkPhysicalDeviceProperties *properties) {
  instance_of(physical)->next.GetPhysicalDeviceProperties(physical, properties);
  describe(properties);
}

void simulated_GetPhysicalDeviceProperties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *properties) {
  instance_of(physical)->next.GetPhysicalDeviceProperties2(physical, properties);
  describe(&properties->properties);
  VkPhysicalDeviceIDProperties *identity = link_of(properties, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
  if (identity) identity->deviceUUID[0] ^= 0x5a;
  VkPhysicalDeviceVulkan11Properties *properties11 =
      link_of(properties, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
  if (properties11) properties11->deviceUUID[0] ^= 0x5a;
}

// Extensions

static const VkExtensionProperties simulated_extensions[] = {
    {VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, VK_EXT_MEMORY_BUDGET_SPEC_VERSION},
    {VK_KHR_PRESENT_ID_EXTENSION_NAME, VK_KHR_PRESENT_ID_SPEC_VERSION},
    {VK_KHR_PRESENT_WAIT_EXTENSION_NAME, VK_KHR_PRESENT_WAIT_SPEC_VERSION},
};

VkResult simulated_EnumerateDeviceExtensionProperties(
    VkPhysicalDevice physical, const char *layer, uint32_t *count, VkExtensionProperties *properties) {
  PFN_vkEnumerateDeviceExtensionProperties next = instance_of(physical)->next.EnumerateDeviceExtensionProperties;
  if (layer) return next(physical, layer, count, properties);
  uint32_t driven = 0, total = 0;
  VkResult result = next(physical, NULL, &driven, NULL);
  if (result != VK_SUCCESS) return result;
  VkExtensionProperties *all = calloc(driven + 3, sizeof *all);
  if (!all) return VK_ERROR_OUT_OF_HOST_MEMORY;
  result = next(physical, NULL, &driven, all);
  // The settings decide, also where a newer driver has these extensions itself.
  for (uint32_t i = 0; i < driven; i++) {
    int is_own = 0;
    for (int k = 0; k < 3; k++) is_own |= !strcmp(all[i].extensionName, simulated_extensions[k].extensionName);
    if (!is_own) all[total++] = all[i];
  }
  for (int k = 0; k < (setting("PRESENT_WAIT", 1) ? 3 : 1); k++) all[total++] = simulated_extensions[k];
  if (properties) {
    if (*count < total) result = VK_INCOMPLETE;
    if (*count > total) *count = total;
    memcpy(properties, all, *count * sizeof *all);
  } else {
    *count = total;
  }
  free(all);
  return result;
}

void simulated_GetPhysicalDeviceFeatures2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *features) {
  instance_of(physical)->next.GetPhysicalDeviceFeatures2(physical, features);
  VkBool32 waits = setting("PRESENT_WAIT", 1) != 0;
  VkPhysicalDevicePresentIdFeaturesKHR *id = link_of(features, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_ID_FEATURES_KHR);
  if (id) id->presentId = waits;
  VkPhysicalDevicePresentWaitFeaturesKHR *wait =
      link_of(features, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRESENT_WAIT_FEATURES_KHR);
  if (wait) wait->presentWait = waits;
}

// Memory

void simulated_GetPhysicalDeviceMemoryProperties(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties *properties) {
  VkPhysicalDeviceMemoryProperties driven;
  instance_of(physical)->next.GetPhysicalDeviceMemoryProperties(physical, &driven);
  shape_memory(&driven, properties);
}

void simulated_GetPhysicalDeviceMemoryProperties2(
    VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2 *properties) {
  instance_of(physical)->next.GetPhysicalDeviceMemoryProperties2(physical, properties);
  VkPhysicalDeviceMemoryProperties driven = properties->memoryProperties;
  shape_memory(&driven, &properties->memoryProperties);
  VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget =
      link_of(properties, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  if (budget) tell_budget(&properties->memoryProperties, budget);
}

// Queue families

static VkQueueFamilyProperties transfers(void) {
  return (VkQueueFamilyProperties){
      .queueFlags = VK_QUEUE_TRANSFER_BIT,
      .queueCount = 1,
      .timestampValidBits = (uint32_t)setting("TRANSFER_TIMESTAMP_BITS", 64),
      // As of older GPUs: blocks of this size, or whole images.
      .minImageTransferGranularity = {16, 16, 8},
  };
}

#define FAMILIES(function, type, fill)                                                                                 \
  void simulated_##function(VkPhysicalDevice physical, uint32_t *count, type *properties) {                            \
    uint32_t driven = 1, total = has_transfer_family() ? 2 : 1;                                                        \
    if (!properties) {                                                                                                 \
      *count = total;                                                                                                  \
      return;                                                                                                          \
    }                                                                                                                  \
    if (*count > total) *count = total;                                                                                \
    if (*count > 0) instance_of(physical)->next.function(physical, &driven, properties);                               \
    if (*count > 1) properties[1] fill = transfers();                                                                  \
  }

FAMILIES(GetPhysicalDeviceQueueFamilyProperties, VkQueueFamilyProperties, )
FAMILIES(GetPhysicalDeviceQueueFamilyProperties2, VkQueueFamilyProperties2, .queueFamilyProperties)

VkResult simulated_GetPhysicalDeviceSurfaceSupportKHR(
    VkPhysicalDevice physical, uint32_t family, VkSurfaceKHR surface, VkBool32 *is_supported) {
  if (family != transfer_family)
    return instance_of(physical)->next.GetPhysicalDeviceSurfaceSupportKHR(physical, family, surface, is_supported);
  *is_supported = VK_FALSE;
  return VK_SUCCESS;
}

// Images

void simulated_GetPhysicalDeviceFormatProperties(
    VkPhysicalDevice physical, VkFormat format, VkFormatProperties *properties) {
  instance_of(physical)->next.GetPhysicalDeviceFormatProperties(physical, format, properties);
  if (is_optimal_only()) properties->linearTilingFeatures = 0;
}

void simulated_GetPhysicalDeviceFormatProperties2(
    VkPhysicalDevice physical, VkFormat format, VkFormatProperties2 *properties) {
  instance_of(physical)->next.GetPhysicalDeviceFormatProperties2(physical, format, properties);
  if (!is_optimal_only()) return;
  properties->formatProperties.linearTilingFeatures = 0;
  VkFormatProperties3 *properties3 = link_of(properties, VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3);
  if (properties3) properties3->linearTilingFeatures = 0;
}

VkResult simulated_GetPhysicalDeviceImageFormatProperties(
    VkPhysicalDevice physical, VkFormat format, VkImageType type, VkImageTiling tiling, VkImageUsageFlags usage,
    VkImageCreateFlags flags, VkImageFormatProperties *properties) {
  if (tiling == VK_IMAGE_TILING_LINEAR && is_optimal_only()) {
    memset(properties, 0, sizeof *properties);
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  }
  return instance_of(physical)->next.GetPhysicalDeviceImageFormatProperties(
      physical, format, type, tiling, usage, flags, properties);
}

VkResult simulated_GetPhysicalDeviceImageFormatProperties2(
    VkPhysicalDevice physical, const VkPhysicalDeviceImageFormatInfo2 *info, VkImageFormatProperties2 *properties) {
  if (info->tiling == VK_IMAGE_TILING_LINEAR && is_optimal_only()) {
    memset(&properties->imageFormatProperties, 0, sizeof properties->imageFormatProperties);
    return VK_ERROR_FORMAT_NOT_SUPPORTED;
  }
  return instance_of(physical)->next.GetPhysicalDeviceImageFormatProperties2(physical, info, properties);
}
