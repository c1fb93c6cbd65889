"""Realm of Wonder: what cannot be done is refused by the article that speaks against it, offered or not."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import load_game
from companion.kernel import Answer, Chosen, Confirmed, Counted, Moved, Refusal, Revealed, Setup, advance
from companion.kernel.questions import Reply
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.rulebook.strings import load_strings

GAME = load_game("realm_of_wonder")
STRINGS = load_strings("realm_of_wonder")
YES = Confirmed(True)


def turn(at: str, **player: Any) -> dict[str, Any]:
    return {"players": {"A": {"mp": 9, "points": 3, "at": at, **player}, "B": {"magic": 2}}, "turn": {"seat": "A"}}


def casting(at: str = "plain", **player: Any) -> dict[str, Any]:
    return {"due": "spells", "players": {"A": {"speed": 1, "magic": 2, "at": at, **player}, "B": {"speed": 2}}}


def refusal(document: dict[str, Any], to: str, reply: Reply, **options: str) -> Refusal:
    setup = Setup(resolve(load_rulebook("realm_of_wonder"), explicit=options), ("A", "B"))
    before = GAME.open(document, setup)
    after = advance(before, Answer(to, reply))
    assert isinstance(after, Refusal)
    assert GAME.write(before) == GAME.write(GAME.open(document, setup))
    return after


FORT = {"forts": {"B1": {"owner": "B", "height": 1}}}
HIGH = {"forts": {"A1": {"owner": "A", "height": 3}}}
ALL = {"forts": {f"A{n}": {"owner": "A", "height": 3} for n in (1, 2, 3)} | {"A4": {"owner": "A", "height": 1}}}


@pytest.mark.parametrize(
    ("document", "to", "reply", "article", "says"),
    [
        (turn("island", character="wizard"), "ability", YES, "RW-82", "castle island"),
        (turn("plain", character="yeti", ability="used"), "ability", Chosen(("middle",)), "RW-114", "face side up"),
        (casting("island"), "lightning", YES, "RW-78", "counter spell"),
        (casting("plain", magic=0), "lightning", YES, "RW-53", "no magic card"),
        (casting(), "cannon", Chosen(("house-B",)), "RW-64", "house"),
        (casting(), "wish", Chosen(("B-orb",)), "RW-130", "aimed"),
        (turn("plain"), "lightning", YES, "RW-50", "spell step"),
        (turn("plain"), "counter 1", Chosen(("B",)), "RW-134", "spell step"),
        (casting(), "counter 1", Chosen(("B",)), "RW-133", "countered"),
        (turn("plain"), "card", YES, "RW-69", "plain is none"),
        (turn("B1") | FORT, "card", YES, "RW-69", "another player"),
        (turn("well", mp=2), "card", YES, "RW-69", "costs 3 magic points; you have 2"),
        (turn("well") | {"turn": {"seat": "A", "bought": True}}, "card", YES, "RW-70", "Only one magic card"),
        (turn("house"), "build", Counted(1), "RW-86", "house is none"),
        (turn("B1") | FORT, "build", Counted(1), "RW-90", "conquered"),
        (turn("A1") | HIGH, "build", Counted(1), "RW-87", "up to 3"),
        (turn("well", mp=40) | ALL, "build", Counted(1), "RW-85", "All 10"),
        (turn("well", mp=1), "build", Counted(1), "RW-84", "you have 1"),
        (turn("plain"), "tile", Revealed(("orb",)), "RW-135", "No tower tile"),
        (turn("tower", mp=0), "tile", Revealed(("orb",)), "RW-67", "costs 1 magic points; you have 0"),
        (turn("rune", mp=0), "spin", Chosen(("middle",)), "RW-72", "costs 1"),
        (turn("plain"), "whirlpool", Chosen(("middle-golem",)), "RW-73", "rune stone"),
        (turn("plain", tiles=["potion"]), "potion", Chosen(("battle",)), "RW-145", "rune stone"),
        (turn("rune"), "potion", Chosen(("battle",)), "RW-145", "no magic potion"),
        (turn("vortex", mp=2), "vortex", Chosen(("vortex",)), "RW-74", "costs 3"),
        (turn("plain", tiles=["teleport"]), "teleport", Chosen(("well",)), "RW-142", "free magic well"),
        (turn("plain", points=0), "step", Chosen(("well",)), "RW-56", "No movement points"),
        (turn("plain") | {"turn": {"seat": "A", "extra": True}}, "extra", YES, "RW-59", "Only one extra"),
        (turn("plain", victory_disc=True), "quest done", YES, "RW-108", "kept for ever"),
        (turn("plain") | {"quest": {"quest": "forts", "goal": 3}}, "quest done", YES, "RW-27", "counts this quest"),
        (turn("plain") | FORT, "conquer", Chosen(("B1",)), "RW-Q05", "while stepping"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("RW") else "",
)
def test_what_is_not_offered_is_refused_by_its_article(
    document: dict[str, Any], to: str, reply: Reply, article: str, says: str
) -> None:
    no = refusal(document, to, reply)
    cited = [each.article for each in no.cites]
    assert article in cited
    assert cited[-1] == "table/question"
    assert says in STRINGS.say(no.text.key, dict(no.text.values))


def test_a_step_that_cannot_be_taken_is_refused_by_what_bars_it_though_no_step_is_offered() -> None:
    spaces = [{"key": key, "disc": "outer", "coast": True} for key in ("s1", "s2", "s3")]
    board = {"board": {"spaces": spaces, "edges": [["s1", "s2", "water"], ["s1", "s3", "wall"]]}}
    document = turn("s1") | {"faces": board, "middle": "wizard", "innermost": "wizard"}
    document["players"]["B"] = {}
    assert "RW-60" in [each.article for each in refusal(document, "step", Moved("s1", "s2")).cites]
    assert "RW-77" in [each.article for each in refusal(document, "step", Moved("s1", "s3")).cites]


def test_muscle_cards_are_refused_by_whose_step_it_is_and_for_whom() -> None:
    document = turn("tower", magic=2)
    setup = Setup(resolve(load_rulebook("realm_of_wonder")), ("A", "B"))
    fighting = advance(GAME.open(document, setup), Answer("tile", Revealed(("eye",))))
    assert not isinstance(fighting, Refusal)
    for_monster = advance(fighting, Answer("muscles B", Counted(1)))
    assert isinstance(for_monster, Refusal)
    assert for_monster.cites[0].article == "RW-155"
    rolling = advance(fighting, Answer("muscles A", Counted(1)))
    assert not isinstance(rolling, Refusal)
    late = advance(rolling, Answer("muscles A", Counted(1)))
    assert isinstance(late, Refusal)
    assert "RW-97" in [each.article for each in late.cites]


def test_a_house_that_sells_nothing_is_refused_by_the_option() -> None:
    no = refusal(turn("house"), "card", YES, house_sells="no")
    assert "RW-Q24" in [each.article for each in no.cites]
