/* The AVR firmware's conversation as a library of the test's own computer; see firmware_docks.py. */
#include "dock.c"
#include "wire.c"

static uint8_t out[4096];
static int out_length;

bool port_send(const uint8_t *sent, uint8_t size)
{
    if (out_length + size > (int)sizeof out)
        return false;
    memcpy(out + out_length, sent, size);
    out_length += size;
    return true;
}

void shim_begin(uint32_t boot) { dock_begin(boot, "SHIM"); }

void shim_receive(const uint8_t *bytes, int size, uint32_t now)
{
    while (size--)
        dock_receive(*bytes++, now);
}

int shim_run(uint32_t now, uint8_t *bytes)
{
    int size;

    dock_run(now);
    size = out_length;
    memcpy(bytes, out, size);
    out_length = 0;
    return size;
}

void shim_press(uint8_t button, uint32_t now) { dock_pressed(button, SHORT, now); }
void shim_roll(uint8_t face, uint32_t now) { dock_rolled(face, now); }
int shim_held(void) { return next - oldest; }
int shim_lamp(uint8_t lamp) { return dock_lamps[lamp]; }
