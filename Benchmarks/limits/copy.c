// copy DEVICE: how fast the device copies its own memory, in GB/s, read and written bytes counted; the median of some copies of half a GiB, each
// submitted alone and waited for, less an empty submit.
#include <stdio.h>

#include "device.h"

enum { repeats = 21 };
static const VkDeviceSize size = 1 << 29;

static VkBuffer make_buffer(void) {
  VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                             .size = size,
                             .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  VkBuffer buffer;
  check(vkCreateBuffer(device, &info, NULL, &buffer), "no buffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .allocationSize = needs.size,
                                     .memoryTypeIndex = memory_type(needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)};
  VkDeviceMemory memory;
  check(vkAllocateMemory(device, &allocation, NULL, &memory), "no memory");
  check(vkBindBufferMemory(device, buffer, memory, 0), "no memory");
  return buffer;
}

int main(int argc, char **argv) {
  if (argc != 2) fail("usage: copy DEVICE");
  open_device(argv[1], NULL, 0, 0);
  VkBuffer from = make_buffer(), to = make_buffer();
  begin();
  vkCmdFillBuffer(commands, from, 0, size, 0x5a5aa5a5);
  submit_and_wait(1);
  VkBufferCopy all = {.size = size};
  double empty[repeats], full[repeats];
  for (int i = 0; i < repeats; i++) {
    double start = milliseconds();
    submit_and_wait(0);
    empty[i] = milliseconds() - start;
    begin();
    vkCmdCopyBuffer(commands, from, to, 1, &all);
    start = milliseconds();
    submit_and_wait(1);
    full[i] = milliseconds() - start;
  }
  printf("%.1f\n", 2 * size / 1e6 / (median(full, repeats) - median(empty, repeats)));
  return 0;
}
