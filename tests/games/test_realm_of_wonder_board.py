"""The board file: what it must be, how the discs turn the graph, and games walked on the proxies' board."""

from __future__ import annotations

import copy
import json
import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.bootstrap import find_set, new_header, opener
from companion.games import load_game
from companion.games.realm_of_wonder.board import board_from
from companion.games.realm_of_wonder.effects.figures import Walked
from companion.games.realm_of_wonder.pieces import CHARACTERS, TOWER_TILES
from companion.games.realm_of_wonder.player import plausible
from companion.kernel import NotationError, Position, Setup, advance
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.sets.owner import PROXIES, SetError

PROXY_TEXT = (PROXIES / "realm_of_wonder" / "board.toml").read_text(encoding="utf-8")
DOCUMENT = tomllib.loads(PROXY_TEXT)
BOARD = board_from(DOCUMENT)


def changed(**fields: Any) -> dict[str, Any]:
    return {**copy.deepcopy(DOCUMENT), **fields}


def test_the_proxies_board_has_a_house_for_each_character_and_a_tower_for_each_tile() -> None:
    assert {BOARD.spaces[place].region for place in BOARD.of("house")} == set(CHARACTERS)
    assert len(BOARD.of("tower")) == TOWER_TILES
    assert BOARD.home("yeti") == "yeti-house"
    assert len(BOARD.of("castle")) == 1


@pytest.mark.parametrize("middle", CHARACTERS)
@pytest.mark.parametrize("innermost", CHARACTERS)
def test_the_castle_can_be_reached_from_every_house_however_the_discs_stand(middle: str, innermost: str) -> None:
    edges = BOARD.edges(middle, innermost)
    reached, open_ = {"castle"}, ["castle"]
    while open_:
        for place, barrier in edges[open_.pop()].items():
            if not barrier and place not in reached:
                reached.add(place)
                open_.append(place)
    assert set(BOARD.of("house")) <= reached


def test_turning_a_disc_turns_what_meets_what_and_nothing_else() -> None:
    before, after = BOARD.edges("wizard", "wizard"), BOARD.edges("golem", "wizard")
    assert "ring-1-gate" in before["wizard-path"]
    assert "ring-1-gate" in after["golem-path"]
    assert "ring-1-gate" not in after["wizard-path"]
    assert "ring-6-gate" in after["wizard-path"]
    within = {key for key in before["ring-1-well"] if key.startswith("ring")}
    assert within == {key for key in after["ring-1-well"] if key.startswith("ring")}
    # The innermost disc was not turned, so against the middle one it stands a sixth back.
    assert "island-1" in before["ring-1-bridge"]
    assert "island-1" in after["ring-6-bridge"]


def test_an_edge_goes_both_ways() -> None:
    for middle, innermost in (("wizard", "golem"), ("gnome", "yeti")):
        edges = BOARD.edges(middle, innermost)
        assert all(edges[there][here] == barrier for here in edges for there, barrier in edges[here].items())


SPACES = DOCUMENT["spaces"]
RIMS = DOCUMENT["rims"]


@pytest.mark.parametrize(
    ("document", "says"),
    [
        (changed(spaces=[*SPACES, SPACES[0]]), "the space wizard-path is listed twice"),
        (changed(spaces=[*SPACES, {"key": "x", "disc": "outer", "kind": "house"}]), "x is a house without a region"),
        (
            changed(spaces=[*SPACES, {"key": "x", "disc": "outer", "kind": "house", "region": "yeti"}]),
            "the region of the yeti has two houses",
        ),
        (
            changed(spaces=[*SPACES, {"key": "x", "disc": "outer", "kind": "castle"}]),
            "x: the castle stands on the innermost disc, found outer",
        ),
        (changed(spaces=[{"key": "a b", "disc": "outer"}]), "matching regex"),
        (changed(spaces=[{"key": "a", "disc": "moon"}]), r"Invalid enum value 'moon' - at `\$.spaces\[0\].disc`"),
        (changed(edges=[["castle", "moon"]]), "edges: there is no space moon"),
        (changed(edges=[["castle", "wizard-path"]]), "castle and wizard-path are on two discs"),
        (changed(edges=[["castle", "island-1", "fence"]]), "Invalid enum value 'fence'"),
        (changed(regions=["yeti"] * 6), "regions: found yeti, yeti"),
        (changed(rims={**RIMS, "outer": RIMS["outer"][:10]}), "outer has 10 pieces and middle_outside 12"),
        (changed(rims={**RIMS, "innermost": [["castle"]] * 5}), "middle_inside has 6 pieces and innermost 5"),
        (changed(rims={**RIMS, "innermost": [["ring-1-gate"]] * 6}), "ring-1-gate is no space of the innermost disc"),
    ],
)
def test_a_file_that_is_no_board_is_refused_with_its_field(document: dict[str, Any], says: str) -> None:
    with pytest.raises(NotationError, match=says):
        board_from(document)


