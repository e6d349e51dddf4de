// See device.h.
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

VkInstance instance;
VkPhysicalDevice physical;
VkDevice device;
VkQueue queue;
uint32_t family;
VkCommandBuffer commands;
VkFence fence;

void fail(const char *what) {
  fprintf(stderr, "device: %s\n", what);
  exit(1);
}

void check(VkResult result, const char *what) {
  if (result != VK_SUCCESS) fail(what);
}

static void choose(const char *name) {
  VkPhysicalDevice devices[64];
  uint32_t count = 64;
  vkEnumeratePhysicalDevices(instance, &count, devices);
  for (uint32_t i = 0; i < count; i++) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(devices[i], &properties);
    if (!physical && (!*name || !strcmp(properties.deviceName, name))) physical = devices[i];
  }
  if (!physical) fail("no device has that name");
  VkQueueFamilyProperties families[16];
  count = 16;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
  for (family = 0; family < count; family++)
    if (families[family].queueFlags & VK_QUEUE_GRAPHICS_BIT) return;
  fail("the device draws nothing");
}

void open_device(const char *name, const char **extensions, uint32_t count, int presents) {
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
  VkInstanceCreateInfo instanceInfo = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application,
                                       .enabledExtensionCount = count,
                                       .ppEnabledExtensionNames = extensions};
  check(vkCreateInstance(&instanceInfo, NULL, &instance), "no Vulkan");
  choose(name);
  float priority = 1;
  VkDeviceQueueCreateInfo queueInfo = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                       .queueFamilyIndex = family,
                                       .queueCount = 1,
                                       .pQueuePriorities = &priority};
  const char *swapchain = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
  VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                               .dynamicRendering = VK_TRUE};
  VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                             .pNext = &features,
                             .queueCreateInfoCount = 1,
                             .pQueueCreateInfos = &queueInfo,
                             .enabledExtensionCount = presents ? 1 : 0,
                             .ppEnabledExtensionNames = &swapchain};
  check(vkCreateDevice(physical, &info, NULL, &device), "the device does not open");
  vkGetDeviceQueue(device, family, 0, &queue);
  VkCommandPool pool;
  VkCommandPoolCreateInfo poolInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                      .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                      .queueFamilyIndex = family};
  check(vkCreateCommandPool(device, &poolInfo, NULL, &pool), "no command pool");
  VkCommandBufferAllocateInfo bufferInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = 1};
  check(vkAllocateCommandBuffers(device, &bufferInfo, &commands), "no command buffer");
  VkFenceCreateInfo fenceInfo = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  check(vkCreateFence(device, &fenceInfo, NULL, &fence), "no fence");
}

uint32_t memory_type(uint32_t bits, VkMemoryPropertyFlags wanted) {
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(physical, &memory);
  for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
    if ((bits >> i & 1) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted) return i;
  fail("no memory of that type");
  return 0;
}

void begin(void) {
  VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  check(vkBeginCommandBuffer(commands, &info), "nothing is recorded");
}

void submit_and_wait(int recorded) {
  if (recorded) check(vkEndCommandBuffer(commands), "recording fails");
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = recorded, .pCommandBuffers = &commands};
  check(vkQueueSubmit(queue, 1, &info, fence), "submitting fails");
  check(vkWaitForFences(device, 1, &fence, VK_TRUE, 10000000000), "the device does not answer");
  check(vkResetFences(device, 1, &fence), "no fence");
}

double milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

static int order(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double median(double *values, int count) {
  qsort(values, count, sizeof *values, order);
  return values[count / 2];
}
