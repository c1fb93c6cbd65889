/* The pins of an Arduino Uno or Nano (ATmega328P, 16 MHz). */
#include "board.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#include "wire.h"

#define BUTTON_PIN 2 /* D2 and up, port D */
#define LAMP_PIN 5   /* D5 and up, port D */
#define DIE_PINS 0x07 /* D8 to D10, port B; low is 1, so that an open line is no face */

/* Written by `make flash-id`. A dock that was never given one says so. */
static uint32_t EEMEM starts;
static char EEMEM own_id[33] = ID;

static volatile uint8_t levels[SLOTS];

/* Convert one slot after the other; the newest levels are always there. */
ISR(ADC_vect)
{
    static uint8_t slot;

    levels[slot] = ADCH;
    slot = (slot + 1) % SLOTS;
    ADMUX = (ADMUX & 0xF0) | slot;
    ADCSRA |= 1 << ADSC;
}

void board_begin(void)
{
    MCUSR = 0; /* or the watchdog, once it bit, could not be set anew */
    wdt_enable(WDTO_1S);
    DDRD |= ((1 << LAMPS) - 1) << LAMP_PIN;
    PORTD |= ((1 << BUTTONS) - 1) << BUTTON_PIN; /* pull-ups */
    PORTB |= DIE_PINS;
    ADMUX = 1 << REFS0 | 1 << ADLAR; /* against 5 V, eight bits */
    /* 125 kHz; 104 microseconds a slot */
    ADCSRA = 1 << ADEN | 1 << ADIE | 1 << ADSC | 7;
}

void board_alive(void)
{
    wdt_reset();
}

void board_sample(struct sample *sample)
{
    sample->buttons = (uint8_t)~PIND >> BUTTON_PIN & ((1 << BUTTONS) - 1);
    sample->die = (uint8_t)~PINB & DIE_PINS;
    for (uint8_t n = 0; n < SLOTS; n++)
        sample->slots[n] = levels[n];
}

void board_light(uint8_t lamp, bool lit)
{
    uint8_t bit = 1 << (LAMP_PIN + lamp);

    if (lit)
        PORTD |= bit;
    else
        PORTD &= ~bit;
}

/* Starts are counted in lasting memory and mixed, so that two docks do not count alike. */
uint32_t board_boot_id(void)
{
    struct {
        uint32_t count;
        char id[33];
    } seed;

    seed.count = eeprom_read_dword(&starts) + 1;
    eeprom_update_dword(&starts, seed.count);
    eeprom_read_block(seed.id, own_id, sizeof seed.id);
    return wire_crc((const uint8_t *)&seed, sizeof seed);
}

const char *board_id(void)
{
    static char id[33];

    eeprom_read_block(id, own_id, sizeof id - 1);
    return (uint8_t)id[0] == 0xFF ? "NO-ID" : id;
}
