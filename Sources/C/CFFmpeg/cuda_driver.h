// As much of CUDA's driver API as moves decoded planes into images of Vulkan's, by our own declarations: neither NVIDIA's
// headers nor its library are needed to build, and the library is looked for at first use.
//
// Layouts and numbers are those of the driver API since CUDA 11.2, which has timeline semaphores; its ABI is stable.
// All functions give CUDA's result, 0 is success, and want the context to be current where they take no device.
#ifndef BENCH360_CUDA_DRIVER_H
#define BENCH360_CUDA_DRIVER_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

// libavutil/hwcontext_cuda.h includes NVIDIA's <cuda.h> unless this is defined; it wants no more of it than these handles.
#ifndef CUDA_VERSION
#define CUDA_VERSION 11020
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
#endif
#include <libavutil/hwcontext_cuda.h>

enum {
  BENCH_CUDA_NOT_READY = 600,
  BENCH_CUDA_MEMORY_DEVICE = 2,
  BENCH_CUDA_MEMORY_ARRAY = 3,
  BENCH_CUDA_FORMAT_UINT8 = 1,
  BENCH_CUDA_FORMAT_UINT16 = 2,
  BENCH_CUDA_HANDLE_MEMORY_FD = 1,
  BENCH_CUDA_HANDLE_TIMELINE_FD = 9,
  BENCH_CUDA_MEMORY_DEDICATED = 1,
  BENCH_CUDA_EVENT_WITHOUT_TIMING = 2,
};

typedef struct bench_cuda_copy {
  size_t source_x, source_y;
  int source_type;
  const void *source_host;
  unsigned long long source;
  void *source_array;
  size_t source_pitch;
  size_t target_x, target_y;
  int target_type;
  void *target_host;
  unsigned long long target;
  void *target_array;
  size_t target_pitch;
  size_t row_bytes, rows;
} bench_cuda_copy;

// Of external memory and of external semaphores: the latter have no size.
typedef struct bench_cuda_memory_handle {
  int type;
  union { int fd; struct { void *handle; const void *name; } other; } handle;
  unsigned long long size;
  unsigned int flags;
  unsigned int reserved[16];
} bench_cuda_memory_handle;
typedef struct bench_cuda_semaphore_handle {
  int type;
  union { int fd; struct { void *handle; const void *name; } other; } handle;
  unsigned int flags;
  unsigned int reserved[16];
} bench_cuda_semaphore_handle;

typedef struct bench_cuda_array_format {
  size_t width, height, depth;
  int format;
  unsigned int channels, flags;
} bench_cuda_array_format;
typedef struct bench_cuda_mipmaps {
  unsigned long long offset;
  bench_cuda_array_format array;
  unsigned int levels;
  unsigned int reserved[16];
} bench_cuda_mipmaps;

// What CUDA's own declaration has: fence, NvSciSync and keyed mutex before 12 reserved words; the whole is what counts.
typedef struct bench_cuda_semaphore_parameters {
  struct {
    struct { unsigned long long value; } fence;
    unsigned int reserved[16];
  } parameters;
  unsigned int flags;
  unsigned int reserved[16];
} bench_cuda_semaphore_parameters;

_Static_assert(sizeof(bench_cuda_copy) == 128, "CUDA_MEMCPY2D");
_Static_assert(sizeof(bench_cuda_memory_handle) == 104, "CUDA_EXTERNAL_MEMORY_HANDLE_DESC");
_Static_assert(sizeof(bench_cuda_semaphore_handle) == 96, "CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC");
_Static_assert(sizeof(bench_cuda_array_format) == 40, "CUDA_ARRAY3D_DESCRIPTOR");
_Static_assert(sizeof(bench_cuda_mipmaps) == 120, "CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC");
_Static_assert(sizeof(bench_cuda_semaphore_parameters) == 144, "CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS and _WAIT_PARAMS");

// The driver's functions. Filled once; read from any thread afterwards.
typedef struct bench_cuda {
  int (*init)(unsigned int);
  int (*device_count)(int *);
  int (*device)(int *, int);
  int (*device_uuid)(unsigned char *, int);
  int (*error_text)(int, const char **);
  int (*push)(CUcontext);
  int (*pop)(CUcontext *);
  int (*import_memory)(void **, const bench_cuda_memory_handle *);
  int (*destroy_memory)(void *);
  int (*map_mipmaps)(void **, void *, const bench_cuda_mipmaps *);
  int (*mipmap_level)(void **, void *, unsigned int);
  int (*destroy_mipmaps)(void *);
  int (*import_semaphore)(void **, const bench_cuda_semaphore_handle *);
  int (*destroy_semaphore)(void *);
  int (*signal)(void *const *, const bench_cuda_semaphore_parameters *, unsigned int, CUstream);
  int (*wait)(void *const *, const bench_cuda_semaphore_parameters *, unsigned int, CUstream);
  int (*copy)(const bench_cuda_copy *, CUstream);
  int (*create_event)(void **, unsigned int);
  int (*record_event)(void *, CUstream);
  int (*query_event)(void *);
  int (*wait_event)(void *);
  int (*destroy_event)(void *);
} bench_cuda;

