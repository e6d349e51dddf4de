// Preloaded into a program: calls of the C library that can fail do, of a kind and a number.
//
// FAILING_CALLS is the kind: memory (of FFmpeg alone, for Swift ends a process that gets none), open, read, write, thread; or clock: none
// fails, the wall clock jumps by FAILING_SECONDS. FAILING_NUMBER is the call of each process that does, from 1; all after it do as well where
// FAILING_ON is set. FAILING_LOG gets a line per process: how many such calls there were.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *kind = "";
static long number, seconds;
static int goes_on;
static atomic_long calls;

__attribute__((constructor)) static void begin(void) {
  const char *wanted = getenv("FAILING_CALLS"), *first = getenv("FAILING_NUMBER"), *jump = getenv("FAILING_SECONDS");
  backtrace((void *[1]){NULL}, 1);  // The first one loads a library.
  number = first ? atol(first) : 0;
  seconds = jump ? atol(jump) : 0;
  goes_on = getenv("FAILING_ON") != NULL;
  kind = wanted ? wanted : "";
}

static int counts(void) {
  long call = atomic_fetch_add(&calls, 1) + 1;
  return number && (goes_on ? call >= number : call == number);
}

static int is_sanitizer(void *caller) {
  Dl_info info;
  return dladdr(caller, &info) && info.dli_sname && strstr(info.dli_sname, "interceptor");
}

// A sanitizer has a call of that name in the program, which comes first: who called that one.
static void *behind_sanitizer(void *caller) {
  void *frames[12];
  int count = is_sanitizer(caller) ? backtrace(frames, 12) : 0;
  for (int frame = 0; frame + 1 < count; frame++)
    if (frames[frame] == caller) return frames[frame + 1];
  return caller;
}

// Whether the caller is FFmpeg's, or the program's own: drivers, LLVM and the C library are left alone.
static int fails(const char *wanted, void *caller) {
  Dl_info info;
  if (strcmp(kind, wanted) || !dladdr(behind_sanitizer(caller), &info) || !info.dli_fname) return 0;
  const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash + 1 : info.dli_fname;
  int is_ffmpeg = !strncmp(name, "libav", 5) || !strncmp(name, "libsw", 5);
  int is_own = !strncmp(name, "bench360", 8) && strcmp(wanted, "memory");
  return (is_ffmpeg || is_own) && counts();
}

__attribute__((destructor)) static void tell(void) {
  const char *file = getenv("FAILING_LOG");
  kind = "";
  int log = file ? open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
  if (log < 0) return;
  dprintf(log, "%ld\n", atomic_load(&calls));
  close(log);
}

#define CALLER __builtin_return_address(0)
#define FIND(name)                                                                                                     \
  static __typeof__(&name) next;                                                                                       \
  if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
// A call that returns `result` and sets errno where it fails.
#define FAILING(wanted, type, name, parameters, arguments, cause, result)                                              \
  type name parameters {                                                                                               \
    FIND(name);                                                                                                        \
    if (!fails(wanted, CALLER)) return next arguments;                                                                 \
    errno = cause;                                                                                                     \
    return result;                                                                                                     \
  }
#define OPENING(name)                                                                                                  \
  int name(const char *path, int flags, ...) {                                                                         \
    FIND(name);                                                                                                        \
    va_list rest;                                                                                                      \
    va_start(rest, flags);                                                                                             \
    int mode = va_arg(rest, int);                                                                                      \
    va_end(rest);                                                                                                      \
    if (!fails("open", CALLER)) return next(path, flags, mode);                                                        \
    errno = EMFILE;                                                                                                    \
    return -1;                                                                                                         \
  }

OPENING(open)
OPENING(open64)
FAILING("read", ssize_t, read, (int file, void *to, size_t size), (file, to, size), EIO, -1)
FAILING("read", ssize_t, pread, (int file, void *to, size_t size, off_t at), (file, to, size, at), EIO, -1)
FAILING("read", ssize_t, pread64, (int file, void *to, size_t size, off64_t at), (file, to, size, at), EIO, -1)
FAILING("write", ssize_t, pwrite, (int file, const void *from, size_t size, off_t at), (file, from, size, at), ENOSPC, -1)
FAILING("write", int, fsync, (int file), (file), ENOSPC, -1)
FAILING("write", int, rename, (const char *from, const char *to), (from, to), ENOSPC, -1)
FAILING("memory", void *, realloc, (void *memory, size_t size), (memory, size), ENOMEM, NULL)

// To files alone: neither pipes nor sockets can be full for good.
ssize_t write(int file, const void *from, size_t size) {
  FIND(write);
  struct stat status;
  if (fstat(file, &status) || !S_ISREG(status.st_mode) || !fails("write", CALLER)) return next(file, from, size);
  errno = ENOSPC;
  return -1;
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  FIND(posix_memalign);
  return fails("memory", CALLER) ? ENOMEM : next(memory, alignment, size);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  FIND(pthread_create);
  return fails("thread", CALLER) ? EAGAIN : next(thread, attributes, body, argument);
}

int clock_gettime(clockid_t which, struct timespec *time) {
  FIND(clock_gettime);
  int result = next(which, time);
  if (which == CLOCK_REALTIME && !strcmp(kind, "clock") && counts()) time->tv_sec += seconds;
  return result;
}
