// present DEVICE WIDTH HEIGHT: milliseconds from one present to the next, in a window of that size, of pictures that nothing is drawn into;
// the median. As soon as possible where the device can do so, else once a refresh: 'immediate', 'mailbox' or 'fifo' says which.
#include <stdio.h>
#include <stdlib.h>

#include "device.h"
// Behind Vulkan's header.
#include <GLFW/glfw3.h>

enum { frames = 200, most = 16 };

static const struct {
  VkPresentModeKHR mode;
  const char *name;
} modes[] = {{VK_PRESENT_MODE_IMMEDIATE_KHR, "immediate"}, {VK_PRESENT_MODE_MAILBOX_KHR, "mailbox"}, {VK_PRESENT_MODE_FIFO_KHR, "fifo"}};

static int choose(VkSurfaceKHR surface) {
  VkPresentModeKHR there[most];
  uint32_t count = most;
  vkGetPhysicalDeviceSurfacePresentModesKHR(physical, surface, &count, there);
  for (int i = 0; i < 2; i++)
    for (uint32_t j = 0; j < count; j++)
      if (there[j] == modes[i].mode) return i;
  return 2;
}

static VkSwapchainKHR make_swapchain(VkSurfaceKHR surface, VkPresentModeKHR mode) {
  VkSurfaceCapabilitiesKHR able;
  check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(physical, surface, &able), "no surface");
  VkSurfaceFormatKHR formats[most];
  uint32_t count = most;
  vkGetPhysicalDeviceSurfaceFormatsKHR(physical, surface, &count, formats);
  VkSwapchainCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                   .surface = surface,
                                   .minImageCount = able.minImageCount + 1,
                                   .imageFormat = formats[0].format,
                                   .imageColorSpace = formats[0].colorSpace,
                                   .imageExtent = able.currentExtent,
                                   .imageArrayLayers = 1,
                                   .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                   .preTransform = able.currentTransform,
                                   .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                   .presentMode = mode};
  VkSwapchainKHR swapchain;
  check(vkCreateSwapchainKHR(device, &info, NULL, &swapchain), "no swapchain");
  return swapchain;
}

static void ready_to_present(VkImage image) {
  VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                  .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                  .newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                                  .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                  .image = image,
                                  .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  begin();
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
  submit_and_wait(1);
}

int main(int argc, char **argv) {
  if (argc != 4) fail("usage: present DEVICE WIDTH HEIGHT");
  if (!glfwInit()) fail("no display");
  uint32_t count;
  const char **extensions = glfwGetRequiredInstanceExtensions(&count);
  if (!extensions) fail("no surface");
  open_device(argv[1], extensions, count, 1);
  glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
  GLFWwindow *window = glfwCreateWindow(atoi(argv[2]), atoi(argv[3]), "present", NULL, NULL);
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  if (!window || glfwCreateWindowSurface(instance, window, NULL, &surface)) fail("no window");
  VkBool32 isAble = VK_FALSE;
  vkGetPhysicalDeviceSurfaceSupportKHR(physical, family, surface, &isAble);
  if (!isAble) fail("the device cannot present in a window");
  int mode = choose(surface);
  VkSwapchainKHR swapchain = make_swapchain(surface, modes[mode].mode);
  VkImage images[most];
  uint32_t images_count = most;
  vkGetSwapchainImagesKHR(device, swapchain, &images_count, images);
  double times[frames], last = milliseconds();
  for (int i = 0; i < frames; i++) {
    uint32_t index;
    check(vkAcquireNextImageKHR(device, swapchain, 10000000000, VK_NULL_HANDLE, fence, &index), "no image of the window");
    check(vkWaitForFences(device, 1, &fence, VK_TRUE, 10000000000), "no image of the window");
    check(vkResetFences(device, 1, &fence), "no fence");
    ready_to_present(images[index]);
    VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, .swapchainCount = 1, .pSwapchains = &swapchain, .pImageIndices = &index};
    check(vkQueuePresentKHR(queue, &info), "presenting fails");
    double now = milliseconds();
    times[i] = now - last;
    last = now;
    glfwPollEvents();
  }
  printf("%.4f %s\n", median(times, frames), modes[mode].name);
  return 0;
}
