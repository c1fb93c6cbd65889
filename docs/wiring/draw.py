"""Draws the three ways to wire a table: `python docs/wiring/draw.py` writes the SVG files beside it.

A drawing is made of parts (a button, a lamp, a buzzer, a box with named contacts) in one column, and of
wires from the pins of the computer's header, or of the dock's board, to their contacts. Ground is a rail
at the right edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

FOLDER = Path(__file__).parent
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#8a6d3b")
"""Okabe and Ito's, and two more; neighbouring wires never have the same one."""
INK, SOFT, PAPER, BOARD = "#1b1f26", "#6b7280", "#ffffff", "#eef2f0"
PITCH, ROW, TOP = 22, 62, 96
ROWS = (
    ("3V3", "5V"), ("GPIO2", "5V"), ("GPIO3", "GND"), ("GPIO4", "GPIO14"), ("GND", "GPIO15"),
    ("GPIO17", "GPIO18"), ("GPIO27", "GND"), ("GPIO22", "GPIO23"), ("3V3", "GPIO24"), ("GPIO10", "GND"),
    ("GPIO9", "GPIO25"), ("GPIO11", "GPIO8"), ("GND", "GPIO7"), ("ID", "ID"), ("GPIO5", "GND"),
    ("GPIO6", "GPIO12"), ("GPIO13", "GND"), ("GPIO19", "GPIO16"), ("GPIO26", "GPIO20"), ("GND", "GPIO21"),
)  # fmt: skip
HEADER = tuple(name for row in ROWS for name in row)
"""The 40 pins of a Raspberry Pi in their order: odd ones at the left, even ones at the right."""


