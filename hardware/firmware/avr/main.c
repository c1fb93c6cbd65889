/* A table dock on an ATmega328P: one loop, a clock of milliseconds, a serial line of 115200 bits/s. */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "board.h"
#include "dock.h"
#include "inputs.h"

#define COUNTS 250 /* of the timer in a millisecond */
#define BLINK_HALF 512 /* about 1 Hz and 4 Hz, as powers of two */
#define HURRY_HALF 128
#ifndef EMULATED
#define EMULATED 0 /* on a busy computer the emulator stands still now and then, and the clock with it */
#endif

/* Each ring holds one byte less than its size; an unsigned char counts round 256 by itself. */
#define RECEIVED 128
static volatile uint8_t received[RECEIVED], sent[256];
static volatile uint8_t received_end, sent_end;
static volatile uint8_t received_start, sent_start;

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0;

    uint8_t end = (received_end + 1) % RECEIVED;

    if (end != received_start) {
        received[received_end] = byte;
        received_end = end;
    }
}

ISR(USART_UDRE_vect)
{
    if (sent_start == sent_end)
        UCSR0B &= ~(1 << UDRIE0);
    else
        UDR0 = sent[sent_start++];
}

bool port_send(const uint8_t *frame, uint8_t length)
{
    uint8_t room = sent_start - sent_end - 1;

    if (room < length)
        return false;
    while (length--)
        sent[sent_end++] = *frame++;
    UCSR0B |= 1 << UDRIE0;
    return true;
}

/* Milliseconds since the start, from a counter that runs round every 262 ms; call it more often than that. */
static uint32_t now(void)
{
    static uint32_t milliseconds;
    static uint16_t counted; /* up to where the counter was turned into milliseconds */

    while ((uint16_t)(TCNT1 - counted) >= COUNTS) {
        counted = EMULATED ? TCNT1 : counted + COUNTS;
        milliseconds++;
    }
    return milliseconds;
}

static bool is_lit(enum mode mode, uint32_t at)
{
    return mode == ON || (mode == BLINK && !(at & BLINK_HALF)) || (mode == HURRY && !(at & HURRY_HALF));
}

int main(void)
{
    uint32_t last = 0;

    UBRR0 = 16; /* 115200 with double speed */
    UCSR0A = 1 << U2X0;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
    TCCR1B = 1 << CS11 | 1 << CS10; /* 16 MHz / 64 */
    board_begin();
    dock_begin(board_boot_id(), board_id());
    sei();

    for (;;) {
        uint32_t at = now();
        struct sample sample;

        while (received_start != received_end) {
            dock_receive(received[received_start], at);
            received_start = (received_start + 1) % RECEIVED;
        }
        if (at != last) {
            last = at;
            board_sample(&sample);
            inputs_take(&sample, at);
            for (uint8_t n = 0; n < LAMPS; n++)
                board_light(n, is_lit(dock_lamps[n], at));
        }
        dock_run(at);
        board_alive();
    }
}
