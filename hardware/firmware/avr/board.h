/* What a board offers. board_uno.c has the pins; board_emulator.c has memory that a test writes. */
#ifndef BOARD_H
#define BOARD_H

#include "dock.h"
#include "inputs.h"

void board_begin(void);

/* The loop goes round; a board that does not hear so for a second starts anew. */
void board_alive(void);

void board_sample(struct sample *sample);
void board_light(uint8_t lamp, bool lit);

/* A number that was never returned before, and the dock's own id, of at most 32 characters. */
uint32_t board_boot_id(void);
const char *board_id(void);

#endif
