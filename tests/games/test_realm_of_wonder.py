"""Realm of Wonder: bad input, hidden cards, the books that are kept, and table options as switches."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.cli.judge import judge_cases, open_file
from companion.games import load_game
from companion.games.realm_of_wonder.effects.battle import DieRolled
from companion.games.realm_of_wonder.effects.spells import CardShown
from companion.games.realm_of_wonder.payoff import counter, score
from companion.games.realm_of_wonder.state import Realm
from companion.kernel import (
    UNKNOWN,
    Answer,
    Assigned,
    Chosen,
    Confirmed,
    Counted,
    NotationError,
    Ordered,
    Position,
    Refusal,
    Reply,
    Revealed,
    Rolled,
    Setup,
    advance,
)
from companion.notation.case import Case
from companion.notation.document import Document, DocumentError
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.rulebook.strings import load_strings
from companion.table.voice import Voice

from ..conformance.walks import walks
from .test_cases import cases_of

GAME = load_game("realm_of_wonder")
RULEBOOK = load_rulebook("realm_of_wonder")
CASES = cases_of("realm_of_wonder")


def setup(seats: int = 2, faces: Any = None, **options: str) -> Setup:
    return Setup(resolve(RULEBOOK, explicit=options), tuple("ABCDEF"[:seats]), faces or {})


def opened(document: dict[str, Any], seats: int = 2, **options: str) -> Position:
    return GAME.open(document, setup(seats, **options))


def in_turn(**player: Any) -> dict[str, Any]:
    return {"players": {"A": {"mp": 0, "magic": 0, "points": 3, "at": "plain", **player}}, "turn": {"seat": "A"}}


def went(at: Position, key: str, reply: Reply) -> Position:
    after = advance(at, Answer(key, reply))
    assert isinstance(after, Position), after
    return after


def refused(at: Position, key: str, reply: Reply) -> tuple[str, set[str]]:
    """Return the sentence of a refusal and its articles; nothing may have changed."""
    before = GAME.write(at)
    after = advance(at, Answer(key, reply))
    assert isinstance(after, Refusal), after
    assert GAME.write(at) == before
    says = load_strings("realm_of_wonder").say(after.text.key, dict(after.text.values))
    return says, {cite.article for cite in after.cites}


# ---------- bad input ----------


def test_a_fourth_magic_orb_is_refused_with_the_article_and_the_number() -> None:
    document = in_turn(mp=2, at="tower") | {"tiles_out": ["orb", "orb", "orb"]}
    says, articles = refused(opened(document), "tile", Revealed(("orb",)))
    assert says == "All 3 tiles of this kind (magic orb) have been turned up already."
    assert "RW-139" in articles


@pytest.mark.parametrize(("orbs", "found"), [(7, "found 7 of orb"), (4, "found 4 of orb")])
def test_a_position_with_more_orbs_than_the_box_is_refused(orbs: int, found: str) -> None:
    with pytest.raises(NotationError, match=rf"{found}, the box holds 3 \(RW-139\)"):
        opened(in_turn(tiles=["orb"] * orbs))


def test_a_fort_of_eleven_discs_is_refused() -> None:
    with pytest.raises(NotationError, match=r"found 11 discs of A, each player has 10 \(RW-85\)"):
        opened(in_turn() | {"forts": {"A1": {"owner": "A", "height": 11}}})
    at = opened(in_turn(mp=99, at="well"))
    says, articles = refused(at, "build", Counted(11))
    assert says == "You build with 11 discs and have 10 of your 10 left."
    assert articles >= {"RW-85", "RW-86"}


def test_a_face_that_is_not_on_the_die_is_refused() -> None:
    document = in_turn() | {"battle": {"attacker": "A", "defender": "B", "place": "plain", "muscles": [0, 0]}}
    document |= {"due": None, "agenda": [{"step": "Fight", "cites": ["RW-94"]}, {"step": "Moves", "cites": ["RW-28"]}]}
    says, articles = refused(opened(document), "roll attacker", Rolled(("7",)))
    assert says == "The battle die shows one of 1, 2, p2, 3, 4, 5, 6; found 7."
    assert "RW-06" in articles
    faces = {"battle-die": {"faces": ["1", "2", "p2", "3", "4", "5"]}}
    six = GAME.open(document, setup(faces=faces))
    assert "found 6" in refused(six, "roll attacker", Rolled(("6",)))[0]


def test_a_way_of_negative_points_is_refused() -> None:
    at = went(opened(in_turn()), "step", Chosen(("well",)))
    says, articles = refused(at, "cost", Counted(-2))
    assert says == "A way costs at least one movement point; found -2."
    assert "RW-58" in articles


def test_the_castle_does_not_open_without_the_means() -> None:
    says, articles = refused(opened(in_turn(at="island", tiles=["orb", "cursed", "eye"])), "step", Chosen(("castle",)))
    assert says.endswith("found no disc, 1 monsters and 2 orbs.")
    assert articles == {"RW-83"}


def test_two_players_cannot_have_one_character() -> None:
    at = GAME.start(setup(3))
    twice = Assigned((("yeti", "A"), ("yeti", "B"), ("gnome", "C")))
    says, articles = refused(at, "characters", twice)
    assert "Each of A, B, C gets another one" in says
    assert "RW-02" in articles
    with pytest.raises(NotationError, match="named for two seats"):
        GAME.start(msgspec.structs.replace(setup(), stated={"characters": {"A": "yeti", "B": "yeti"}}))


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"players": {"C": {}}}, "found the seat C, expected one of A, B"),
        ({"players": {"A": {"at": "moon"}}}, "at: found 'moon'"),
        ({"players": {"A": {"tiles": ["unicorn"]}}}, "found 'unicorn', expected one of orb"),
        ({"players": {"A": {"mp": -1}}}, "Expected `int` >= 0"),
        ({"players": {"A": {"bonus": ["battle"] * 7}}}, r"found 7 bonus discs, there are 6 \(RW-11\)"),
        ({"gone": ["cannon"] * 56}, r"more magic cards than the 55 in the box \(RW-04\)"),
        ({"agenda": [{"step": "Dance", "cites": []}]}, "found the step 'Dance'"),
        ({"players": {"A": {"character": "yeti"}, "B": {"character": "yeti"}}}, "yeti is played by two"),
        ({"faces": {"cannon": {"count": 56}}}, r"magic cards: found 56, the box holds 55 \(RW-04\)"),
        ({"faces": {"orb": {"count": 4}}}, "orb: found 4, the box holds 3"),
    ],
)
def test_a_position_that_no_table_shows_is_told_by_its_field(document: dict[str, Any], says: str) -> None:
    with pytest.raises(NotationError, match=says):
        opened(document)


def test_a_setup_that_is_none_is_told() -> None:
    for stated, says in (
        ({"seats": 7}, "found 7, expected 2 to 6 players"),
        ({"middle": "moon"}, "middle: found 'moon'"),
        ({"characters": {"A": "elf"}}, "found 'elf', expected one of wizard"),
        ({"hats": 2}, "hats"),
    ):
        with pytest.raises(NotationError, match=says):
            GAME.start(msgspec.structs.replace(setup(), stated=stated))


# ---------- hidden cards ----------


def test_a_hand_that_nobody_counted_may_hold_any_card() -> None:
    at = opened({"due": "spells", "players": {"A": {"speed": 1}, "B": {"speed": 2}}})
    assert at.state.magic_pile is UNKNOWN
    assert {"lightning", "balloon", "plus-three"} <= {each.key for each in at.offers}


def test_an_empty_hand_plays_nothing_and_is_not_asked() -> None:
    at = opened({"due": "spells", "players": {"A": {"speed": 1, "magic": 0}, "B": {"speed": 2, "magic": 0}}})
    assert not at.offers


def test_a_card_of_which_every_copy_is_gone_is_not_offered() -> None:
    faces = {"lightning": {"count": 2}, "counter": {"count": 1}}
    document = {"due": "spells", "players": {"A": {"speed": 1, "magic": 5}, "B": {"speed": 2, "magic": 5}}}
    keys = {each.key for each in GAME.open(document | {"gone": ["lightning"]}, setup(faces=faces)).offers}
    assert "lightning" in keys
    gone = GAME.open(document | {"gone": ["lightning", "lightning", "counter"]}, setup(faces=faces))
    assert "lightning" not in {each.key for each in gone.offers}
    shown = went(gone, "balloon", Confirmed())
    assert not [each.key for each in shown.offers if each.key.startswith("counter")]


def test_no_document_board_or_journal_names_a_card_that_nobody_has_seen() -> None:
    for walk in walks("realm_of_wonder"):
        at = walk.positions[-1]
        assert all(player.magic is UNKNOWN or isinstance(player.magic, int) for player in at.state.players)
        assert not [card for card in at.state.movement_used if card], "no set was given, so no card has a key"


def test_the_magic_pile_never_holds_more_than_the_box() -> None:
    """RW-04: hands, pile and used cards are 55 at every moment, muscles on the table among them."""
    for walk in walks("realm_of_wonder"):
        for cut in walk.cuts:
            state: Realm = walk.positions[cut].state
            held = [player.magic for player in state.players]
            if UNKNOWN not in held and state.magic_pile is not UNKNOWN:
                laid = sum(each or 0 for each in state.battle.muscles) if state.battle else 0
                assert sum(held) + state.magic_pile + len(state.gone) + laid == 55
                assert state.magic_pile >= 0


# ---------- the books ----------


def test_the_payoff_is_the_sum_of_its_terms_and_the_counter_shows_it_at_every_moment() -> None:
    for walk in walks("realm_of_wonder"):
        for cut in walk.cuts:
            state: Realm = walk.positions[cut].state
            for seat, term in enumerate(score(state)):
                player = state.players[seat]
                assert term.points == sum(part.points for part in term.parts)
                assert player.counter == counter(state, seat), (walk.seed, cut)
                assert state.round == 1 or state.on_island(player.at) or term.points == player.counter


def test_the_castle_island_is_a_term_of_the_payoff_and_leaves_the_counter_alone() -> None:
    document = in_turn(at="island", character="yeti", tiles=["orb"]) | {"round": 3, "middle": "yeti"}
    at = opened(document | {"forts": {"A1": {"owner": "A", "height": 2}}})
    term = score(at.state)[0]
    assert [(part.text.key, part.points) for part in term.parts] == [
        ("score.house", 3),
        ("score.well", 1),
        ("score.orbs", 1),
        ("score.middle", 1),
        ("score.island", -6),
    ]
    assert term.points == 0
    assert at.state.players[0].counter == 6


def test_the_markers_stand_as_the_speeds_say_and_follow_lightning() -> None:
    players = {"A": {"speed": 12, "magic": 1}, "B": {"speed": 47, "magic": 0}, "C": {"speed": 33, "magic": 0}}
    for player in players.values():
        player |= {"points": 2, "special": "none"}
    at = opened({"due": "track", "players": players}, seats=3)
    assert GAME.track(at.state) == ("A", "C", "B")
    struck = went(at, "lightning", Confirmed())
    assert GAME.track(struck.state) == ("C", "B", "A")


def test_without_a_set_the_track_tells_the_order() -> None:
    at = opened({"due": "track", "players": {"A": {"movement": 3}, "B": {"movement": 3}}})
    assert {each.key for each in at.questions} == {"track", "special A", "special B"}
    assert "Each marker stands on the track once" in refused(at, "track", Ordered(("A", "A")))[0]
    for key, reply in (
        ("special B", Chosen(("points",))),
        ("track", Ordered(("B", "A"))),
        ("special A", Chosen(("none",))),
    ):
        at = went(at, key, reply)
    assert GAME.track(at.state) == ("B", "A")
    assert at.state.players[1].movement == 2


def test_a_set_that_lists_every_card_reads_speed_points_and_effect_off_it() -> None:
    faces = {f"m-{n}": {"speed": n, "points": 3, "special": "points" if n == 9 else "none"} for n in range(1, 51)}
    document = {"due": "cards", "players": {seat: {"movement": 3, "mp": 0} for seat in "AB"}}
    at = GAME.open(document, setup(faces=faces))
    assert [each.key for each in at.questions] == ["card A", "card B"]
    at = went(went(at, "card B", Revealed(("m-9",))), "card A", Revealed(("m-20",)))
    assert GAME.track(at.state) == ("B", "A")
    assert at.state.players[1].mp == 5
    assert GAME.pieces(at.state)["m-9"] == "played"


# ---------- options, cases ----------


def outcome(case: Case, **options: str) -> object:
    doc = msgspec.structs.replace(case.doc, options=case.doc.options | options, expected=msgspec.UNSET)
    try:
        ruling = judge_cases("realm_of_wonder", [Case(case.document, case.path, doc)])[0]
    except DocumentError as error:
        return str(error)
    return ruling.state, ruling.ruling


VALUES = [
    (option.name, value.value)
    for option in RULEBOOK.options.values()
    for value in option.values
    if value.value != option.default
]


@pytest.mark.parametrize(("name", "value"), VALUES, ids=[f"{name}={value}" for name, value in VALUES])
def test_the_value_changes_a_ruling(name: str, value: str) -> None:
    assert any(outcome(case, **{name: value}) != outcome(case) for case in CASES)


BY_ID = {case.doc.id: case for case in CASES}


def test_all_sourced_cases_are_here() -> None:
    assert len([key for key in BY_ID if key.startswith("realm-")]) == 92


@pytest.mark.parametrize(
    ("case", "ruling"),
    [
        (
            {
                "kind": "battle",
                "position": {
                    "attacker": {"rolls": [3], "tile_revealed_here": True, "entered_from": "none"},
                    "defender": {"rolls": ["p2"], "kind": "monster", "monster": "eye"},
                },
            },
            {"state": "undecidable"},
        ),
        (
            {
                "kind": "battle",
                "position": {
                    "attacker": {"rolls": [3], "tile_revealed_here": True, "entered_from": "none"},
                    "defender": {"rolls": [2], "kind": "monster", "monster": "eye"},
                },
            },
            {"attacker_goes": "stays", "tile": "stays on the board", "attacker_turn": "ends"},
        ),
        (
            {
                "kind": "movement",
                "position": {"card": 3, "balloon": True},
                "moves": [{"enter": "difficult"}, {"enter": "fort of another player"}],
            },
            {"legal": False},
        ),
        (
            {
                "kind": "movement",
                "position": {"card": 2, "victory_disc": True},
                "moves": [{"enter": "castle island"}, {"enter": "King's castle"}],
            },
            {"legal": True},
        ),
        (
            {
                "kind": "costs",
                "position": {"mp": 4, "at": "rune stone"},
                "moves": [{"pay": 1, "for": "spinning by roll"}, {"pay": 3, "for": "whirlpool of choice"}],
            },
            {"legal": True, "mp_left": 0},
        ),
        (
            {
                "kind": "costs",
                "position": {"mp": 9, "at": "well with B's fort"},
                "moves": [{"pay": 3, "for": "magic card"}],
            },
            {"legal": False},
        ),
        (
            {
                "kind": "fort",
                "position": {"mp": 9, "discs_left": 8, "there": {"owner": "A", "height": 2}},
                "moves": [{"build": 2}],
            },
            {"legal": False, "height": 2},
        ),
        (
            {"kind": "battle", "position": {"attacker": {"rolls": ["p2"]}, "defender": {"rolls": [3]}}},
            {"state": "undecidable"},
        ),
        (
            {
                "kind": "battle",
                "position": {"attacker": {"rolls": [4]}, "defender": {"kind": "monster", "monster": "eye"}},
            },
            {"state": "undecidable"},
        ),
        (
            {
                "kind": "order",
                "position": {"speeds": {"A": 12, "B": 47, "C": 33}},
                "moves": [
                    {"by": "A", "cast": "lightning"},
                    {"by": "C", "cast": "counter spell", "against": "A"},
                    {"by": "A", "cast": "none"},
                ],
            },
            {"lightning": [], "casting_left": ["C", "B"], "cards_gone": 2},
        ),
        (
            {
                "kind": "payoff_change",
                "position": {"before": {"A": {"cursed": 1}, "B": {"orbs": 1}}},
                "moves": [{"by": "A", "give": "cursed orb", "to": "B"}],
            },
            {"A": 3, "B": 3},
        ),
    ],
)
def test_cases_of_the_same_kinds_that_nobody_wrote_down_are_ruled_too(
    case: dict[str, Any], ruling: dict[str, Any]
) -> None:
    root = {"game": "realm-of-wonder", "cases": [{"id": "x", **case}]}
    found = judge_cases(*open_file(Document("x.yaml", root, {})))[0]
    wanted = dict(ruling)
    assert found.state == wanted.pop("state", "ruled")
    assert {key: found.ruling[key] for key in wanted} == wanted


def test_rulings_are_said_in_the_words_of_the_table_and_not_in_the_keys_of_the_rules() -> None:
    voice = Voice(GAME, load_strings("realm_of_wonder"), ("Ada", "Bela"))
    assert voice.tell(DieRolled(0, 0, "p2")) == "Ada rolls purple 2 for the attacker."
    assert voice.tell(CardShown(1, "plus-three", "A")) == "Bela plays plus three (A)."
    at = went(
        opened({"due": "spells", "players": {"A": {"speed": 1, "magic": 2}, "B": {"speed": 2, "magic": 2}}}),
        "plus-three",
        Chosen(("B",)),
    )
    window = next(offer for offer in at.offers if offer.key.startswith("counter"))
    assert voice.did(window, Chosen(("B",))) == "Bela played a counter spell against the plus three of Ada"
