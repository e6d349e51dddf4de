// GLFW without any graphics headers: Vulkan lives in CVulkan alone, so surfaces cross as opaque handles.
#ifndef BENCH360_CGLFW_SHIM_H
#define BENCH360_CGLFW_SHIM_H

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef VK_VERSION_1_0
// Declared by GLFW only when Vulkan's header came first. VkInstance is a pointer, VkSurfaceKHR a 64-bit handle;
// VkResult is an int. The caller converts.
int glfwCreateWindowSurface(void *instance, GLFWwindow *window, const void *allocator, uint64_t *surface);
#endif

// GLFW 3.4 tries Wayland first, and libwayland prints an error where no compositor runs: X11 it is, unless the session names a compositor.
// Before glfwInit.
static inline void bench_choose_window_system(void) {
#ifdef GLFW_PLATFORM
  const char *display = getenv("WAYLAND_DISPLAY");
  int has_compositor = (display && *display) || getenv("WAYLAND_SOCKET");
  glfwInitHint(GLFW_PLATFORM, has_compositor ? GLFW_ANY_PLATFORM : GLFW_PLATFORM_X11);
#endif
}

#endif
