/* The dock's side of the conversation, as in docs/protocol.md, section 3. No hardware: times are
 * milliseconds since the start, bytes go out through `port_send`. */
#ifndef DOCK_H
#define DOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

enum gesture { SHORT, LONG, DOUBLE };
enum tray { ABSENT, STILL, MOVING, COCKED };
enum mode { OFF, ON, BLINK, HURRY, MODES };

struct slot {
    uint8_t level;   /* the raw sensor */
    uint8_t marker;  /* what lies there, debounced; 0 is nothing */
    uint8_t stable;  /* equal scans in a row; 255 is that many or more */
    uint8_t changes; /* of `marker`, modulo 256 */
};

/* What the lamps shall show, and what the sensors say; the board shows the one and keeps the other. */
extern enum mode dock_lamps[LAMPS];
extern struct slot dock_slots[SLOTS];

/* Begin, once after the start. `boot_id` was never used before, `id` names this one dock. */
void dock_begin(uint32_t boot_id, const char *id);

void dock_receive(uint8_t byte, uint32_t now);

/* Send whatever is due. */
void dock_run(uint32_t now);

void dock_pressed(uint8_t button, enum gesture gesture, uint32_t now);
void dock_rolled(uint8_t face, uint32_t now);

/* The state changed; the app hears of it with the next `dock_run`. */
void dock_set_pressed(uint32_t pressed);
void dock_set_tray(enum tray tray);
void dock_changed(void);

/* Send a frame whole, or nothing: then it comes again later. Returns whether there was room. */
bool port_send(const uint8_t *frame, uint8_t length);

#endif
