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
   a new file of its mode shows nobody what it did not, whosever and in whatever group it is. */
static int is_plain(const struct stat *old, const char *path) {
    mode_t others = old->st_mode & 07;
    if (!S_ISREG(old->st_mode) || !others || (old->st_mode & 07070) != others << 3) return 0;
    if ((old->st_mode >> 6 & others) != others) return 0;
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

static int fill(int file, const struct stat *old, const void *bytes, size_t count, int synced) {
    int failed = write(file, bytes, count) != (ssize_t)count || (old && !is_like(file, old)) || (synced && fsync(file) != 0);
    return close(file) == 0 && !failed;
}

int cplatform_replace_plainly(
    const char *path, const char *name, const void *bytes, size_t count, unsigned mode, int synced) {
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
    int file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, exists ? old.st_mode & 07777 : mode);
    if (file < 0) return -1;
    if (fill(file, exists ? &old : NULL, bytes, count, synced) && rename(temporary, path) == 0) return (int)start;
    unlink(temporary);
    return -1;
}
#else
int cplatform_replace_plainly(
    const char *path, const char *name, const void *bytes, size_t count, unsigned mode, int synced) {
    (void)path, (void)name, (void)bytes, (void)count, (void)mode, (void)synced;
    return -1;
}
#endif