// NULL when all is there, else what is not: the library or the first function that it lacks. The library stays loaded.
static inline const char *bench_cuda_load(bench_cuda *cuda) {
  static const char *library = "libcuda.so.1";
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return library;
  static const struct { const char *name; size_t place; } functions[] = {
      {"cuInit", offsetof(bench_cuda, init)},
      {"cuDeviceGetCount", offsetof(bench_cuda, device_count)},
      {"cuDeviceGet", offsetof(bench_cuda, device)},
      {"cuDeviceGetUuid", offsetof(bench_cuda, device_uuid)},
      {"cuGetErrorString", offsetof(bench_cuda, error_text)},
      {"cuCtxPushCurrent_v2", offsetof(bench_cuda, push)},
      {"cuCtxPopCurrent_v2", offsetof(bench_cuda, pop)},
      {"cuImportExternalMemory", offsetof(bench_cuda, import_memory)},
      {"cuDestroyExternalMemory", offsetof(bench_cuda, destroy_memory)},
      {"cuExternalMemoryGetMappedMipmappedArray", offsetof(bench_cuda, map_mipmaps)},
      {"cuMipmappedArrayGetLevel", offsetof(bench_cuda, mipmap_level)},
      {"cuMipmappedArrayDestroy", offsetof(bench_cuda, destroy_mipmaps)},
      {"cuImportExternalSemaphore", offsetof(bench_cuda, import_semaphore)},
      {"cuDestroyExternalSemaphore", offsetof(bench_cuda, destroy_semaphore)},
      {"cuSignalExternalSemaphoresAsync", offsetof(bench_cuda, signal)},
      {"cuWaitExternalSemaphoresAsync", offsetof(bench_cuda, wait)},
      {"cuMemcpy2DAsync_v2", offsetof(bench_cuda, copy)},
      {"cuEventCreate", offsetof(bench_cuda, create_event)},
      {"cuEventRecord", offsetof(bench_cuda, record_event)},
      {"cuEventQuery", offsetof(bench_cuda, query_event)},
      {"cuEventSynchronize", offsetof(bench_cuda, wait_event)},
      {"cuEventDestroy_v2", offsetof(bench_cuda, destroy_event)},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *function = dlsym(handle, functions[i].name);
    if (!function) return functions[i].name;
    memcpy((char *)cuda + functions[i].place, &function, sizeof function);
  }
  return NULL;
}

// An image of Vulkan's as CUDA sees it.
typedef struct bench_cuda_image {
  void *memory, *mipmaps, *array;
} bench_cuda_image;

static inline void bench_cuda_free_image(const bench_cuda *cuda, bench_cuda_image *image) {
  if (image->mipmaps) cuda->destroy_mipmaps(image->mipmaps);
  if (image->memory) cuda->destroy_memory(image->memory);
  memset(image, 0, sizeof *image);
}

// Maps an optimally tiled image that has its memory for itself. Takes `fd` over in any case.
static inline int bench_cuda_import_image(const bench_cuda *cuda, int fd, uint64_t size, uint32_t width, uint32_t height,
                                          int components, int bytes, bench_cuda_image *image) {
  memset(image, 0, sizeof *image);
  bench_cuda_memory_handle handle;
  memset(&handle, 0, sizeof handle);
  handle.type = BENCH_CUDA_HANDLE_MEMORY_FD;
  handle.handle.fd = fd;
  handle.size = size;
  handle.flags = BENCH_CUDA_MEMORY_DEDICATED;
  int result = cuda->import_memory(&image->memory, &handle);
  if (result) {
    image->memory = NULL;
    close(fd);
    return result;
  }
  bench_cuda_mipmaps mipmaps;
  memset(&mipmaps, 0, sizeof mipmaps);
  mipmaps.array.width = width;
  mipmaps.array.height = height;
  mipmaps.array.format = bytes == 1 ? BENCH_CUDA_FORMAT_UINT8 : BENCH_CUDA_FORMAT_UINT16;
  mipmaps.array.channels = (unsigned int)components;
  mipmaps.levels = 1;
  result = cuda->map_mipmaps(&image->mipmaps, image->memory, &mipmaps);
  if (result) image->mipmaps = NULL;
  if (!result) result = cuda->mipmap_level(&image->array, image->mipmaps, 0);
  if (result) bench_cuda_free_image(cuda, image);
  return result;
}

