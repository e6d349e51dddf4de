// Present-wait on a display with SIMULATED_REFRESH_HZ refreshes per second.
#include <pthread.h>
#include <time.h>

#include "simulation.h"

// The latest presents of all swapchains.
enum { remembered = 256 };
static struct present {
  VkSwapchainKHR swapchain;
  uint64_t number;
  int64_t seen;
} presents[remembered];
static unsigned presented;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t added;
static pthread_once_t clock_once = PTHREAD_ONCE_INIT;

static void make_condition(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&added, &attributes);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ll + time.tv_nsec;
}

// An image is seen at the next refresh that no other image of the swapchain has taken.
static int64_t refresh_for(VkSwapchainKHR swapchain) {
  int64_t period = (int64_t)(1e9 / (setting("REFRESH_HZ", 60) > 0 ? setting("REFRESH_HZ", 60) : 60));
  int64_t refresh = (now() / period + 1) * period;
  for (int i = 0; i < remembered; i++)
    if (presents[i].swapchain == swapchain && presents[i].seen >= refresh) refresh = presents[i].seen + period;
  return refresh;
}

void note_presents(const VkPresentInfoKHR *info) {
  const VkPresentIdKHR *numbers = link_of(info->pNext, VK_STRUCTURE_TYPE_PRESENT_ID_KHR);
  if (!numbers || !numbers->pPresentIds) return;
  pthread_once(&clock_once, make_condition);
  pthread_mutex_lock(&lock);
  for (uint32_t i = 0; i < numbers->swapchainCount; i++)
    presents[presented++ % remembered] =
        (struct present){info->pSwapchains[i], numbers->pPresentIds[i], refresh_for(info->pSwapchains[i])};
  pthread_cond_broadcast(&added);
  pthread_mutex_unlock(&lock);
}

VkResult simulated_WaitForPresentKHR(VkDevice handle, VkSwapchainKHR swapchain, uint64_t number, uint64_t timeout) {
  (void)handle;
  pthread_once(&clock_once, make_condition);
  int64_t start = now(), deadline = timeout > 3600000000000ull ? start + 3600000000000ll : start + (int64_t)timeout;
  pthread_mutex_lock(&lock);
  VkResult result;
  int64_t seen, time;
  while (1) {
    seen = INT64_MAX, time = now();
    for (int i = 0; i < remembered; i++)
      if (presents[i].swapchain == swapchain && presents[i].number >= number && presents[i].seen < seen)
        seen = presents[i].seen;
    if (seen <= time || time >= deadline) {
      result = seen <= time ? VK_SUCCESS : VK_TIMEOUT;
      break;
    }
    int64_t until = seen < deadline ? seen : deadline;
    struct timespec wanted = {until / 1000000000, until % 1000000000};
    pthread_cond_timedwait(&added, &lock, &wanted);
  }
  pthread_mutex_unlock(&lock);
  note(result == VK_SUCCESS ? presents_seen : presents_late);
  // The picture was seen before the waiting began, or a loaded machine woke it late.
  if (result == VK_SUCCESS && now() > seen + 2000000) note(presents_overslept);
  return result;
}

VkResult simulated_CreateSwapchainKHR(
    VkDevice handle, const VkSwapchainCreateInfoKHR *info, const VkAllocationCallbacks *allocator,
    VkSwapchainKHR *swapchain) {
  if (fails("vkCreateSwapchainKHR")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  VkSwapchainCreateInfoKHR driven = *info;
  driven.imageSharingMode = VK_SHARING_MODE_EXCLUSIVE;
  driven.queueFamilyIndexCount = 0;
  return device_of(handle)->next.CreateSwapchainKHR(handle, &driven, allocator, swapchain);
}

void simulated_DestroySwapchainKHR(
    VkDevice handle, VkSwapchainKHR swapchain, const VkAllocationCallbacks *allocator) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < remembered; i++)
    if (presents[i].swapchain == swapchain) presents[i].swapchain = VK_NULL_HANDLE;
  pthread_mutex_unlock(&lock);
  device_of(handle)->next.DestroySwapchainKHR(handle, swapchain, allocator);
}
