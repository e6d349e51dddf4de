// Counts heap allocations, bytes copied and Vulkan calls by who asked for them: preloaded into a program, it writes a line
// per call site at exit, to $COUNTERS.<process id>.
//
// A line is: what ("allocation", "copy" or the Vulkan function), how many (bytes of copies), file of the caller, offset of
// the call in that file, then the offsets of the callers above it in the program itself (nearest first), as far as frame
// pointers lead. Vulkan calls have no callers. VULKAN(name) lines come from `run`, which knows what the program calls.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// glibc's own allocator under its other names: no dlsym, which would allocate itself.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

enum { sites = 1 << 16, depth = 12 };

enum what { allocation, copy };

struct site {
  atomic_uintptr_t key;
  atomic_ulong count;
  enum what what;
  uintptr_t stack[depth];
};

static struct site table[sites];
static atomic_ulong lost;
static uintptr_t program_start, program_end;
static __thread uintptr_t stack_end;

// The calls above this one, as far as frame pointers lead: libraries without them end the walk, never crash it.
static void walk(uintptr_t *stack, uintptr_t frame) {
  if (!stack_end) {
    pthread_attr_t attributes;
    void *base;
    size_t size;
    stack_end = 1;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      if (pthread_attr_getstack(&attributes, &base, &size) == 0) stack_end = (uintptr_t)base + size;
      pthread_attr_destroy(&attributes);
    }
  }
  uintptr_t low = (uintptr_t)&low;
  int filled = 0;
  for (int level = 0; level < 64 && filled < depth; level++) {
    if (frame < low || frame > stack_end - 16 || frame % 8) return;
    uintptr_t next = ((uintptr_t *)frame)[0], address = ((uintptr_t *)frame)[1];
    if (address >= program_start && address < program_end) stack[filled++] = address;
    if (next <= frame) return;
    frame = next;
  }
}

static void count(enum what what, size_t amount, void *caller, void *frame) {
  uintptr_t stack[depth] = {0};
  if (program_end) walk(stack, (uintptr_t)frame);
  uintptr_t key = (uintptr_t)caller + what;
  for (int level = 0; level < depth; level++) key = (key ^ stack[level]) * 0x9E3779B97F4A7C15u;
  key ^= key >> 29;
  if (!key) key = 1;
  for (size_t probe = 0; probe < 64; probe++) {
    struct site *site = &table[(key + probe) % sites];
    uintptr_t empty = 0;
    if (atomic_load(&site->key) == 0 && atomic_compare_exchange_strong(&site->key, &empty, key)) {
      site->what = what;
      site->stack[0] = (uintptr_t)caller;
      memcpy(site->stack + 1, stack, (depth - 1) * sizeof *stack);
    }
    if (atomic_load(&site->key) == key) {
      atomic_fetch_add(&site->count, amount);
      return;
    }
  }
  atomic_fetch_add(&lost, 1);
}

#define COUNT() count(allocation, 1, __builtin_return_address(0), __builtin_frame_address(0))

void *malloc(size_t size) { COUNT(); return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { COUNT(); return __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { COUNT(); return __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { COUNT(); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { COUNT(); return __libc_memalign(alignment, size); }
void *valloc(size_t size) { COUNT(); return __libc_memalign(4096, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
  COUNT();
  void *made = __libc_memalign(alignment, size);
  if (!made) return ENOMEM;
  *result = made;
  return 0;
}

// Smaller copies are values, not pictures; counting all of them would take longer than the copies themselves.
enum { least_copy = 512 };

static void *(*real_memmove)(void *, const void *, size_t);

static void *copied(void *to, const void *from, size_t size, void *caller, void *frame) {
  if (size >= least_copy) count(copy, size, caller, frame);
  if (real_memmove) return real_memmove(to, from, size);
  char *target = to;
  const char *source = from;
  if (target <= source) for (size_t index = 0; index < size; index++) target[index] = source[index];
  else for (size_t index = size; index-- > 0;) target[index] = source[index];
  return to;
}

void *memcpy(void *to, const void *from, size_t size) {
  return copied(to, from, size, __builtin_return_address(0), __builtin_frame_address(0));
}
void *memmove(void *to, const void *from, size_t size) {
  return copied(to, from, size, __builtin_return_address(0), __builtin_frame_address(0));
}

// Counts a Vulkan function and jumps to it, independent of its arguments.
#if defined(__x86_64__)
#define VULKAN(name)                                                            \
  atomic_ulong count_##name;                                                    \
  void *real_##name;                                                            \
  __asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n"          \
          "  movq count_" #name "@GOTPCREL(%rip), %rax\n  lock incq (%rax)\n"   \
          "  movq real_" #name "@GOTPCREL(%rip), %rax\n  jmp *(%rax)\n");
#include "vulkan.inc"
#undef VULKAN
#define HAS_VULKAN 1
#endif

static int first_object(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size; (void)data;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    if (header->p_type == PT_LOAD && (header->p_flags & PF_X)) {
      program_start = info->dlpi_addr + header->p_vaddr;
      program_end = program_start + header->p_memsz;
    }
  }
  return 1;
}

__attribute__((constructor)) static void start(void) {
  real_memmove = (void *(*)(void *, const void *, size_t))dlsym(RTLD_NEXT, "memmove");
#ifdef HAS_VULKAN
#define VULKAN(name) real_##name = dlsym(RTLD_NEXT, #name);
#include "vulkan.inc"
#undef VULKAN
#endif
  dl_iterate_phdr(first_object, NULL);
}

__attribute__((destructor)) static void report(void) {
  const char *prefix = getenv("COUNTERS");
  char path[4096];
  if (!prefix || snprintf(path, sizeof path, "%s.%d", prefix, getpid()) >= (int)sizeof path) return;
  FILE *file = fopen(path, "w");
  if (!file) return;
  for (size_t index = 0; index < sites; index++) {
    struct site *site = &table[index];
    if (!atomic_load(&site->key)) continue;
    fprintf(file, "%s\t%lu", site->what == copy ? "copy" : "allocation", atomic_load(&site->count));
    for (int level = 0; level < depth && site->stack[level]; level++) {
      Dl_info info;
      int known = dladdr((void *)site->stack[level], &info) && info.dli_fname;
      if (level == 0) fprintf(file, "\t%s", known ? info.dli_fname : "jit");
      fprintf(file, "\t%lx", site->stack[level] - (known ? (uintptr_t)info.dli_fbase : 0));
    }
    fprintf(file, "\n");
  }
  if (atomic_load(&lost)) fprintf(file, "allocation\t%lu\tlost\n", atomic_load(&lost));
#ifdef HAS_VULKAN
#define VULKAN(name) fprintf(file, #name "\t%lu\n", atomic_load(&count_##name));
#include "vulkan.inc"
#undef VULKAN
#endif
  fclose(file);
}