def test_games_walked_on_the_map_hold_the_laws() -> None:
    rulebook, game = load_rulebook("realm_of_wonder"), load_game("realm_of_wonder")
    walked = 0
    for seed in range(4):
        rng = random.Random(seed)
        explicit = {o.name: rng.choice(o.values).value for o in rulebook.options.values() if rng.random() < 0.25}
        setup = Setup(resolve(rulebook, explicit=explicit), tuple("ABCDEF"[: 2 + seed]), {"board": DOCUMENT})
        at = game.start(setup)
        for _ in range(250):
            if at.is_over:
                break
            before = at.state
            after = advance(at, plausible(at, rng.choice))
            assert isinstance(after, Position), (seed, after)
            at = after
            for ruled in at.told:
                if isinstance(ruled.effect, Walked) and before.walk is not None:
                    here = before.players[ruled.effect.seat].at
                    barrier = BOARD.edges(str(before.middle), str(before.innermost))[here][ruled.effect.place]
                    going = before.goings[ruled.effect.seat]
                    assert barrier == "" or (barrier == "wall" and (going.balloon or going.running == "golem"))
                    walked += 1
            again = game.open(json.loads(json.dumps(game.write(at))), setup)
            assert again.state == at.state
            assert again.agenda == at.agenda
    assert walked > 100


def written(folder: Path, text: str) -> Path:
    (folder / "board.toml").write_text(text, encoding="utf-8")
    return folder


def test_an_owners_board_file_is_walked_on_in_a_game_of_the_owners_folder(tmp_path: Path) -> None:
    cards = find_set("realm_of_wonder", written(tmp_path, PROXY_TEXT))
    header = new_header(load_game("realm_of_wonder"), ("A", "B"), cards, folder=tmp_path)
    at = opener(load_game("realm_of_wonder"), find_set("realm_of_wonder", tmp_path))(header)
    assert at.state.board is not None
    assert at.state.board.home("gnome") == "gnome-house"
    assert header.set_digest == cards.digest


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        ('kind = "house"', 'kind = "hose"', r"board.toml:10: spaces\[1\].kind: invalid enum value 'hose'"),
        ('key = "wizard-house"', 'key = "wizard-path"', r"board.toml:10: the space wizard-path is listed twice"),
        ('["wizard-tower-4", "golem-well", "wall"]', '["wizard-tower-4", "moon"]', r"edges: there is no space moon"),
        ('regions = ["wizard"', 'regions = ["golem"', r"board.toml:5: regions: found golem, golem"),
        ("spaces = [", "spaces = {", r"board.toml: this is not TOML.*line 7"),
    ],
)
def test_a_fault_in_an_owners_board_file_is_told_with_line_and_field(
    tmp_path: Path, was: str, becomes: str, says: str
) -> None:
    text = PROXY_TEXT.replace(was, becomes, 1)
    assert text != PROXY_TEXT
    with pytest.raises(SetError, match=says):
        find_set("realm_of_wonder", written(tmp_path, text))


def test_the_line_of_an_edge_is_that_of_the_edge(tmp_path: Path) -> None:
    was = '["wizard-tower-4", "golem-well", "wall"]'
    line = PROXY_TEXT[: PROXY_TEXT.index(was)].count("\n") + 1
    for becomes in ('["wizard-tower-4", "golem-well", "fence"]', '["wizard-tower-4", "moon"]'):
        with pytest.raises(SetError, match=rf"^board.toml:{line}: edges"):
            find_set("realm_of_wonder", written(tmp_path, PROXY_TEXT.replace(was, becomes)))


def test_a_folder_without_a_board_file_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(SetError, match=r"the map of a board is a board\.toml in the folder"):
        find_set("realm_of_wonder", tmp_path)
