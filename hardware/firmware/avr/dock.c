#include "dock.h"

#include <string.h>

#include "wire.h"

#define VERSION 1
#define SNAPSHOT_EVERY 500
#define APP_GONE_AFTER 3000
#define FIRST_RESEND 100
#define LAST_RESEND 2000
#define RING 32 /* events kept; a power of two */

enum type { HELLO, WELCOME, SNAPSHOT, EVENT, ACKNOWLEDGE, LAMP_TARGETS, PING };
enum kind { BUTTON_PRESSED = 1, DIE_ROLLED = 2 };

struct event {
    uint8_t kind, first, second; /* button and gesture, or one and the face */
    uint16_t wait;               /* until the next sending after this one */
    uint32_t happened_at, send_at;
};

enum mode dock_lamps[LAMPS];
struct slot dock_slots[SLOTS];

static struct event ring[RING];
static uint32_t oldest, next; /* numbers of the oldest event kept and of the next to come */
static uint32_t boot_id, pressed;
static uint32_t heard_at, snapshot_at;
static uint16_t generation;
static uint8_t session, seq, heard_seq;
static enum tray tray;
static const char *id;

static bool greeted;         /* WELCOME is due in `greeted_session` */
static uint8_t greeted_session;
static bool unasked;         /* WELCOME is due in session 0: somebody takes us for another boot or session */
static bool snapshot_due;

/* -- writing a frame -- */

static uint8_t body[MAX_BODY];
static uint8_t length;

static void put(uint32_t value, uint8_t size)
{
    for (; size; size--, value >>= 8)
        body[length++] = (uint8_t)value;
}

static void put_text(const char *text)
{
    uint8_t size = strlen(text);

    if (size > 32)
        size = 32;
    put(size, 1);
    memcpy(body + length, text, size);
    length += size;
}

static void begin(enum type type, uint8_t in_session)
{
    length = 0;
    put((type == WELCOME ? 0 : VERSION) << 4 | type, 1);
    put(in_session, 1);
    put(seq, 1);
    put(heard_seq, 1);
}

static bool send(void)
{
    static uint8_t frame[MAX_BODY + 2];

    if (!port_send(frame, wire_stuff(body, length, frame)))
        return false;
    seq++;
    return true;
}

static bool send_welcome(uint8_t in_session, uint32_t now)
{
    begin(WELCOME, in_session);
    put(VERSION, 1);
    put(VERSION, 1);
    put(boot_id, 4);
    put(now, 4);
    put(oldest, 4);
    put(BUTTONS, 1);
    put(LAMPS, 1);
    put(SLOTS, 1);
    put(DICE, 1);
    put_text(KIND);
    put_text(id);
    put_text(FIRMWARE);
    return send();
}

static bool send_snapshot(uint32_t now)
{
    begin(SNAPSHOT, session);
    put(boot_id, 4);
    put(now, 4);
    put(generation, 2);
    put(pressed, 4);
    put(tray, 1);
    put(SLOTS, 1);
    for (uint8_t n = 0; n < SLOTS; n++) {
        put(dock_slots[n].level, 1);
        put(dock_slots[n].marker, 1);
        put(dock_slots[n].stable, 1);
        put(dock_slots[n].changes, 1);
    }
    return send();
}

static bool send_event(uint32_t number, uint32_t now)
{
    struct event *event = &ring[number % RING];

    begin(EVENT, session);
    put(boot_id, 4);
    put(number, 4);
    put(oldest, 4);
    put(now - event->happened_at, 4);
    put(event->kind, 1);
    put(event->first, 1);
    put(event->second, 1);
    return send();
}

/* -- hearing -- */

static uint32_t get(const uint8_t *bytes, uint8_t size)
{
    uint32_t value = 0;

    while (size)
        value = value << 8 | bytes[--size];
    return value;
}

static void open(uint8_t new_session, uint32_t now)
{
    session = new_session;
    generation = 0;
    snapshot_due = true;
    for (uint32_t number = oldest; number != next; number++) {
        ring[number % RING].send_at = now;
        ring[number % RING].wait = FIRST_RESEND;
    }
}

static void obey(const uint8_t *payload)
{
    uint16_t target = get(payload, 2);
    uint8_t count = payload[2];

    snapshot_due = true;
    /* Newer modulo 65536, so that a late frame never takes a lamp back. */
    if (generation && (uint16_t)(target - generation - 1) >= 32767)
        return;
    generation = target;
    for (uint8_t n = 0; n < LAMPS; n++)
        dock_lamps[n] = n < count ? payload[3 + n] : OFF;
}