class Drawing:
    """An SVG that grows: parts from top to bottom, a lane for each wire."""

    def __init__(self, title: str, width: int, height: int) -> None:
        self._title, self._width, self._height = title, width, height
        self._shapes: list[str] = []
        self._lane = 0
        self.text(24, 40, title, 22, weight="bold")

    def save(self, name: str) -> None:
        box = f'viewBox="0 0 {self._width} {self._height}" width="{self._width}" height="{self._height}"'
        style = 'font-family="DejaVu Sans, Verdana, sans-serif"'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} {style} role="img">',
            f"<title>{escape(self._title)}</title>",
            f'<rect width="{self._width}" height="{self._height}" fill="{PAPER}"/>',
            *self._shapes,
            "</svg>",
        ]
        (FOLDER / f"{name}.svg").write_text("\n".join(lines) + "\n", encoding="utf-8")

    # -- strokes ---------------------------------------------------------------------------------------

    def text(
        self, x: float, y: float, says: str, size: int = 13, anchor: str = "start", colour: str = INK, weight: str = ""
    ) -> None:
        bold = f' font-weight="{weight}"' if weight else ""
        look = f'font-size="{size}" text-anchor="{anchor}" fill="{colour}"{bold}'
        self._add(f'<text x="{x:g}" y="{y:g}" {look}>{escape(says)}</text>')

    def line(
        self, points: Sequence[tuple[float, float]], colour: str = INK, width: float = 2.0, dash: str = ""
    ) -> None:
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self._add(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dashes}/>')

    def box(self, x: float, y: float, width: float, height: float, fill: str = BOARD) -> None:
        at = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        self._add(f'<rect {at} rx="6" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>')

    def dot(self, x: float, y: float, colour: str = INK, radius: float = 4.5) -> None:
        self._add(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}"/>')

    def wave(self, x: float, y: float, reach: float) -> None:
        path = f"M {x:g} {y - reach:g} A {reach * 1.6:g} {reach * 1.6:g} 0 0 1 {x:g} {y + reach:g}"
        self._add(f'<path d="{path}" fill="none" stroke="{SOFT}" stroke-width="1.5"/>')

    def polygon(self, points: Sequence[tuple[float, float]], fill: str) -> None:
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self._add(f'<polygon points="{path}" fill="{fill}" stroke="{INK}" stroke-width="1.5"/>')

    def _add(self, shape: str) -> None:
        self._shapes.append(shape)

    # -- wires -----------------------------------------------------------------------------------------

    def wire(self, start: tuple[float, float], end: tuple[float, float], first_lane: float) -> str:
        """Draw a wire with a lane and a colour of its own; return the colour."""
        colour = COLOURS[self._lane % len(COLOURS)]
        lane = first_lane + 11 * self._lane
        self._lane += 1
        self.line([start, (lane, start[1]), (lane, end[1]), end], colour)
        self.dot(*start, colour)
        return colour

    def rail(self, x: float, top: float, bottom: float, start: tuple[float, float]) -> None:
        """Draw ground as a rail at the right, from where it comes."""
        lane = start[0] + 8
        self.line([start, (lane, start[1]), (lane, bottom), (x, bottom), (x, top)], INK, 3)
        self.text(x + 6, bottom + 4, "GND", 12)

    def to_ground(self, x: float, y: float, rail: float) -> None:
        self.line([(x, y), (rail, y)], INK, 2)
        self.dot(rail, y, INK, 3.5)

    # -- parts: drawn from the contact at (x, y) to the right --------------------------------------------

    def button(self, x: float, y: float, says: str, rail: float) -> None:
        self.dot(x, y)
        self.dot(x + 46, y)
        self.line([(x, y - 2), (x + 42, y - 18)], INK, 3)
        self.text(x, y + 22, says, 13)
        self.to_ground(x + 46, y, rail)

    def lamp(self, x: float, y: float, says: str, rail: float) -> None:
        self.box(x, y - 8, 52, 16, PAPER)
        self.text(x + 26, y + 4, "330 \u03a9", 11, "middle")
        self.line([(x + 52, y), (x + 66, y)])
        self.polygon([(x + 66, y - 10), (x + 66, y + 10), (x + 84, y)], "#ffd54a")
        self.line([(x + 84, y - 10), (x + 84, y + 10)], INK, 3)
        self.text(x, y + 24, says, 13)
        self.to_ground(x + 84, y, rail)

    def part(
        self, x: float, y: float, title: str, contacts: Sequence[str], width: int = 190
    ) -> list[tuple[float, float]]:
        """Draw a box with contacts at its left; return where they are."""
        height = PITCH * max(len(contacts), 1) + 30
        self.box(x, y, width, height)
        self.text(x + width / 2, y + 18, title, 13, "middle", weight="bold")
        places = [(x, y + 38 + PITCH * number) for number in range(len(contacts))]
        for (left, at), name in zip(places, contacts, strict=True):
            self.dot(left, at)
            self.text(left + 10, at + 4, name, 12)
        return places


