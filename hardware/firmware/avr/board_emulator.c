/* For QEMU, which has neither pins nor converter, watchdog or lasting memory for this chip: a test writes
 * the sample and reads the lamps in memory, by its debugger's port. */
#include "board.h"

/* Kept over a reset, as memory is; the test fills it before the first start. */
uint32_t emulator_boot_id __attribute__((section(".noinit")));

struct sample emulator_sample;
bool emulator_lit[LAMPS];

void board_begin(void)
{
    for (uint8_t n = 0; n < SLOTS; n++)
        emulator_sample.slots[n] = 255;
}

void board_alive(void)
{
}

void board_sample(struct sample *sample)
{
    *sample = emulator_sample;
}

void board_light(uint8_t lamp, bool lit)
{
    emulator_lit[lamp] = lit;
}

uint32_t board_boot_id(void)
{
    return ++emulator_boot_id;
}

const char *board_id(void)
{
    return ID;
}
