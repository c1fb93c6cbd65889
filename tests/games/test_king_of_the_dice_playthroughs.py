"""The playthroughs of King of the Dice show what they were chosen for."""

from __future__ import annotations

import pytest

from companion.cli.coverage import playthroughs, renewed

KEY = "king_of_the_dice"
SHOWN = {
    "shared-win": ("KD-53", "KD-47", "KD-31", "KD-34", "KD-Q13"),
    "penalties": ("KD-41", "KD-42", "KD-52", "KD-30", "KD-Q12"),
    "two-gaps": ("KD-26", "KD-29", "KD-Q11", "KD-55"),
    "round-played-out": ("KD-Q04", "KD-Q07", "KD-Q09", "KD-Q10", "KD-55"),
    "refusals": ("KD-01", "KD-02", "KD-04", "KD-12", "KD-19", "KD-36", "KD-46", "KD-48", "KD-54", "KD-55"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_playthrough_shows_what_it_was_chosen_for(name: str) -> None:
    lines = [line for line in renewed(KEY, name).splitlines() if line.startswith(("=", "!", "?", "+"))]
    assert [article for article in SHOWN[name] if not any(article in line for line in lines)] == []


def test_there_are_five_playthroughs_and_no_other() -> None:
    assert set(playthroughs(KEY)) == set(SHOWN)


def test_what_is_refused_is_followed_by_the_same_question() -> None:
    blocks = renewed(KEY, "refusals").split("\n\n")
    refused = [index for index, block in enumerate(blocks) if "\n! " in block]
    assert len(refused) > 20
    for index in refused:
        assert blocks[index].split("\n> ")[0] == blocks[index + 1].split("\n> ")[0].split("\n\n")[0]
