"""What witnesses saw, in one line each, for people who wire a table."""

from __future__ import annotations

from companion.table.observation import DiceSeen, KnobTurned, MarkersSeen, Observation, Press


def in_words(observation: Observation) -> str:
    """Return an observation in words, with its evidence."""
    match observation:
        case Press(seat=seat, button=button, evidence=evidence):
            return f"{'the table' if seat is None else f'seat {seat + 1}'}: {button}  [{evidence}]"
        case DiceSeen(problem="", faces=(), evidence=evidence):
            return f"dice: nothing is in the way any more  [{evidence}]"
        case DiceSeen(problem=problem, faces=faces, evidence=evidence):
            return f"dice: {problem or ' '.join(faces)}  [{evidence}]"
        case MarkersSeen(problem=problem, settled=settled, order=order, evidence=evidence):
            lie = " ".join(marker or "-" for marker in order)
            return f"markers: {problem or (lie if settled else f'{lie} (moving)')}  [{evidence}]"
        case KnobTurned(steps=steps):
            return f"knob: {steps:+d}"
    return f"{observation.witness}: {type(observation).__name__}"
