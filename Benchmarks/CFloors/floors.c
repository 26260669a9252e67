#define _GNU_SOURCE
#include "CBenchmarkFloors.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/inotify.h>
#endif

int64_t floor_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

double floor_cpu_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

#if defined(__linux__)
static const uint32_t watch_mask = IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
    | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;

static long walk(int notify, int parent, const char *name, const char *path) {
    if (inotify_add_watch(notify, path, watch_mask) < 0) return -1;
    int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) return -1;
    DIR *stream = fdopendir(descriptor);
    if (!stream) { close(descriptor); return -1; }
    long count = 0;
    struct dirent *entry;
    while ((entry = readdir(stream))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
        struct stat info;
        if (fstatat(descriptor, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
        count++;
        if (!S_ISDIR(info.st_mode)) continue;
        char below[4096];
        snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        long inner = walk(notify, descriptor, entry->d_name, below);
        if (inner < 0) { count = -1; break; }
        count += inner;
    }
    closedir(stream);
    return count;
}

double floor_watch_walk(const char *root, long *entries) {
    int notify = inotify_init1(IN_CLOEXEC);
    if (notify < 0) return -1;
    int64_t begun = floor_now();
    *entries = walk(notify, AT_FDCWD, root, root);
    double seconds = (double)(floor_now() - begun) / 1e9;
    close(notify);
    return *entries < 0 ? -1 : seconds;
}

struct floor_reader {
    pthread_t thread;
    int notify;
    char *folder;
    _Atomic int64_t stamp;
};

static void *read_events(void *argument) {
    floor_reader *reader = argument;
    _Alignas(8) char buffer[4096];
    for (;;) {
        ssize_t count = read(reader->notify, buffer, sizeof buffer);
        int64_t now = floor_now();
        if (count <= 0) return NULL;
        for (char *at = buffer; at < buffer + count;) {
            struct inotify_event *event = (struct inotify_event *)at;
            if (event->len && !strcmp(event->name, "stop")) return NULL;
            atomic_store(&reader->stamp, now);
            at += sizeof *event + event->len;
        }
    }
}

floor_reader *floor_reader_start(const char *folder) {
    floor_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->folder = strdup(folder);
    reader->notify = inotify_init1(IN_CLOEXEC);
    if (reader->notify < 0 || inotify_add_watch(reader->notify, folder, IN_CLOSE_WRITE) < 0
        || pthread_create(&reader->thread, NULL, read_events, reader) != 0) return NULL;
    return reader;
}

int64_t floor_reader_stamp(floor_reader *reader) { return atomic_load(&reader->stamp); }
void floor_reader_reset(floor_reader *reader) { atomic_store(&reader->stamp, 0); }

void floor_reader_stop(floor_reader *reader) {
    char path[4096];
    snprintf(path, sizeof path, "%s/stop", reader->folder);
    floor_write_file(path);
    pthread_join(reader->thread, NULL);
    unlink(path);
    close(reader->notify);
    free(reader->folder);
    free(reader);
}
#endif

int64_t floor_write_file(const char *path) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0) return -1;
    char block[100] = {1};
    ssize_t written = write(descriptor, block, sizeof block);
    int64_t now = floor_now();
    close(descriptor);
    return written < 0 ? -1 : now;
}

static int make_files(const char *folder, int count) {
    for (int number = 0; number < count; number++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/file-%d.md", folder, number);
        if (floor_write_file(path) < 0) return errno;
    }
    return 0;
}

int floor_storm(const char *root, int count) {
    for (int number = 0; number < count; number++) {
        char path[4][4096];
        for (int level = 0; level < 4; level++) {
            snprintf(path[level], sizeof path[level], "%s%s%d", level ? path[level - 1] : root, level ? "/s" : "/a", number);
            if (mkdir(path[level], 0755) != 0) return errno;
        }
        for (int level = 3; level >= 0; level--) {
            int failure = make_files(path[level], 10);
            if (failure) return failure;
        }
    }
    return 0;
}

int floor_make_tree(const char *root, int folders, int files) {
    for (int number = 0; number < folders; number++) {
        char path[4096];
        int outer = number / 100;
        snprintf(path, sizeof path, "%s/group-%d", root, outer);
        if (number % 100 == 0) {
            if (mkdir(path, 0755) != 0) return errno;
        } else {
            snprintf(path, sizeof path, "%s/group-%d/folder-%d", root, outer, number % 100);
            if (mkdir(path, 0755) != 0) return errno;
        }
        int failure = make_files(path, files);
        if (failure) return failure;
    }
    return 0;
}
