/* What this dock has. Change it for yours, then build and flash again; the app learns it from WELCOME. */
#ifndef CONFIG_H
#define CONFIG_H

#define FIRMWARE "avr 1"
#define KIND "dock"

#define BUTTONS 3 /* D2, D3, D4 to ground */
#define LAMPS 3   /* D5, D6, D7 through 330 ohms */
#define SLOTS 6   /* A0 to A5 */
#ifndef DICE
#define DICE 1    /* a die sensor at D8, D9, D10; 0 if there is none */
#endif

/* Buttons that also tell a double press; their short press then comes 0.35 s later. Bit n is button n. */
#define DOUBLE_BUTTONS 0x00

/* A slot has a linear hall sensor (1), which tells the poles of a magnet apart
 * (markers 1 and 2), or a divider for resistor-coded markers (0): 10 kilohms from 5 V to the slot's contact,
 * the marker's resistor from there to ground. */
#ifndef HALL_SLOTS
#define HALL_SLOTS 0
#endif

/* Hall: the level without a magnet is about 128; a pole counts beyond this distance from it. */
#define HALL_REST 128
#define HALL_NEAR 40
#define HALL_FAR 25 /* less than HALL_NEAR, so that a weak magnet does not flicker */

/* Coded markers 1 to 6: 1, 2.2, 4.7, 10, 22 and 47 kilohms, as 255 * R / (R + 10 k). */
#define CODES { 23, 46, 82, 128, 175, 210 }
#define CODE_WITHIN 9    /* a level further than this from every code, and below EMPTY_ABOVE, says nothing */
#define EMPTY_ABOVE 240

#endif
