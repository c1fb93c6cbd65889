/* For QEMU, which has neither pins nor converter, watchdog or lasting memory for this chip: a test writes
 * the sample and reads the lamps in memory, by its debugger's port. What lasts only for a while is written
 * as steps, which are counted in this chip's own milliseconds: the computer around it may be slow. */
#include "board.h"

/* Kept over a reset, as memory is; the test fills it before the first start. */
uint32_t emulator_boot_id __attribute__((section(".noinit")));

struct sample emulator_sample;
struct step {
    struct sample sample;
    uint16_t milliseconds;
} emulator_steps[12];
uint8_t emulator_todo; /* so many of the last steps come before `emulator_sample` */
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
    struct step *step = emulator_steps + sizeof emulator_steps / sizeof *emulator_steps - emulator_todo;

    if (!emulator_todo) {
        *sample = emulator_sample;
        return;
    }
    *sample = step->sample;
    if (!--step->milliseconds)
        emulator_todo--;
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
