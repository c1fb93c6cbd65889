"""What this dock has. Change it for yours and copy it to the board again; the app learns it from WELCOME."""

FIRMWARE = "micropython 1"
KIND = "dock"

BUTTONS = (2, 3, 4, 5)  # GP numbers; each button to ground
LAMPS = (6, 7, 8, 9)  # each through 330 ohms
DIE = (10, 11, 12)  # a die sensor's three lines, low is 1; () if there is none
SLOTS = 6

# The slots hang on the converter at GP26 through a 74HC4051, whose inputs these three pins choose.
# Coded: 10 kilohms from 3.3 V to the slot's contact, the marker's resistor from there to ground.
# Hall: a linear sensor at 3.3 V (DRV5053 or alike), whose level one pole of a magnet
# lowers (marker 1) and the other one raises (marker 2).
SLOT_LEVEL = 26
SLOT_SELECT = (18, 19, 20)
HALL = False

# Buttons that also tell a double press; their short press then comes 0.35 s later.
DOUBLE_BUTTONS = ()

HALL_REST, HALL_NEAR, HALL_FAR = 128, 40, 25
# Markers 1 to 6: 1, 2.2, 4.7, 10, 22 and 47 kilohms, as 255 * R / (R + 10 k).
CODES = (23, 46, 82, 128, 175, 210)
CODE_WITHIN = 9
EMPTY_ABOVE = 240
