// Tells the thread sanitizer of a Mutex that two threads wanted at once, to be preloaded.
//
// Swift's `Mutex` is compiled into the program, and seen by the sanitizer, but for the calls that wait for the lock and wake
// who waits: those are in libswiftSynchronization, which is not compiled for it. Without this library it reports races between
// two closures of `withLock` on one and the same mutex.
//
//     swift build --build-tests --sanitize=thread --scratch-path .build-thread
//     clang -O1 -fPIC -shared -o .build-thread/mutex.so LiveTests/Programs/ThreadSanitizer/mutex.c -ldl
//     LD_PRELOAD=$PWD/.build-thread/mutex.so .build-thread/debug/FolderSyncPackageTests.xctest \
//         --testing-library swift-testing --filter FileCoordinationTests

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SELF __attribute__((swift_context)) void *
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void (*lock_function)(uint32_t, SELF);
typedef __attribute__((swiftcall)) void (*unlock_function)(SELF);

void __tsan_acquire(void *);
void __tsan_release(void *);

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF handle) __asm__(LOCK);
__attribute__((swiftcall)) void unlock_slow(SELF handle) __asm__(UNLOCK);

__attribute__((swiftcall)) void lock_slow(uint32_t thread, SELF handle) {
    ((lock_function)dlsym(RTLD_NEXT, LOCK))(thread, handle);
    __tsan_acquire(handle);
}

__attribute__((swiftcall)) void unlock_slow(SELF handle) {
    __tsan_release(handle);
    ((unlock_function)dlsym(RTLD_NEXT, UNLOCK))(handle);
}
