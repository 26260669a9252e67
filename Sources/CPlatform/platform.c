#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/types.h>
#include <sys/xattr.h>
#if defined(__linux__)
#include <linux/fs.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
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

void cplatform_start_writing(int descriptor) {
#if defined(__linux__)
    (void)sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void)descriptor;
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

#if defined(__linux__)
static const char access_list[] = "system.posix_acl_access";

/* All names, in `stack` if they fit there, else allocated; the size, or -1 and errno. */
static ssize_t list_attributes(const char *path, char *stack, size_t room, char **names) {
    *names = stack;
    ssize_t size = llistxattr(path, stack, room);
    while (size < 0 && errno == ERANGE) {
        ssize_t needed = llistxattr(path, NULL, 0);
        if (needed < 0) return -1;
        char *larger = realloc(*names == stack ? NULL : *names, (size_t)needed + 256);
        if (!larger) { errno = ENOMEM; return -1; }
        *names = larger;
        size = llistxattr(path, larger, (size_t)needed + 256);
    }
    return size;
}

static int copy_attribute(const char *path, const char *name, int to) {
    ssize_t length = lgetxattr(path, name, NULL, 0);
    if (length < 0) return errno;
    void *value = malloc(length > 0 ? (size_t)length : 1);
    if (!value) return ENOMEM;
    length = lgetxattr(path, name, value, (size_t)length);
    int failure = length < 0 || fsetxattr(to, name, value, (size_t)length, 0) != 0 ? errno : 0;
    free(value);
    return failure;
}
#endif

int cplatform_has_extended_attributes(const char *path, int *has) {
    *has = 0;
#if defined(__linux__)
    ssize_t size = llistxattr(path, NULL, 0);
    if (size < 0) return errno == ENOTSUP ? 0 : errno;
    *has = size > 0;
#else
    (void)path;
#endif
    return 0;
}

int cplatform_remove_access_list(int descriptor, int *changed) {
    *changed = 0;
#if defined(__linux__)
    if (fgetxattr(descriptor, access_list, NULL, 0) <= 0) return 0;
    *changed = 1;
    return fremovexattr(descriptor, access_list) == 0 ? 0 : errno;
#else
    (void)descriptor;
    return 0;
#endif
}

int cplatform_copy_extended_attributes(const char *path, int to, int *changed) {
    *changed = 0;
#if defined(__linux__)
    char stack[512];
    char *names;
    int failure = 0, has_list = 0;
    ssize_t size = list_attributes(path, stack, sizeof stack, &names);
    if (size < 0 && errno == ENOTSUP) size = 0;
    if (size < 0) failure = errno;
    for (ssize_t at = 0; at < size; at += (ssize_t)strlen(names + at) + 1) {
        if (strcmp(names + at, access_list) == 0) has_list = 1;
        *changed = 1;
        int met = copy_attribute(path, names + at, to);
        if (met) failure = met;
    }
    if (names != stack) free(names);
    /* The folder's default list would give rights that the other file did not give. */
    int removed = 0;
    int met = size >= 0 && !has_list ? cplatform_remove_access_list(to, &removed) : 0;
    if (met) failure = met;
    if (removed) *changed = 1;
    return failure;
#else
    (void)path; (void)to;
    return 0;
#endif
}

int cplatform_name_folding(const char *folder) {
#if defined(__linux__)
    enum { letters = 1, forms = 2 };
    struct statfs info;
    if (statfs(folder, &info) != 0) return 0;
    switch ((unsigned long)info.f_type & 0xffffffffUL) {
    case 0x4d44:     /* vfat */
    case 0x2011bab0: /* exfat */
    case 0xff534d42: /* cifs */
    case 0xfe534d42: /* smb2 */
        return letters;
    case 0x482b: /* hfsplus */
        return letters | forms;
    case 0xef53:     /* ext4 */
    case 0xf2f52010: /* f2fs */
        break;
    default:
        return 0;
    }
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return 0;
    int flags = 0; /* the kernel writes an int, whatever the number of the call says */
    int folds = ioctl(descriptor, FS_IOC_GETFLAGS, &flags) == 0 && (flags & 0x40000000 /* FS_CASEFOLD_FL */);
    close(descriptor);
    return folds ? letters | forms : 0;
#elif defined(__APPLE__)
    return pathconf(folder, _PC_CASE_SENSITIVE) == 0 ? 3 : 2;
#else
    (void)folder;
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
