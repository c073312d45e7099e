// CRC-32C with the processor's own instruction, which Swift cannot name. Four runs side by side: one alone waits three
// cycles for each step of its own. Where there is no such instruction, the same numbers come from a table.
#ifndef UNDERSTUDY_CHECKSUM_H
#define UNDERSTUDY_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t checksum_table_byte(uint32_t crc, uint8_t byte) {
    // Of the four low bits; the polynomial is 0x1EDC6F41, written from its other end.
    static const uint32_t table[16] = {
        0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
        0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
    };
    crc = table[(crc ^ byte) & 15] ^ (crc >> 4);
    return table[(crc ^ (byte >> 4)) & 15] ^ (crc >> 4);
}

static inline uint32_t checksum_table(uint32_t crc, const uint8_t *bytes, size_t count) {
    for (size_t index = 0; index < count; index++) { crc = checksum_table_byte(crc, bytes[index]); }
    return crc;
}

/// Words 0, 4, 8, … go to the first lane, 1, 5, 9, … to the second; what is left over behind whole fours to the first.
static inline void checksum_lanes_table(uint32_t lanes[4], const uint8_t *bytes, size_t count) {
    while (count >= 32) {
        for (int lane = 0; lane < 4; lane++) { lanes[lane] = checksum_table(lanes[lane], bytes + 8 * lane, 8); }
        bytes += 32;
        count -= 32;
    }
    lanes[0] = checksum_table(lanes[0], bytes, count);
}

#if defined(__x86_64__)
#include <cpuid.h>

static inline int checksum_has_instruction(void) {
    unsigned int a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & (1u << 20)) != 0;
}

__attribute__((target("sse4.2")))
static inline void checksum_lanes_instruction(uint32_t lanes[4], const uint8_t *bytes, size_t count) {
    uint64_t first = lanes[0], second = lanes[1], third = lanes[2], fourth = lanes[3];
    while (count >= 32) {
        uint64_t words[4];
        memcpy(words, bytes, 32);
        first = __builtin_ia32_crc32di(first, words[0]);
        second = __builtin_ia32_crc32di(second, words[1]);
        third = __builtin_ia32_crc32di(third, words[2]);
        fourth = __builtin_ia32_crc32di(fourth, words[3]);
        bytes += 32;
        count -= 32;
    }
    lanes[0] = (uint32_t)first;
    for (; count > 0; count--) { lanes[0] = __builtin_ia32_crc32qi(lanes[0], *bytes++); }
    lanes[1] = (uint32_t)second;
    lanes[2] = (uint32_t)third;
    lanes[3] = (uint32_t)fourth;
}
#else
static inline int checksum_has_instruction(void) { return 0; }

static inline void checksum_lanes_instruction(uint32_t lanes[4], const uint8_t *bytes, size_t count) {
    checksum_lanes_table(lanes, bytes, count);
}
#endif

#endif