class Header:
    """The 40-pin header, drawn at the left."""

    def __init__(self, drawing: Drawing, x: float = 92, y: float = TOP) -> None:
        self._drawing, self._x, self._y = drawing, x, y
        drawing.box(x - 80, y - 30, 218, PITCH * 20 + 40)
        drawing.text(x + 30, y - 10, "Raspberry Pi", 14, "middle", weight="bold")
        for number, name in enumerate(HEADER):
            left = number % 2 == 0
            cx, cy = self._at(number)
            drawing.dot(cx, cy, SOFT, 5)
            drawing.text(cx - 10 if left else cx + 10, cy + 4, name, 10, "end" if left else "start", SOFT)

    def pin(self, name: str, which: int = 0) -> tuple[float, float]:
        """Return where a wire leaves a pin: pins of the left column leave below their right neighbour."""
        number = [place for place, label in enumerate(HEADER) if label == name][which]
        return self._at(number)

    def leave(self, name: str, which: int = 0) -> tuple[float, float]:
        """Draw the way out of the header to its right edge; return where it ends."""
        x, y = self.pin(name, which)
        out = (self._x + 138, y if x > self._x + 20 else y + PITCH / 2)
        if x <= self._x + 20:
            self._drawing.line([(x, y), (x + 12, out[1]), out], SOFT, 1.2)
        else:
            self._drawing.line([(x + 58, y), out], SOFT, 1.2)
        self._drawing.dot(x, y, INK, 5)
        return out

    def _at(self, number: int) -> tuple[float, float]:
        return self._x + (0 if number % 2 == 0 else 30), self._y + 12 + PITCH * (number // 2)


SEATS = ((16, 17), (20, 27), (21, 22), (26, 23))
"""The pins of each place's button and lamp; the wizard looks for lamps on these."""
LANES, PARTS, RAIL = 246, 430, 640


def seats(drawing: Drawing, header: Header, top: float) -> float:
    """Draw button and lamp of every place; return where the next part may begin."""
    y = top
    for place, (button, lamp) in enumerate(SEATS, start=1):
        drawing.wire(header.leave(f"GPIO{button}"), (PARTS, y), LANES)
        drawing.button(PARTS, y, f"button of place {place}  (GPIO{button})", RAIL)
        drawing.wire(header.leave(f"GPIO{lamp}"), (PARTS, y + ROW - 8), LANES)
        drawing.lamp(PARTS, y + ROW - 8, f"lamp of place {place}  (GPIO{lamp})", RAIL)
        y += 2 * ROW - 8
    return y


def draw_buttons() -> None:
    drawing = Drawing("Buttons and lamps on the computer's own pins", 760, 620)
    header = Header(drawing)
    bottom = seats(drawing, header, 100)
    drawing.rail(RAIL, 100, bottom, header.leave("GND", 6))
    drawing.text(
        24, 604, "Ground of all buttons and lamps may be any GND pin. No part is connected to 5 V.", 13, colour=SOFT
    )
    drawing.save("buttons")


def draw_dock() -> None:
    drawing = Drawing("The dock: a Pico with a track of six places, on one USB cable", 1020, 700)
    drawing.box(24, 76, 150, 70)
    drawing.text(99, 104, "Raspberry Pi", 14, "middle", weight="bold")
    drawing.text(99, 126, "any USB socket", 12, "middle", SOFT)
    drawing.line([(99, 146), (99, 176)], INK, 6)
    drawing.text(112, 166, "USB cable", 12)
    names = ["GP2", "GP3", "GP6", "GP7", "GP10", "GP11", "GP12", "GP18", "GP19", "GP20", "GP26", "3V3", "GND"]
    drawing.box(24, 176, 150, 34 + PITCH * 20)
    drawing.text(99, 198, "Pico", 14, "middle", weight="bold")
    pins = {name: (174.0, 226 + 33 * number) for number, name in enumerate(names)}
    for name, (x, y) in pins.items():
        drawing.dot(x, y, SOFT, 5)
        drawing.text(x - 10, y + 4, name, 12, "end", SOFT)
    rail = 980
    for number, (pin, y) in enumerate((("GP2", 92), ("GP3", 142)), start=1):
        drawing.wire(pins[pin], (400, y), 190)
        drawing.button(400, y, f"button {number - 1} of the dock", rail)
    for number, (pin, y) in enumerate((("GP6", 196), ("GP7", 250)), start=1):
        drawing.wire(pins[pin], (400, y), 190)
        drawing.lamp(400, y, f"lamp {number - 1} of the dock", rail)
    contacts = drawing.part(400, 296, "die sensor", ["bit 1", "bit 2", "bit 4", "GND"])
    for pin, end in zip(("GP10", "GP11", "GP12"), contacts, strict=False):
        drawing.wire(pins[pin], end, 190)
    drawing.line([contacts[3], (388, contacts[3][1]), (388, 430), (rail, 430)])
    drawing.dot(rail, 430, INK, 3.5)
    contacts = drawing.part(400, 446, "74HC4051", ["S0", "S1", "S2", "Z", "VCC", "GND, VEE, E"], 150)
    for pin, end in zip(("GP18", "GP19", "GP20", "GP26", "3V3"), contacts, strict=False):
        drawing.wire(pins[pin], end, 190)
    drawing.line([contacts[5], (388, contacts[5][1]), (388, 624), (rail, 624)])
    drawing.dot(rail, 624, INK, 3.5)
    for place in range(6):
        y = 472 + 24 * place
        drawing.line([(550, y), (650, y)], SOFT, 1.5)
        drawing.text(558, y - 3, f"Y{place}", 10, colour=SOFT)
        drawing.box(650, y - 9, 190, 18, PAPER)
        drawing.text(745, y + 4, f"place {place + 1}: marker's resistor", 10, "middle")
        drawing.to_ground(840, y, rail)
    drawing.box(614, 396, 54, 16, PAPER)
    drawing.text(641, 408, "10 k\u03a9", 11, "middle")
    drawing.line([(640, 412), (640, 472)])
    drawing.dot(640, 472, INK, 3)
    drawing.line([(640, 396), (640, 382), (760, 382)])
    drawing.text(764, 386, "3V3: one 10 k\u03a9 at every place", 12)
    drawing.rail(rail, 92, 660, pins["GND"])
    drawing.text(
        24, 690, "Markers 1 to 6 carry 1, 2.2, 4.7, 10, 22 and 47 k\u03a9 between their two contacts.", 13, colour=SOFT
    )
    drawing.save("dock")


def draw_everything() -> None:
    drawing = Drawing("Everything: buttons, lamps, buzzer, knob, dock, die tower and smart dice", 1080, 820)
    header = Header(drawing)
    bottom = seats(drawing, header, 110)
    drawing.wire(header.leave("GPIO13"), (PARTS, bottom), LANES)
    drawing.button(PARTS, bottom, "button of the table  (GPIO13)", RAIL)
    knob = drawing.part(PARTS, bottom + 34, "knob (rotary encoder)", ["A  (GPIO5)", "B  (GPIO6)", "C"])
    drawing.wire(header.leave("GPIO5"), knob[0], LANES)
    drawing.wire(header.leave("GPIO6"), knob[1], LANES)
    drawing.line([knob[2], (PARTS - 8, knob[2][1]), (PARTS - 8, bottom + 142), (RAIL, bottom + 142)])
    drawing.dot(RAIL, bottom + 142, INK, 3.5)
    drawing.rail(RAIL, 110, bottom + 142, header.leave("GND", 6))
    side = 720
    buzzer = drawing.part(
        side, 107, "buzzer module, 3.3 V, active", ["signal  (GPIO18)", "VCC: 3V3  (pin 1)", "GND"], 250
    )
    drawing.wire(header.leave("GPIO18"), buzzer[0], LANES)
    drawing.to_ground(side, buzzer[2][1], RAIL)
    drawing.text(side, 223, "A module has its own transistor; a bare", 12, colour=SOFT)
    drawing.text(side, 239, "buzzer draws more than a pin may give.", 12, colour=SOFT)
    usb = (
        (268, "dock", "its own drawing: dock.svg"),
        (360, "die tower", "any board that prints lines: ../recipes/dice.md"),
    )
    for y, title, says in usb:
        drawing.part(side, y, title, [], 250)
        drawing.text(side, y + 70, says, 12, colour=SOFT)
    drawing.line([(92, 546), (92, 760), (1020, 760), (1020, 294), (970, 294)], INK, 5)
    drawing.line([(1020, 386), (970, 386)], INK, 5)
    drawing.text(700, 750, "USB cables", 12)
    drawing.box(side, 470, 250, 96)
    drawing.text(side + 125, 490, "Pixels or GoDice", 13, "middle", weight="bold")
    for number, pips in enumerate(((0,), (-1, 0, 1))):
        x = side + 70 + 90 * number
        drawing.box(x, 506, 40, 40, PAPER)
        for pip in pips:
            drawing.dot(x + 20 + 11 * pip, 526 + 11 * pip)
        for reach in (8, 15):
            drawing.wave(x + 34 + reach, 526, 8 + reach)
    drawing.text(side, 588, "no wire: Bluetooth, found by their names", 12, colour=SOFT)
    drawing.text(24, 800, "Ground of all parts may be any GND pin. No part is connected to 5 V.", 13, colour=SOFT)
    drawing.save("everything")


if __name__ == "__main__":
    draw_buttons()
    draw_dock()
    draw_everything()
