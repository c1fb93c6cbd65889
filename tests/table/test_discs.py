"""The whirlpool discs of Realm of Wonder: what the camera sees of them answers, is asked about, or is objected to."""

from __future__ import annotations

from typing import Any

import pytest

from companion.bootstrap import new_header, seat_session
from companion.games import load_game
from companion.games.realm_of_wonder.pieces import CHARACTERS
from companion.sets.owner import no_set
from companion.table.observation import Scene, Sighting, Touch
from companion.table.session import Provenance, Session

from .evenings import Memory

GAME = load_game("realm_of_wonder")
PATIENCE_S = 7.0
AT_RUNE = {"players": {"A": {"character": "wizard", "mp": 5, "points": 3, "at": "rune"}}, "turn": {"seat": "A"}}


class Table:
    """A session, and a camera that sees how the discs stand."""

    def __init__(self, document: dict[str, Any] | None = None, **stated: Any) -> None:
        cards = no_set(GAME.key)
        header = new_header(GAME, ("Ada", "Bo"), cards, stated=stated)
        self.session: Session = seat_session(header, Memory(), (), cards)
        self.at = 0.0
        if document is not None:
            whole = {"middle": "golem", "innermost": "golem", "round": 2, **document}
            assert self.session.declare(whole, "for a test", Provenance("touch", "test")) == ""

    @property
    def stand(self) -> tuple[str, str]:
        state = self.session.position.state
        return state.middle, state.innermost

    def see(self, middle: str, innermost: str = "golem", after: float = 1.0) -> None:
        """Look at the discs; `golem/troll` stands between two paths, the first one nearer."""
        self.at += after
        seen = zip(GAME.discs, (middle, innermost), strict=True)
        sightings = tuple(sighting(slot, piece, at) for (slot, piece), at in seen)
        self.session.observe(Scene("camera", self.at, sightings))

    def touch(self, to: str, reply: str) -> None:
        self.session.observe(Touch("screen", self.at, to=to, reply=reply))

    def choose(self, says: str) -> None:
        number = next(n for n, choice in enumerate(self.session.choices) if says in choice.says)
        self.session.observe(Touch("screen", self.at, choice=number))


def sighting(slot: str, piece: str, at: str) -> Sighting:
    turns = [CHARACTERS.index(name) for name in at.split("/")]
    if len(turns) == 1:
        return Sighting(slot, "known", piece, turns[0], confidence=0.9, digest=f"picture of {at}")
    return Sighting(slot, "unsure", piece, turns[0], confidence=0.5, between=tuple(turns), digest=f"picture of {at}")


def test_a_disc_that_is_turned_as_the_die_is_asked_for_answers_for_the_die() -> None:
    table = Table(AT_RUNE)
    table.see("golem")
    table.touch("spin", "middle")
    table.see("golem")
    assert table.session.roll_asked is not None, "a disc that nobody has turned yet says nothing"
    table.see("troll")
    assert table.stand == ("troll", "golem")
    rolled = table.session.entries[-1]
    assert (rolled.source, rolled.evidence, rolled.confidence) == ("camera", "picture of troll", 0.9)
    assert table.session.todo == ()
    assert not table.session.alarm


def test_a_disc_that_the_die_has_turned_is_owed_until_it_is_seen_to_be() -> None:
    table = Table(AT_RUNE)
    table.see("golem")
    table.touch("spin", "middle")
    table.touch("spin middle", "yeti")
    table.see("golem")
    assert table.session.todo == ("Turn the middle disc until its whirlpool is in line with the path of the yeti.",)
    table.see("troll")
    assert not table.session.alarm, "it passes others on its way"
    table.see("yeti")
    assert table.session.todo == ()


def test_between_two_paths_is_one_short_question() -> None:
    table = Table(AT_RUNE)
    table.see("golem")
    table.touch("spin", "middle")
    table.see("yeti/troll")
    assert table.stand[0] == "golem"
    doubt = table.session.doubt
    assert doubt is not None
    assert doubt.says == "It lies between two: where does the middle disc stand?"
    assert {choice.says for choice in doubt.choices} == {
        "Ada spun the middle whirlpool to the yeti",
        "Ada spun the middle whirlpool to the troll",
    }
    table.choose("yeti")
    assert table.stand[0] == "yeti"
    table.see("yeti/troll")
    assert table.session.doubt is None
    assert not table.session.alarm


def test_what_somebody_paid_for_is_asked_and_never_taken_from_a_turned_disc() -> None:
    table = Table(AT_RUNE)
    table.see("golem")
    table.see("troll")
    table.see("troll", after=PATIENCE_S)
    assert table.stand[0] == "golem"
    set_to, rolled_for = (choice.says for choice in table.session.choices)
    assert set_to.startswith("Ada set a whirlpool")
    assert rolled_for == "Ada paid to roll for the middle disc, then Ada spun the middle whirlpool to the troll"
    table.choose("set a whirlpool")
    assert table.stand[0] == "troll"
    assert table.session.position.state.players[0].mp == 2


def test_a_disc_that_nothing_turns_is_said_with_both_paths_and_the_article() -> None:
    table = Table({"players": {"A": {"mp": 0, "points": 3, "at": "plain"}}, "turn": {"seat": "A"}})
    table.see("golem")
    table.see("golem", "cyclops")
    assert not table.session.alarm, "somebody may be at it"
    table.see("golem", "cyclops", after=PATIENCE_S)
    assert table.session.alarm.startswith(
        "The innermost disc was turned to the path of the cyclops; the game says golem."
    )
    assert "RW-18" in table.session.alarm
    assert table.stand == ("golem", "golem")
    table.see("golem", "golem")
    assert not table.session.alarm


@pytest.mark.parametrize(("seen", "offered"), [("troll", ["troll"]), ("yeti/troll", ["yeti", "troll"])])
def test_at_set_up_the_discs_may_stand_anyhow_and_are_offered_as_they_stand(seen: str, offered: list[str]) -> None:
    table = Table(characters={"A": "wizard", "B": "troll"}, quest={"quest": "forts", "goal": 4})
    table.see(seen, "gnome")
    table.see(seen, "gnome", after=PATIENCE_S)
    assert not table.session.alarm
    assert table.session.doubt is None
    standing = [choice.says for choice in table.session.choices if "as it stands" in choice.says]
    assert sorted(standing) == sorted(
        [
            *(f"The middle whirlpool was set to the {path} (as it stands)" for path in offered),
            "The innermost whirlpool was set to the gnome (as it stands)",
        ]
    )
    table.choose("innermost whirlpool was set to the gnome")
    table.choose(f"middle whirlpool was set to the {offered[0]}")
    assert table.stand == (offered[0], "gnome")
    assert [entry.source for entry in table.session.entries[-2:]] == ["touch", "touch"]
