/* From raw samples to presses, markers and rolls. No hardware. */
#ifndef INPUTS_H
#define INPUTS_H

#include <stdint.h>

#include "config.h"

struct sample {
    uint8_t buttons;      /* bit n: the contact of button n is closed */
    uint8_t die;          /* 0 no face (rolling, or none there), 1 to 6 a face, 7 a die that leans */
    uint8_t slots[SLOTS]; /* levels */
};

/* Take a sample; call it about once a millisecond. */
void inputs_take(const struct sample *sample, uint32_t now);

#endif
