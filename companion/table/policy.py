"""How much evidence the table wants before it believes something. A table's choice, not a rule."""

from __future__ import annotations

import msgspec


class Policy(msgspec.Struct, frozen=True):
    """Who is believed for what.

    A camera's reading counts as sure from `camera_sure` on. Below that, the candidates whose score
    is at least `margin` of the best one's are in doubt together; only among those may the rules
    decide. A person's touch or button is always believed.
    """

    camera_sure: float = 0.5
    margin: float = 0.7
    dice_sure: float = 0.5
    """Below this confidence dice are asked about before they count."""
    same_throw: float = 3.0
    """Seconds within which what two witnesses read is one throw."""
    askew: float = 30.0
    """Degrees from the nearest quarter turn from which it is not believed which way a card lies."""
    candidates: int = 3
    """How many likely answers a question offers."""
    search_nodes: int = 2500
    """How many positions `reconcile` looks at first."""
    deep_nodes: int = 25000
    """How many it looks at before it asks instead, if the first search was too short."""
    patience: float = 6.0
    """Seconds for which a steady scene that nothing explains is taken for unfinished handling."""
