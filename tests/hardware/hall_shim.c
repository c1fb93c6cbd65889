/* The AVR firmware's reading of a hall sensor as a library of the test's own computer; see test_hall.py. */
#define HALL_SLOTS 1
#include "dock_shim.c"
#define open open_button /* dock.c has one, too, and both are their file's own */
#include "inputs.c"

int shim_marker(uint8_t level, uint8_t before) { return marker_at(level, before); }
