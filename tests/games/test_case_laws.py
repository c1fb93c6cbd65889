"""The laws of all cases of all games: articles cited, people's words unread, alternatives by options, options named."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.cli.judge import judge_cases
from companion.games import game_keys
from companion.notation.case import Case, Ruling
from companion.notation.document import DocumentError
from companion.rulebook.article import Option
from companion.rulebook.load import load_rulebook
from tests.games.test_cases import cases_of

ALTERNATIVES: dict[str, tuple[dict[str, str], ...]] = {
    "duel-18": ({"two_crowns": "unsettled"},),
    "duel-23": ({"castle_in_pile": "two_minus_one"},),
    "duel-26": ({"AL-Q03": "all_or_nothing"},),
    "duel-36": ({"strengthen_target": "own"},),
    "duel-111": ({"AL-Q17": "at_most_one"},),
    "duel-125": ({"castle_facing": "minus_one"}, {"castle_facing": "plus_one"}),
    "duel-126": ({"tie_break_counts": "won_and_facing"},),
    "duel-136": ({"rotation_by_two": "all_or_nothing"},),
    "dice-04": ({"parity_shown": "either"},),
    "dice-61": ({"fewer_minus_points": "cards"},),
    "dice-86": ({"KD-Q02": "fourteen"},),
    "dice-93": ({"stop_early": "all_rolls"},),
    "dice-96": ({"only_dragon_met": "may_decline"},),
    "dice-102": ({"hypnotist_bonus": "any"},),
    "dice-104": ({"bonus_effects": "ignored"},),
    "dice-110": ({"fewer_minus_points": "cards"},),
    "realm-25": ({"movement_floor": "deficit"},),
    "realm-60": ({"monsters_stolen": "exempt"},),
    "realm-62": ({"attacker_goes_on": "no"},),
    "realm-67": ({"tie_at_revealed": "stays"},),
    "realm-96": ({"negative_payoff": "paid_back"},),
    "realm-121": ({"RW-Q04": "staying_discs"},),
    "realm-143": ({"wizard_house": "fort_discs"},),
    "realm-157": ({"house_sells": "no"},),
    "realm-159": ({"island_spells": "shielded"},),
    "realm-162": ({"beaten_defender": "loses"},),
    "realm-175": ({"counter_countered": "no"},),
    "option-07": ({"movement_floor": "card_only"},),
    "vaal-05": ({"mountain_counts": "any_land"},),
    "vaal-14": ({"river_initiative": "at_most_six"},),
    "vaal-20": ({"VB-Q19": "at_most_six"},),
    "vaal-29": ({"fighter_own": "gets_one"},),
    "vaal-33": ({"neighbours_meant": "either"},),
    "vaal-39": ({"carpenter_counts": "new_forest_too"},),
    "vaal-42": ({"falconer_poor": "nothing"},),
    "vaal-53": ({"type_bonus": "only_six"},),
    "vaal-60": ({"two_players": "opponent_twice"},),
    "vaal-62": ({"mountain_counts": "any_land"},),
    "vaal-70": ({"order_after_pathfinder": "new_signs"},),
    "vaal-78": ({"neighbours_meant": "either"},),
    "vaal-81": ({"two_players": "opponent_twice"},),
    "vaal-94": ({"type_bonus": "only_six"},),
}
"""The options by which each of a case's alternatives is reached."""
ALL = [(game, case) for game in game_keys() for case in cases_of(game)]
STRUCTURED = [(game, case) for game, case in ALL if case.doc.form == "structured"]


def named(cases: list[tuple[str, Case]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("game", "case"), cases, ids=[f"{game}-{case.doc.id}" for game, case in cases])


def ruled(game: str, case: Case, hinges: bool = False, **changed: Any) -> Ruling:
    doc = msgspec.structs.replace(case.doc, **changed)
    return judge_cases(game, [Case(case.document, case.path, doc)], hinges)[0]


@named(ALL)
def test_a_ruling_cites_articles_and_what_is_for_people_changes_nothing(game: str, case: Case) -> None:
    before = ruled(game, case)
    words: dict[str, Any] = dict.fromkeys(("title", "question", "ruling", "rules", "alternatives"), "falsified")
    false = ruled(game, case, expected={"something": "falsified"}, **words)
    assert (before.agrees, false.agrees) == (True, False)
    assert (before.state, before.ruling, before.cites) == (false.state, false.ruling, false.cites)
    rulebook = load_rulebook(game)
    # What a position looks like before anything has happened in it is no ruling yet.
    assert before.cites or (case.doc.form == "play" and not case.doc.moves)
    assert set(before.cites) <= {*rulebook.articles, *(option.id for option in rulebook.options.values())}


@named([(game, case) for game, case in ALL if case.doc.alternatives and case.doc.id != "duel-59"])
def test_each_alternative_is_reached_by_setting_an_option(game: str, case: Case) -> None:
    # duel-59 takes other moves as well: tests/games/test_allies_plays.py.
    for alternative, options in zip(case.doc.alternatives, ALTERNATIVES[case.doc.id], strict=True):
        expected = alternative["expected"]
        asks = list(expected) if isinstance(expected, dict) and isinstance(case.doc.asks, list) else case.doc.asks
        ruling = ruled(game, case, options=options, expected=expected, asks=asks)
        assert ruling.agrees, ruling


@named(STRUCTURED)
def test_an_option_that_changes_the_ruling_is_named_by_it(game: str, case: Case) -> None:
    before, stated = ruled(game, case, hinges=True), case.doc.options
    for name, option in load_rulebook(game).options.items():
        for value in option.values if not {name, option.id} & stated.keys() else ():
            _named_by_both(game, case, before, option, value.value)


def _named_by_both(game: str, case: Case, before: Ruling, option: Option, value: str) -> None:
    options = case.doc.options | {option.name: value}
    try:
        after = ruled(game, case, options=options)
    except DocumentError as error:
        assert option.id in str(error), (option.name, value)  # noqa: PT017  refused under this reading
        return
    if (after.state, after.ruling) != (before.state, before.ruling):
        assert before.options[option.name] == option.default
        assert ruled(game, case, hinges=True, options=options).options[option.name] == value
