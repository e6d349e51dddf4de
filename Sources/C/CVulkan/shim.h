// Vulkan, with the function-like macros that Swift's importer cannot see.
#ifndef BENCH360_CVULKAN_SHIM_H
#define BENCH360_CVULKAN_SHIM_H

#include <vulkan/vulkan.h>

static inline uint32_t bench_vk_make_version(uint32_t major, uint32_t minor, uint32_t patch) {
  return VK_MAKE_API_VERSION(0, major, minor, patch);
}
static inline uint32_t bench_vk_major(uint32_t version) { return VK_API_VERSION_MAJOR(version); }
static inline uint32_t bench_vk_minor(uint32_t version) { return VK_API_VERSION_MINOR(version); }
static inline uint32_t bench_vk_patch(uint32_t version) { return VK_API_VERSION_PATCH(version); }
static inline uint32_t bench_vk_header_version(void) { return VK_HEADER_VERSION_COMPLETE; }

#endif
