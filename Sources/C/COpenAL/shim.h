// OpenAL Soft, found at first use: its headers are needed to build, its library only to be heard.
#ifndef BENCH360_COPENAL_SHIM_H
#define BENCH360_COPENAL_SHIM_H

#include <AL/al.h>
#include <AL/alc.h>
#include <AL/alext.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define BENCH_OPENAL_FUNCTIONS(F)                                                                                       \
  F(LPALCOPENDEVICE, alcOpenDevice)                                                                                     \
  F(LPALCCLOSEDEVICE, alcCloseDevice)                                                                                   \
  F(LPALCCREATECONTEXT, alcCreateContext)                                                                               \
  F(LPALCDESTROYCONTEXT, alcDestroyContext)                                                                             \
  F(LPALCISEXTENSIONPRESENT, alcIsExtensionPresent)                                                                     \
  F(LPALCGETSTRING, alcGetString)                                                                                       \
  F(LPALCGETINTEGERV, alcGetIntegerv)                                                                                   \
  F(LPALGETERROR, alGetError)                                                                                           \
  F(LPALISEXTENSIONPRESENT, alIsExtensionPresent)                                                                       \
  F(LPALLISTENERFV, alListenerfv)                                                                                       \
  F(LPALGENSOURCES, alGenSources)                                                                                       \
  F(LPALDELETESOURCES, alDeleteSources)                                                                                 \
  F(LPALSOURCEF, alSourcef)                                                                                             \
  F(LPALSOURCEI, alSourcei)                                                                                             \
  F(LPALGETSOURCEI, alGetSourcei)                                                                                       \
  F(LPALSOURCEPLAYV, alSourcePlayv)                                                                                     \
  F(LPALSOURCEPAUSEV, alSourcePausev)                                                                                   \
  F(LPALSOURCESTOPV, alSourceStopv)                                                                                     \
  F(LPALSOURCEREWINDV, alSourceRewindv)                                                                                 \
  F(LPALSOURCEQUEUEBUFFERS, alSourceQueueBuffers)                                                                       \
  F(LPALSOURCEUNQUEUEBUFFERS, alSourceUnqueueBuffers)                                                                   \
  F(LPALGENBUFFERS, alGenBuffers)                                                                                       \
  F(LPALDELETEBUFFERS, alDeleteBuffers)                                                                                 \
  F(LPALBUFFERDATA, alBufferData)                                                                                       \
  /* Extensions, exported by OpenAL Soft since 1.16. */                                                                 \
  F(PFNALCSETTHREADCONTEXTPROC, alcSetThreadContext)                                                                    \
  F(LPALGETSOURCEI64VSOFT, alGetSourcei64vSOFT)                                                                         \
  F(LPALCLOOPBACKOPENDEVICESOFT, alcLoopbackOpenDeviceSOFT)                                                             \
  F(LPALCRENDERSAMPLESSOFT, alcRenderSamplesSOFT)

// Filled once; read from any thread afterwards.
typedef struct bench_openal {
#define BENCH_OPENAL_FIELD(type, name) type _Nonnull name;
  BENCH_OPENAL_FUNCTIONS(BENCH_OPENAL_FIELD)
#undef BENCH_OPENAL_FIELD
} bench_openal;

static inline void bench_openal_ignore_alsa(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

// ALSA, which OpenAL opens devices with, prints to standard error what it does not find.
static inline void bench_openal_silence_alsa(void) {
  void *handle = dlopen("libasound.so.2", RTLD_LAZY | RTLD_LOCAL);
  if (!handle) return;
  int (*set)(void (*)(const char *, int, const char *, int, const char *, ...)) = NULL;
  void *function = dlsym(handle, "snd_lib_error_set_handler");
  memcpy(&set, &function, sizeof function);
  if (set) set(bench_openal_ignore_alsa);
}

// NULL when something is missing, and `missing` is then the library or the first function that it lacks. The library stays loaded.
// Once in a process: the library reads from the environment how much it is to print when its first function looks for devices, which is
// therefore called here.
static inline const bench_openal *_Nullable bench_openal_load(const char *_Nullable *_Nonnull missing) {
  static const char *library = "libopenal.so.1";
  static const struct { const char *name; size_t place; } functions[] = {
#define BENCH_OPENAL_ROW(type, name) {#name, offsetof(bench_openal, name)},
      BENCH_OPENAL_FUNCTIONS(BENCH_OPENAL_ROW)
#undef BENCH_OPENAL_ROW
  };
  *missing = library;
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return NULL;
  bench_openal *openal = (bench_openal *)calloc(1, sizeof *openal);
  if (!openal) return NULL;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *function = dlsym(handle, functions[i].name);
    *missing = functions[i].name;
    if (!function) {
      free(openal);
      return NULL;
    }
    memcpy((char *)openal + functions[i].place, &function, sizeof function);
  }
  *missing = NULL;
  bench_openal_silence_alsa();
  int speaks = getenv("ALSOFT_LOGLEVEL") != NULL;
  if (!speaks) setenv("ALSOFT_LOGLEVEL", "0", 0);
  openal->alcGetString(NULL, ALC_DEFAULT_ALL_DEVICES_SPECIFIER);
  if (!speaks) unsetenv("ALSOFT_LOGLEVEL");
  return openal;
}

#endif
