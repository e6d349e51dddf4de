// GLFW without any graphics headers: Vulkan lives in CVulkan alone, so surfaces cross as opaque handles.
#ifndef BENCH360_CGLFW_SHIM_H
#define BENCH360_CGLFW_SHIM_H

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <stdint.h>

#ifndef VK_VERSION_1_0
// Declared by GLFW only when Vulkan's header came first. VkInstance is a pointer, VkSurfaceKHR a 64-bit handle;
// VkResult is an int. The caller converts.
int glfwCreateWindowSurface(void *instance, GLFWwindow *window, const void *allocator, uint64_t *surface);
#endif

#endif
