#ifndef CPLATFORM_H
#define CPLATFORM_H

/*
 What Swift on Linux cannot import or does not have: open-file-description locks, renameat2, eventfd, extended attributes,
 SHA-256 (FIPS 180-4), and a bounded raw deflate (RFC 1951, by zlib).
 Calls return 0 or a positive errno value unless said otherwise.
 */

#include <stddef.h>
#include <stdint.h>

/* SHA-256, FIPS 180-4. Uses the processor's SHA instructions where it has them. */
typedef struct {
    uint32_t state[8];
    uint64_t length;
    uint8_t buffer[64];
    uint32_t used;
} cplatform_sha256;

void cplatform_sha256_init(cplatform_sha256 *hash);
void cplatform_sha256_update(cplatform_sha256 *hash, const void *bytes, size_t count);
void cplatform_sha256_final(cplatform_sha256 *hash, uint8_t digest[32]);
/* 1 if SHA instructions are used. With `off` nonzero the portable code is used from here on (for tests). */
int cplatform_sha256_is_accelerated(void);
void cplatform_sha256_force_portable(int off);

/* Raw deflate. Returns the compressed size, or 0 if the result would not be smaller than `capacity`. */
size_t cplatform_deflate(const void *bytes, size_t count, void *into, size_t capacity, int level);
/* Raw deflate with a window of 4 KiB, many times: making a stream takes 80 microseconds. NULL without memory. */
void *cplatform_deflater_make(int level);
/* The compressed size, or 0 if it is more than `capacity`. One thread at a time. */
size_t cplatform_deflater_run(void *deflater, const void *bytes, size_t count, void *into, size_t capacity);
void cplatform_deflater_free(void *deflater);
/* Raw inflate to exactly `count` bytes that use up the whole input. Returns 0, or -1 for anything else. */
int cplatform_inflate(const void *bytes, size_t size, void *into, size_t count);

/* Open-file-description lock over the whole file. `wait` 0: EAGAIN if it is held elsewhere. */
int cplatform_lock(int descriptor, int exclusive, int wait);
int cplatform_unlock(int descriptor);

/* rename that fails with EEXIST if the target exists; ENOSYS or EINVAL where the system or file system cannot. */
int cplatform_rename_no_replace(const char *from, const char *to);

/* Makes the file at `path`, or replaces one that needs nothing kept but its mode, through a new file of this name beside it. Where
   a new file stands, `mode` less the umask. Returns how many bytes of the path stand before its last part. -1 if it is not done:
   then nothing was touched, and nothing is left. `failure` is 0 if anything is out of the ordinary, else the errno of a write, sync,
   close or rename that failed, which making it once more could hide. */
int cplatform_replace_plainly(
    const char *path, const char *name, const void *bytes, size_t count, unsigned mode, int synced, int *failure);

/* Starts to write what the file has in memory to the disk, without waiting for it: a hint, which does nothing where there is no
   such call, and no flush. */
void cplatform_start_writing(int descriptor);

/* An eventfd on Linux (close-on-exec, non-blocking); -1 and errno on failure or elsewhere. */
int cplatform_eventfd(void);

/* Whether the file at `path` (a link is not followed) has extended attributes; an errno, or 0. */
int cplatform_has_extended_attributes(const char *path, int *has);

/* Takes an access control list away, which the file may have inherited; an errno, or 0 also if there is none. */
int cplatform_remove_access_list(int descriptor, int *changed);

/* Gives `to` the extended attributes of the file at `path` (a link is not followed) and takes an inherited access control
   list away that the other does not have; returns the errno of the last that could not be copied, else 0. */
int cplatform_copy_extended_attributes(const char *path, int to, int *changed);

/* Which spellings of a name the folder takes for one: bit 0 upper and lower case, bit 1 composed and decomposed. 0 if the
   file system does not say. */
int cplatform_name_folding(const char *folder);

/* The file system's magic number (statfs f_type) on Linux, 0 elsewhere or on failure. */
long cplatform_file_system_type(const char *path);

/* O_TMPFILE, or 0 where there is none. */
int cplatform_o_tmpfile(void);

#endif
