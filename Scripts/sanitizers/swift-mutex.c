// Reports Swift's Mutex to ThreadSanitizer.
//
// An uncontended Mutex is locked and unlocked by inlined code, which the sanitizer sees. A contended one is locked and unlocked
// by Swift's library, which is not built for the sanitizer: without this the sanitizer would see no lock. Preloaded by `Scripts/sanitize thread`, before the library whose functions it stands for.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

typedef SWIFT void (*LockSlow)(uint32_t, SELF);
typedef SWIFT void (*UnlockSlow)(SELF);

SWIFT void lock_slow(uint32_t state, SELF) __asm__(LOCK);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t state, SELF) {
  LockSlow real = (LockSlow)dlsym(RTLD_NEXT, LOCK);
  real(state, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void unlock_slow(SELF) {
  UnlockSlow real = (UnlockSlow)dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(self);
  real(self);
}
