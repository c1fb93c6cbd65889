/* Frames: byte stuffing and checksum, as in docs/protocol.md, section 1. No hardware. */
#ifndef WIRE_H
#define WIRE_H

#include <stdint.h>

#define MAX_BODY 160     /* the longest frame this dock sends, with its checksum */
#define LONGEST_HEARD 96 /* stuffed; the longest message to a dock in version 1, LAMPS, has 45 bytes */

/* CRC-32 of IEEE 802.3 over `length` bytes. */
uint32_t wire_crc(const uint8_t *bytes, uint8_t length);

/* Take one byte of the line. Returns the length of the frame without its checksum when this byte closed
 * a good one, which then lies in `body`; otherwise 0. What is no frame is dropped without a word. */
uint8_t wire_take(uint8_t byte, uint8_t *body);

/* Stuff `length` bytes of `body`, followed by their checksum, into `frame`, with the closing zero; return
 * its length. `body` needs room for the checksum, `frame` for two bytes more than that. */
uint8_t wire_stuff(uint8_t *body, uint8_t length, uint8_t *frame);

#endif