// Takes `fd` over in any case.
static inline int bench_cuda_import_timeline(const bench_cuda *cuda, int fd, void **semaphore) {
  bench_cuda_semaphore_handle handle;
  memset(&handle, 0, sizeof handle);
  handle.type = BENCH_CUDA_HANDLE_TIMELINE_FD;
  handle.handle.fd = fd;
  *semaphore = NULL;
  int result = cuda->import_semaphore(semaphore, &handle);
  if (result) {
    *semaphore = NULL;
    close(fd);
  }
  return result;
}

// Copies rows of a decoder's surface into an image, after what the stream does already.
static inline int bench_cuda_copy_plane(const bench_cuda *cuda, const void *source, size_t pitch, size_t x, size_t y,
                                        const bench_cuda_image *image, size_t row_bytes, size_t rows, CUstream stream) {
  bench_cuda_copy copy;
  memset(&copy, 0, sizeof copy);
  copy.source_type = BENCH_CUDA_MEMORY_DEVICE;
  copy.source = (unsigned long long)(uintptr_t)source;
  copy.source_pitch = pitch;
  copy.source_x = x;
  copy.source_y = y;
  copy.target_type = BENCH_CUDA_MEMORY_ARRAY;
  copy.target_array = image->array;
  copy.row_bytes = row_bytes;
  copy.rows = rows;
  return cuda->copy(&copy, stream);
}

// Raises a timeline once the stream is done with what it was given so far.
static inline int bench_cuda_wait(const bench_cuda *cuda, void *semaphore, uint64_t value, CUstream stream) {
  bench_cuda_semaphore_parameters parameters;
  memset(&parameters, 0, sizeof parameters);
  parameters.parameters.fence.value = value;
  return cuda->wait(&semaphore, &parameters, 1, stream);
}

static inline int bench_cuda_signal(const bench_cuda *cuda, void *semaphore, uint64_t value, CUstream stream) {
  bench_cuda_semaphore_parameters parameters;
  memset(&parameters, 0, sizeof parameters);
  parameters.parameters.fence.value = value;
  return cuda->signal(&semaphore, &parameters, 1, stream);
}

static inline int bench_cuda_new_event(const bench_cuda *cuda, void **event) {
  return cuda->create_event(event, BENCH_CUDA_EVENT_WITHOUT_TIMING);
}
static inline int bench_cuda_record_event(const bench_cuda *cuda, void *event, CUstream stream) {
  return cuda->record_event(event, stream);
}
static inline int bench_cuda_event_is_done(const bench_cuda *cuda, void *event) {
  return cuda->query_event(event) != BENCH_CUDA_NOT_READY;
}
static inline int bench_cuda_wait_event(const bench_cuda *cuda, void *event) { return cuda->wait_event(event); }
static inline void bench_cuda_free_event(const bench_cuda *cuda, void *event) { cuda->destroy_event(event); }

static inline int bench_cuda_start(const bench_cuda *cuda, int *devices) {
  int result = cuda->init(0);
  return result ? result : cuda->device_count(devices);
}
static inline int bench_cuda_uuid(const bench_cuda *cuda, int ordinal, unsigned char uuid[16]) {
  int device = 0;
  int result = cuda->device(&device, ordinal);
  return result ? result : cuda->device_uuid(uuid, device);
}
static inline const char *bench_cuda_error(const bench_cuda *cuda, int result) {
  const char *text = NULL;
  return cuda->error_text(result, &text) == 0 && text ? text : "unknown CUDA error";
}

static inline int bench_cuda_enter(const bench_cuda *cuda, CUcontext context) { return cuda->push(context); }
static inline void bench_cuda_leave(const bench_cuda *cuda) {
  CUcontext context = NULL;
  cuda->pop(&context);
}
static inline CUcontext bench_cuda_context(const AVBufferRef *device) {
  return ((const AVCUDADeviceContext *)((const AVHWDeviceContext *)device->data)->hwctx)->cuda_ctx;
}
// The decoder's own: what is given to it comes after the decoding.
static inline CUstream bench_cuda_stream(const AVBufferRef *device) {
  return ((const AVCUDADeviceContext *)((const AVHWDeviceContext *)device->data)->hwctx)->stream;
}

#endif