static void forget(uint32_t number)
{
    while (oldest != next && oldest <= number)
        oldest++;
}

/* Whether a payload is one that the app may send. */
static bool is_whole(enum type type, const uint8_t *payload, uint8_t size)
{
    switch (type) {
    case HELLO:
        return size >= 2;
    case ACKNOWLEDGE:
        return size == 8;
    case PING:
        return size == 0;
    case LAMP_TARGETS:
        if (size < 3 || payload[2] > 32 || size != 3 + payload[2])
            return false;
        for (uint8_t n = 3; n < size; n++)
            if (payload[n] >= MODES)
                return false;
        return true;
    default:
        return false;
    }
}

static void hear(const uint8_t *frame, uint8_t size, uint32_t now)
{
    enum type type = frame[0] & 15;
    const uint8_t *payload = frame + 4;
    uint8_t in_session = frame[1];

    if (frame[0] >> 4 != (type == HELLO ? 0 : VERSION) || !is_whole(type, payload, size - 4))
        return;
    if (type != HELLO && (!session || in_session != session)) {
        unasked = true;
        return;
    }
    heard_seq = frame[2];
    heard_at = now;
    switch (type) {
    case HELLO:
        greeted = true;
        greeted_session = in_session;
        if (payload[0] <= VERSION && VERSION <= payload[1] && in_session && in_session != session)
            open(in_session, now);
        break;
    case ACKNOWLEDGE:
        if (get(payload, 4) == boot_id)
            forget(get(payload + 4, 4));
        break;
    case LAMP_TARGETS:
        obey(payload);
        break;
    default:
        snapshot_due = true; /* a PING wants to see how everything is */
    }
}

/* -- what the rest of the program calls -- */

void dock_begin(uint32_t new_boot_id, const char *own_id)
{
    boot_id = new_boot_id;
    id = own_id;
    oldest = next = 1;
    tray = DICE ? STILL : ABSENT;
    unasked = true;
}

void dock_receive(uint8_t byte, uint32_t now)
{
    static uint8_t frame[LONGEST_HEARD];
    uint8_t size = wire_take(byte, frame);

    if (size)
        hear(frame, size, now);
}

void dock_run(uint32_t now)
{
    if (session && now - heard_at >= APP_GONE_AFTER) {
        bool lit = false;

        session = 0;
        for (uint8_t n = 0; n < LAMPS; n++)
            lit |= dock_lamps[n] != OFF;
        /* Somebody may be waiting for the app. */
        for (uint8_t n = 0; lit && n < LAMPS; n++)
            dock_lamps[n] = BLINK;
    }
    if (greeted && send_welcome(greeted_session, now))
        greeted = false;
    if (unasked && send_welcome(0, now))
        unasked = false;
    if (!session)
        return;
    if ((snapshot_due || now - snapshot_at >= SNAPSHOT_EVERY) && send_snapshot(now)) {
        snapshot_due = false;
        snapshot_at = now;
    }
    for (uint32_t number = oldest; number != next; number++) {
        struct event *event = &ring[number % RING];

        if ((int32_t)(now - event->send_at) < 0)
            continue;
        if (!send_event(number, now))
            break; /* no room on the line; the rest would not fit either */
        event->send_at = now + event->wait;
        event->wait = event->wait < LAST_RESEND / 2 ? 2 * event->wait : LAST_RESEND;
    }
}

static void keep(struct event event)
{
    if (next - oldest == RING)
        oldest++; /* forgotten; the app sees it by the oldest number */
    ring[next % RING] = event;
    next++;
}

void dock_pressed(uint8_t button, enum gesture gesture, uint32_t now)
{
    keep((struct event){BUTTON_PRESSED, button, gesture, FIRST_RESEND, now, now});
}

void dock_rolled(uint8_t face, uint32_t now)
{
    keep((struct event){DIE_ROLLED, 1, face, FIRST_RESEND, now, now});
}

void dock_set_pressed(uint32_t now_pressed)
{
    snapshot_due |= pressed != now_pressed;
    pressed = now_pressed;
}

void dock_set_tray(enum tray now_tray)
{
    snapshot_due |= tray != now_tray;
    tray = now_tray;
}

void dock_changed(void)
{
    snapshot_due = true;
}
