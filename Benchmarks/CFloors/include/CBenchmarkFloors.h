#ifndef CBENCHMARKFLOORS_H
#define CBENCHMARKFLOORS_H

/* What plain C needs for the work that the watcher's figures are measured against. Linux only. */

#include <stdint.h>

/* Walks the tree by readdir and fstatat, and watches each directory by inotify_add_watch. Gives the seconds; the number of
   entries goes to `entries`. Negative on failure. */
double floor_watch_walk(const char *root, long *entries);

/* A thread that blocks in read(2) on an inotify descriptor of its own and stamps each IN_CLOSE_WRITE in `folder`. */
typedef struct floor_reader floor_reader;
floor_reader *floor_reader_start(const char *folder);
/* When the last close was seen, in nanoseconds of CLOCK_MONOTONIC; 0 if none was since the last call of floor_reader_reset. */
int64_t floor_reader_stamp(floor_reader *reader);
void floor_reader_reset(floor_reader *reader);
/* Ends the thread: `folder`/stop is written for that. */
void floor_reader_stop(floor_reader *reader);

/* Writes a file of 100 bytes; gives the time right before close(2). */
int64_t floor_write_file(const char *path);
int64_t floor_now(void);
/* Seconds of processor time that this process took so far. */
double floor_cpu_seconds(void);

/* `count` times: mkdir a, a/b, a/b/c, a/b/c/d, then ten files in each of them, the deepest first. 0, or an error number. */
int floor_storm(const char *root, int count);
/* A tree of `folders` directories in two levels with `files` files in each. 0, or an error number. */
int floor_make_tree(const char *root, int folders, int files);

#endif
