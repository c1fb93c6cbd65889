"""`companion score`: the score of a table in a file or a photograph."""

from __future__ import annotations

import json
import random
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.bootstrap import setup_for
from companion.cli import BadInput
from companion.cli.score import NotScorable, look_at_photo, what_lies
from companion.games import load_game
from companion.games.allies.photograph import position_of
from companion.sets.faces import proxy_face
from companion.simulated.cards import box_of
from companion.simulated.table import SimulatedTable
from companion.simulated.world import World
from companion.table.observation import Scene, Sighting
from vision.deck import Deck

from ..table.evenings import CARDS, SLOTS, card, plain, unsure
from .journals import run

GAME = load_game("allies")
SETUP = setup_for("allies", "reconciled", {}, ("A", "B"), CARDS)

TABLE = """
game: allies
seats: [Ada, Bo]
position:
  regions:
    1: {card: region-yeti-1, arrow: A}
    2: {card: castle-1, arrow: B}
    3: {card: region-golem-1, arrow: B}
  piles:
    A: [{card: region-troll-1, round: 1}, {card: castle-2, round: 2}]
    B: [{card: region-gnome-1, round: 1}]
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "table.yaml"
    file.write_text(TABLE)
    return file


def test_a_written_table_is_scored_as_a_tree_with_articles(table: Path) -> None:
    said = run("score", "allies", "--table", table)
    assert said.exit_code == 0, said.output
    lines = said.stdout.splitlines()
    assert lines[0].startswith("  2  Ada (AL-")
    assert any("region-troll-1, won in round 1" in line and "AL-93" in line for line in lines)
    assert any("castle-2, won in round 2" in line and "AL-94" in line for line in lines)
    assert any(line.startswith("  3  Bo (AL-") for line in lines)


def test_another_edition_or_option_gives_another_score(table: Path) -> None:
    table.write_text(TABLE.replace("seats:", "options: {castle_in_pile: two_minus_one}\nseats:"))
    scored = json.loads(run("score", "allies", "--table", table, "--json").stdout)
    assert scored["score"] == {"A": 4, "B": 3}
    assert scored["terms"][0]["parts"][1]["points"] == 1


def test_a_bare_position_is_a_table_too(tmp_path: Path) -> None:
    file = tmp_path / "bare.yaml"
    file.write_text("regions: {2: {card: region-yeti-2, arrow: B}}\n")
    assert json.loads(run("score", "allies", "--table", file, "--json").stdout)["score"] == {"A": 0, "B": 1}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("regions: {9: {card: castle-1}}", "regions"),
        ("rows: {A: {1: {card: yeti-06}, 2: {card: yeti-06}}}", "yeti-06 lies in two places"),
        ("- a\n- list\n", "expected a position"),
        ("position: {}\nedition: klingon\n", "klingon"),
        ("position: {}\ngame: whist\n", "whist"),
        ("position: {}\nseats: [Ada]\n", "found 1 players"),
        ("position: {}\ncolour: red\n", "colour"),
        ("regions: {2: {card: castle-1, arrow: up}}", "arrow"),
    ],
)
def test_a_table_that_does_not_fit_is_one_sentence_and_exit_2(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "table.yaml"
    file.write_text(text)
    said = run("score", "allies", "--table", file)
    assert said.exit_code == 2, said.output
    assert said.stdout == ""
    assert says in said.stderr
    assert len(said.stderr.strip().splitlines()) == 1


def test_neither_a_table_nor_a_photo_or_both_is_bad_input(table: Path) -> None:
    assert run("score", "allies").exit_code == 2
    assert run("score", "allies", "--table", table, "--photo", table).exit_code == 2


def test_an_unknown_game_and_a_file_that_is_no_picture_are_bad_input(table: Path) -> None:
    assert run("score", "whist", "--table", table).exit_code == 2
    said = run("score", "allies", "--photo", table)
    assert said.exit_code == 2
    assert "is not a picture" in said.stderr


def test_what_lies_on_the_mat_becomes_a_position_with_every_arrow_and_facing() -> None:
    rng = random.Random(4)
    world = World(box_of(CARDS), rng)
    for column in range(1, 6):
        world.deal_region(f"R{column}")
        world.turn(f"R{column}", rng.randrange(4))
    for seat in (0, 1):
        world.draw(seat, 5)
        for column, piece in enumerate(sorted(world.seats[seat].hand), 1):
            world.lay(seat, piece, f"{'AB'[seat]}{column}")
            world.turn(f"{'AB'[seat]}{column}", rng.randrange(4))
    seen = {slot: (laid.card, laid.turn) for slot, laid in world.slots.items() if laid is not None}
    position = GAME.open(position_of(seen, SETUP), SETUP)
    scene = GAME.scene(position.state)
    assert {slot: lying.piece for slot, lying in scene.items()} == {slot: piece for slot, (piece, _) in seen.items()}
    assert all(seen[slot][1] in lying.turns for slot, lying in scene.items())
    truth = world.truth()
    assert {"A": GAME.score(position.state)[0].points, "B": GAME.score(position.state)[1].points} == truth.score


def test_a_photograph_of_the_mat_is_read_with_every_card(tmp_path: Path) -> None:
    simulated = SimulatedTable(3)
    world, camera = World(box_of(CARDS), random.Random(9)), simulated._camera
    for column in range(1, 6):
        world.deal_region(f"R{column}")
    world.turn("R2", 1)
    world.draw(0, 5)
    world.lay(0, world.seats[0].hand[0], "A4")
    lying = {slot: laid for slot, laid in world.slots.items() if laid is not None}
    photo = tmp_path / "table.png"
    cv2.imwrite(str(photo), camera.picture(world.slots, 0.0))
    others = [key for key in CARDS.keys if key not in {laid.card for laid in lying.values()}][::12]
    keys = [*(laid.card for laid in lying.values()), *others]
    deck = Deck.from_faces({key: proxy_face(key, pixels=400, game="allies") for key in keys})
    scene = look_at_photo(GAME, photo, lambda: deck)
    seen, hidden = what_lies(scene)
    assert hidden == ()
    assert seen == {slot: (laid.card, laid.turn) for slot, laid in lying.items()}


def test_a_photograph_that_is_no_table_says_so(tmp_path: Path) -> None:
    photo = tmp_path / "holiday.png"
    cv2.imwrite(str(photo), np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8))
    deck = Deck.from_faces({"castle-1": proxy_face("castle-1", pixels=400, game="allies")})
    with pytest.raises(BadInput, match="no mat was found"):
        look_at_photo(GAME, photo, lambda: deck)


def scene_of(*sightings: Sighting, problem: str = "") -> Scene:
    lying = {each.slot: each for each in sightings}
    return Scene("camera", 0.0, tuple(lying.get(slot, Sighting(slot, "empty")) for slot in SLOTS), problem=problem)


@pytest.mark.parametrize(
    ("scene", "says"),
    [
        (scene_of(card("A1", plain("yeti")), card("A2", plain("yeti"))), "is seen in A1 and A2"),
        (scene_of(Sighting("R3", "unknown")), "the card in R3 cannot be read for sure"),
        (scene_of(unsure("A1", (plain("yeti"), 0.5), (plain("yeti", 1), 0.4))), f"perhaps {plain('yeti')} or"),
        (scene_of(problem="the card at A2 lies 30 mm beside its place"), "the card at A2 lies"),
    ],
)
def test_a_table_that_cannot_be_scored_says_why(scene: Scene, says: str) -> None:
    with pytest.raises(NotScorable, match=says):
        what_lies(scene)


def test_places_out_of_view_are_named() -> None:
    _, hidden = what_lies(scene_of(Sighting("R1", "hidden"), Sighting("B5", "hidden")))
    assert hidden == ("B5", "R1")
