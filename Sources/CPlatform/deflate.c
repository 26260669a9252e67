#include "CPlatform.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

size_t cplatform_deflate(const void *bytes, size_t count, void *into, size_t capacity, int level) {
    if (count > UINT32_MAX || capacity > UINT32_MAX) return 0;
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (deflateInit2(&stream, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = into;
    stream.avail_out = (uInt)capacity;
    int result = deflate(&stream, Z_FINISH);
    size_t size = stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END && size < capacity ? size : 0;
}

void *cplatform_deflater_make(int level) {
    z_stream *stream = calloc(1, sizeof *stream);
    if (!stream) return NULL;
    if (deflateInit2(stream, level, Z_DEFLATED, -12, 5, Z_DEFAULT_STRATEGY) == Z_OK) return stream;
    free(stream);
    return NULL;
}

size_t cplatform_deflater_run(void *deflater, const void *bytes, size_t count, void *into, size_t capacity) {
    z_stream *stream = deflater;
    if (!stream || count > UINT32_MAX || capacity > UINT32_MAX || deflateReset(stream) != Z_OK) return 0;
    stream->next_in = (Bytef *)bytes;
    stream->avail_in = (uInt)count;
    stream->next_out = into;
    stream->avail_out = (uInt)capacity;
    return deflate(stream, Z_FINISH) == Z_STREAM_END ? stream->total_out : 0;
}

void cplatform_deflater_free(void *deflater) {
    if (!deflater) return;
    deflateEnd(deflater);
    free(deflater);
}

int cplatform_inflate(const void *bytes, size_t size, void *into, size_t count) {
    if (count > UINT32_MAX || size > UINT32_MAX) return -1;
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (inflateInit2(&stream, -15) != Z_OK) return -1;
    uint8_t spare;
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = count ? into : &spare;
    stream.avail_out = (uInt)count;
    int result = inflate(&stream, Z_FINISH);
    int exact = result == Z_STREAM_END && stream.total_out == count && stream.avail_in == 0;
    inflateEnd(&stream);
    return exact ? 0 : -1;
}
