#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/types.h>
#include <sys/xattr.h>
#if defined(__linux__)
#include <sys/eventfd.h>
#include <sys/vfs.h>
#endif

static int lock_call(int descriptor, short type, int wait) {
    struct flock lock = {0};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
#if defined(F_OFD_SETLK)
    int command = wait ? F_OFD_SETLKW : F_OFD_SETLK;
#else
    int command = wait ? 91 : 90; /* Darwin's F_OFD_SETLKW and F_OFD_SETLK, not in its public headers */
#endif
    for (;;) {
        if (fcntl(descriptor, command, &lock) == 0) return 0;
        if (errno == EINTR) continue;
        return errno == EACCES ? EAGAIN : errno;
    }
}

int cplatform_lock(int descriptor, int exclusive, int wait) {
    return lock_call(descriptor, exclusive ? F_WRLCK : F_RDLCK, wait);
}

int cplatform_unlock(int descriptor) {
    return lock_call(descriptor, F_UNLCK, 0);
}

int cplatform_rename_no_replace(const char *from, const char *to) {
#if defined(__linux__)
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : errno;
#elif defined(__APPLE__)
    return renamex_np(from, to, RENAME_EXCL) == 0 ? 0 : errno;
#else
    return ENOSYS;
#endif
}

int cplatform_eventfd(void) {
#if defined(__linux__)
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
#else
    errno = ENOSYS;
    return -1;
#endif
}

int cplatform_copy_extended_attributes(int from, int to) {
#if defined(__linux__)
    ssize_t size = flistxattr(from, NULL, 0);
    if (size < 0) return errno == ENOTSUP ? 0 : errno;
    if (size == 0) return 0;
    char *names = malloc((size_t)size);
    if (!names) return ENOMEM;
    size = flistxattr(from, names, (size_t)size);
    int failure = size < 0 ? errno : 0;
    for (ssize_t at = 0; at < size;) {
        const char *name = names + at;
        while (at < size && names[at]) at++;
        at++;
        ssize_t length = fgetxattr(from, name, NULL, 0);
        if (length < 0) { failure = errno; continue; }
        void *value = malloc(length > 0 ? (size_t)length : 1);
        if (!value) { failure = ENOMEM; continue; }
        length = fgetxattr(from, name, value, (size_t)length);
        if (length < 0 || fsetxattr(to, name, value, (size_t)length, 0) != 0) failure = errno;
        free(value);
    }
    free(names);
    return failure;
#else
    (void)from; (void)to;
    return 0;
#endif
}

long cplatform_file_system_type(const char *path) {
#if defined(__linux__)
    struct statfs info;
    return statfs(path, &info) == 0 ? (long)info.f_type : 0;
#else
    (void)path;
    return 0;
#endif
}

int cplatform_o_tmpfile(void) {
#if defined(O_TMPFILE)
    return O_TMPFILE;
#else
    return 0;
#endif
}
