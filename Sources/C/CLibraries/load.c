#include <dlfcn.h>
#include <libavcodec/version.h>
#include <libavformat/version.h>
#include <libavutil/avutil.h>
#include <libswresample/version.h>
#include <libswscale/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Where calls.S jumps to, in the order of functions.h. Each leads to bench_function_at until its library is loaded.
extern void *bench_function_slots[] __attribute__((visibility("hidden")));

enum library { avutil, avcodec, avformat, swscale, swresample, ass, curl, glfw };

static const char *const files[] = {
    [avutil] = "libavutil.so." AV_STRINGIFY(LIBAVUTIL_VERSION_MAJOR),
    [avcodec] = "libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR),
    [avformat] = "libavformat.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR),
    [swscale] = "libswscale.so." AV_STRINGIFY(LIBSWSCALE_VERSION_MAJOR),
    [swresample] = "libswresample.so." AV_STRINGIFY(LIBSWRESAMPLE_VERSION_MAJOR),
    [ass] = "libass.so.9",
    [curl] = "libcurl.so.4",
    [glfw] = "libglfw.so.3",
};

static const struct {
  enum library library;
  const char *name;
} functions[] = {
#define FUNCTION(library, name) {library, #name},
#include "functions.h"
#undef FUNCTION
};

enum { count = sizeof functions / sizeof *functions };

__attribute__((noreturn)) static void stop(const char *problem) {
  fprintf(stderr, "bench360: cannot load a library: %s\n", problem);
  _exit(1);
}

// calls.S calls it with the row of a function whose slot is not filled yet. Any thread: two at once fill the slots alike.
__attribute__((visibility("hidden"))) void *bench_function_at(size_t row) {
  enum library library = functions[row].library;
  // Local: libraries that are loaded later, a Vulkan driver for one, need not look through its names.
  void *handle = dlopen(files[library], RTLD_LAZY | RTLD_LOCAL);
  if (!handle) stop(dlerror());
  void *called = dlsym(handle, functions[row].name);
  if (!called) stop(dlerror());
  for (size_t i = 0; i < count; i++) {
    if (functions[i].library != library) continue;
    // Without a function that only other versions have: its slot stays as it is.
    void *function = dlsym(handle, functions[i].name);
    if (function) __atomic_store_n(&bench_function_slots[i], function, __ATOMIC_RELEASE);
  }
  return called;
}
