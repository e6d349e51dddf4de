// Tells ThreadSanitizer of Swift's Mutex.
//
// A Mutex that nobody else wants is taken and given back by our own code, which the sanitizer sees. One that is fought over
// is taken and given back by Swift's library, which is not built for the sanitizer: without this such a mutex would look like
// none at all. Preloaded by `Scripts/sanitize thread`, before the library whose functions it stands for.
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
