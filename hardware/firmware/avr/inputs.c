#include "inputs.h"

#include <stdbool.h>

#include "dock.h"

/* Milliseconds. The times of the buttons are those of hardware/debounce.py. */
#define CLOSED_FOR 2
#define OPEN_FOR 20
#define LONG_AFTER 700
#define DOUBLE_WITHIN 350
#define SCAN_EVERY 10
#define EQUAL_SCANS 3
#define DIE_RESTS 300

struct button {
    bool level, closed;       /* as sampled, as believed */
    bool told;                /* a long press that was told already */
    bool waits;               /* a short press that may become a double one */
    uint32_t since, closed_at, opened_at;
};

static struct button buttons[BUTTONS];

static void close(struct button *button, uint8_t number, uint32_t now)
{
    button->closed = true;
    button->told = false;
    button->closed_at = now;
    if (button->waits && now - button->opened_at <= DOUBLE_WITHIN) {
        button->waits = false;
        button->told = true;
        dock_pressed(number, DOUBLE, now);
    }
}

static void open(struct button *button, uint8_t number, uint32_t now)
{
    button->closed = false;
    button->opened_at = now;
    if (button->told)
        return;
    if (DOUBLE_BUTTONS >> number & 1)
        button->waits = true;
    else
        dock_pressed(number, SHORT, now);
}

static void settle(struct button *button, uint8_t number, uint32_t now)
{
    if (button->closed && !button->told && now - button->closed_at >= LONG_AFTER) {
        button->told = true;
        dock_pressed(number, LONG, now);
    }
    if (button->waits && !button->closed && now - button->opened_at > DOUBLE_WITHIN) {
        button->waits = false;
        dock_pressed(number, SHORT, now);
    }
}

static void take_buttons(uint8_t levels, uint32_t now)
{
    static bool begun;
    uint32_t pressed = 0;

    for (uint8_t n = 0; n < BUTTONS; n++) {
        struct button *button = &buttons[n];
        bool level = levels >> n & 1;

        if (!begun) {
            /* A button that is held down at the start is no press. */
            button->level = button->closed = button->told = level;
        } else if (level != button->level) {
            button->level = level;
            button->since = now;
        }
        if (level && !button->closed && now - button->since >= CLOSED_FOR)
            close(button, n, now);
        else if (!level && button->closed && now - button->since >= OPEN_FOR)
            open(button, n, now);
        settle(button, n, now);
        pressed |= (uint32_t)button->closed << n;
    }
    begun = true;
    dock_set_pressed(pressed);
}

/* What a level means; 255 if it means nothing. */
static uint8_t marker_at(uint8_t level, uint8_t before)
{
#if HALL_SLOTS
    /* One pole of a magnet lowers the level, the other one raises it: two markers, told apart. */
    uint8_t marker = level < HALL_REST ? 1 : 2;
    uint8_t away = level < HALL_REST ? HALL_REST - level : level - HALL_REST;

    if (away >= HALL_NEAR)
        return marker;
    return away > HALL_FAR && (before == 0 || before == marker) ? before : 0;
#else
    static const uint8_t codes[] = CODES;

    (void)before;
    if (level >= EMPTY_ABOVE)
        return 0;
    for (uint8_t n = 0; n < sizeof codes; n++)
        if (level + CODE_WITHIN >= codes[n] && level <= codes[n] + CODE_WITHIN)
            return n + 1;
    return 255;
#endif
}

static void take_slot(uint8_t n, uint8_t level)
{
    static uint8_t last[SLOTS];
    struct slot *slot = &dock_slots[n];
    uint8_t marker = marker_at(level, slot->marker);

    slot->level = level;
    if (marker != last[n] || marker == 255) {
        last[n] = marker;
        slot->stable = 0;
        return;
    }
    if (slot->stable < 255)
        slot->stable++;
    if (slot->stable >= EQUAL_SCANS && marker != slot->marker) {
        slot->marker = marker;
        slot->changes++;
        dock_changed();
    }
}

static void take_die(uint8_t code, uint32_t now)
{
    static uint8_t last;
    static bool begun, moved;
    static uint32_t since;

    if (!begun || code != last) {
        moved |= begun;
        last = code;
        since = now;
        begun = true;
        if (moved)
            dock_set_tray(MOVING);
        return;
    }
    if (code == 0 || now - since < DIE_RESTS)
        return;
    if (code == 7) {
        dock_set_tray(COCKED);
        return;
    }
    dock_set_tray(STILL);
    if (moved)
        dock_rolled(code, now);
    moved = false;
}

void inputs_take(const struct sample *sample, uint32_t now)
{
    static uint32_t scanned_at;

    take_buttons(sample->buttons, now);
    if (now - scanned_at >= SCAN_EVERY) {
        scanned_at = now;
        for (uint8_t n = 0; n < SLOTS; n++)
            take_slot(n, sample->slots[n]);
    }
    if (DICE)
        take_die(sample->die, now);
}
