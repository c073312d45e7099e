// Shortens what a CRC-32 (the one of zlib) is taken of, with the processor's multiplication without carries, which
// Swift cannot name: only the last bytes go to zlib, one after another.
//
// Bytes are a polynomial, and their CRC is what is left when it is divided by another one. So 128 bytes may be taken
// away from the front if their product with what x^1024 leaves is added to the 128 behind them: the rest stays the
// same. The processor multiplies the halves of 16 bytes apart; the first is 64 bits further away. Their numbers are
// what x^(1088 - 32) and x^(1024 - 32) leave, mirrored as all bits of a CRC-32 are: 32 such bits in a place for 64
// count x^32 times as much. Shifted left by one, since the product of two mirrored numbers is one bit short.
#ifndef UNDERSTUDY_CHECKSUM_H
#define UNDERSTUDY_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Whole multiples of so many bytes are folded, and so many are left.
#define CHECKSUM_FOLD 128
#define CHECKSUM_FOLDED 16

#if defined(__x86_64__)

#define DEFINE_FOLD(name, features, lanes, vectors, first, second, multiply) \
    __attribute__((target(features))) static inline void name(uint8_t *folded, const uint8_t *bytes, size_t count) { \
        typedef long long vector __attribute__((vector_size(16 * (lanes)))); \
        vector parts[vectors], factors; \
        for (int half = 0; half < 2 * (lanes); half++) factors[half] = half % 2 ? (second) : (first); \
        memcpy(parts, folded, sizeof parts); \
        for (; count >= sizeof parts; bytes += sizeof parts, count -= sizeof parts) { \
            _Pragma("unroll") for (int part = 0; part < (vectors); part++) { \
                vector next; \
                memcpy(&next, bytes + 16 * (lanes) * part, sizeof next); \
                parts[part] = multiply(parts[part], factors, 0x00) ^ multiply(parts[part], factors, 0x11) ^ next; \
            } \
        } \
        memcpy(folded, parts, sizeof parts); \
    }

DEFINE_FOLD(checksum_fold_128, "pclmul,sse2", 1, 8, 0x1e88ef372, 0x14a7fe880, __builtin_ia32_pclmulqdq128)
DEFINE_FOLD(checksum_fold_256, "vpclmulqdq,avx2", 2, 4, 0x1e88ef372, 0x14a7fe880, __builtin_ia32_pclmulqdq256)
DEFINE_FOLD(checksum_fold_512, "vpclmulqdq,avx512f", 4, 2, 0x1e88ef372, 0x14a7fe880, __builtin_ia32_pclmulqdq512)
// The same over 16 bytes, with x^(192 - 32) and x^(128 - 32): brings the 128 down to 16.
DEFINE_FOLD(checksum_fold_rest, "pclmul,sse2", 1, 1, 0x1751997d0, 0x0ccaa009e, __builtin_ia32_pclmulqdq128)

/// How many times 16 bytes are multiplied at once; 0 if the processor cannot.
static inline int checksum_lanes(void) {
    if (__builtin_cpu_supports("vpclmulqdq")) {
        if (__builtin_cpu_supports("avx512f")) return 4;
        if (__builtin_cpu_supports("avx2")) return 2;
    }
    return __builtin_cpu_supports("pclmul") ? 1 : 0;
}

/// Adds to the first 128 bytes those that come behind them, 128 at once; the first 16 stand for all of them then.
static inline void checksum_fold(int lanes, uint8_t folded[CHECKSUM_FOLD], const uint8_t *bytes, size_t count) {
    if (lanes == 4) checksum_fold_512(folded, bytes, count);
    else if (lanes == 2) checksum_fold_256(folded, bytes, count);
    else checksum_fold_128(folded, bytes, count);
    checksum_fold_rest(folded, folded + CHECKSUM_FOLDED, CHECKSUM_FOLD - CHECKSUM_FOLDED);
}

#else

static inline int checksum_lanes(void) { return 0; }

static inline void checksum_fold(int lanes, uint8_t folded[CHECKSUM_FOLD], const uint8_t *bytes, size_t count) {}

#endif

#endif
