#include "wire.h"

#include <string.h>

#define CHECK 4
#define HEADER 4

/* A quarter of a table of 256 would be enough; a sixteenth is small and still quick. */
static uint32_t nibble(uint32_t crc)
{
    for (uint8_t bit = 0; bit < 4; bit++)
        crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320UL : 0);
    return crc;
}

uint32_t wire_crc(const uint8_t *bytes, uint8_t length)
{
    static uint32_t table[16];
    uint32_t crc = 0xFFFFFFFFUL;

    if (!table[1])
        for (uint8_t n = 0; n < 16; n++)
            table[n] = nibble(n);
    for (; length; length--, bytes++) {
        crc ^= *bytes;
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

/* Undo the stuffing in place; 0 if it is none. */
static uint8_t unstuff(uint8_t *bytes, uint8_t length)
{
    uint8_t from = 0, to = 0;

    while (from < length) {
        uint8_t code = bytes[from++];
        if (code - 1 > length - from)
            return 0;
        for (uint8_t n = 1; n < code; n++)
            bytes[to++] = bytes[from++];
        if (code < 255 && from < length)
            bytes[to++] = 0;
    }
    return to;
}

uint8_t wire_take(uint8_t byte, uint8_t *body)
{
    static uint8_t kept[LONGEST_HEARD];
    static uint8_t count; /* beyond LONGEST_HEARD: too long, wait for the next zero */
    uint8_t length;
    uint32_t check;

    if (byte) {
        if (count < LONGEST_HEARD)
            kept[count] = byte;
        if (count <= LONGEST_HEARD)
            count++;
        return 0;
    }
    length = count <= LONGEST_HEARD ? unstuff(kept, count) : 0;
    count = 0;
    if (length < HEADER + CHECK)
        return 0;
    length -= CHECK;
    check = wire_crc(kept, length);
    for (uint8_t n = 0; n < CHECK; n++, check >>= 8)
        if (kept[length + n] != (uint8_t)check)
            return 0;
    memcpy(body, kept, length);
    return length;
}

uint8_t wire_stuff(uint8_t *body, uint8_t length, uint8_t *frame)
{
    uint32_t check = wire_crc(body, length);
    uint8_t code_at = 0, to = 1;

    for (uint8_t n = 0; n < CHECK; n++, check >>= 8)
        body[length++] = (uint8_t)check;
    /* No run of 254 bytes can occur: the body is shorter. */
    for (uint8_t n = 0; n < length; n++) {
        if (body[n]) {
            frame[to++] = body[n];
        } else {
            frame[code_at] = to - code_at;
            code_at = to++;
        }
    }
    frame[code_at] = to - code_at;
    frame[to++] = 0;
    return to;
}
