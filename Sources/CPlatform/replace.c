#define _GNU_SOURCE
#include "CPlatform.h"

#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* A regular file that lets everybody do what its group may, and has no access control list that could take that from someone:
   a new file of its mode shows nobody what it did not, whosever and in whatever group it is. Its owner can read and write it: some
   file systems refuse to open what they have just made with less. */
static int is_plain(const struct stat *old, const char *path) {
    mode_t others = old->st_mode & 07;
    if (!S_ISREG(old->st_mode) || !others || (old->st_mode & 07070) != others << 3) return 0;
    if ((old->st_mode & 0600) != 0600 || (old->st_mode >> 6 & others) != others) return 0;
    ssize_t size = llistxattr(path, NULL, 0);
    return size == 0 || (size < 0 && errno == ENOTSUP);
}

/* Whether the new file has, or now has, all that the old one had. */
static int is_like(int file, const struct stat *old) {
    struct stat now;
    if (fstat(file, &now) != 0 || now.st_uid != old->st_uid || now.st_gid != old->st_gid) return 0;
    if (fgetxattr(file, "system.posix_acl_access", NULL, 0) > 0) return 0;
    return now.st_mode == old->st_mode || fchmod(file, old->st_mode & 07777) == 0;
}

/* 0, or the errno of what failed. */
static int write_all(int file, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? errno : EIO;
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

static int sync_content(int file) {
    int result;
    do result = fsync(file);
    while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : errno;
}

/* Writes and closes it. 0, the errno of what failed, or -1 if it would not be like the old one. */
static int fill(int file, const struct stat *old, const void *bytes, size_t count, int synced) {
    int failure = write_all(file, bytes, count);
    if (!failure && old && !is_like(file, old)) failure = -1;
    if (!failure && synced) failure = sync_content(file);
    /* Interrupted, it is closed all the same. */
    if (close(file) != 0 && errno != EINTR && !failure) failure = errno;
    return failure;
}

static int put(const char *temporary, const char *path) {
    int result;
    do result = rename(temporary, path);
    while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : errno;
}

int cplatform_replace_plainly(
    const char *path, const char *name, const void *bytes, size_t count, unsigned mode, int synced,
    int *failure) {
    *failure = 0;
    const char *slash = strrchr(path, '/');
    size_t start = slash ? (size_t)(slash - path) + 1 : 0;
    const char *last = path + start;
    if (!*last || !strcmp(last, ".") || !strcmp(last, "..")) return -1;
    char temporary[1024];
    size_t length = strlen(name);
    if (start + length >= sizeof temporary) return -1;
    memcpy(temporary, path, start);
    memcpy(temporary + start, name, length + 1);

    struct stat old;
    int exists = lstat(path, &old) == 0;
    if (exists ? !is_plain(&old, path) : errno != ENOENT) return -1;
    int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
    int file = open(temporary, flags, exists ? old.st_mode & 07777 : mode);
    if (file < 0) return -1;
    int result = fill(file, exists ? &old : NULL, bytes, count, synced);
    if (result == 0) result = put(temporary, path);
    if (result == 0) return (int)start;
    unlink(temporary);
    if (result > 0) *failure = result;
    return -1;
}
#else
int cplatform_replace_plainly(
    const char *path, const char *name, const void *bytes, size_t count, unsigned mode, int synced,
    int *failure) {
    (void)path, (void)name, (void)bytes, (void)count, (void)mode, (void)synced;
    *failure = 0;
    return -1;
}
#endif
