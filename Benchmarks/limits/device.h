// A Vulkan device with one queue, for programs that measure what the device itself takes.
#pragma once
#include <vulkan/vulkan.h>

extern VkInstance instance;
extern VkPhysicalDevice physical;
extern VkDevice device;
extern VkQueue queue;
extern uint32_t family;
extern VkCommandBuffer commands;
extern VkFence fence;

// Ends the program with that text.
void fail(const char *what);
void check(VkResult result, const char *what);
// The physical device of that name, with the instance's and the device's further extensions.
void open_device(const char *name, const char **extensions, uint32_t count, int presents);
uint32_t memory_type(uint32_t bits, VkMemoryPropertyFlags wanted);
void begin(void);
// Submits the commands recorded since 'begin', or nothing, and waits for its end.
void submit_and_wait(int recorded);
double milliseconds(void);
double median(double *values, int count);
