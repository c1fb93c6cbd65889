"""Realm of Wonder: our own cards and tiles, what an owner's set may say, and games played with them."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from companion.bootstrap import find_set
from companion.games import load_game
from companion.games.realm_of_wonder.box import Quest, box_from
from companion.games.realm_of_wonder.pieces import COUNTER, MAGIC_CARDS, SPELLS, TOWER_TILES
from companion.games.realm_of_wonder.player import plausible
from companion.kernel import UNKNOWN, Answer, Chosen, Position, Revealed, Setup, advance
from companion.print.proxies_pdf import proxies_pdf
from companion.rulebook.load import load_rulebook
from companion.rulebook.options import resolve
from companion.sets.faces import face_size_mm, proxy_face
from companion.sets.form import load_form
from companion.sets.owner import PROXIES, SetError, load_set, proxy_set, standard_set

KEY = "realm_of_wonder"
GAME = load_game(KEY)
CARDS = proxy_set(KEY)
FOLDER = PROXIES / KEY
TEXT = (FOLDER / "set.toml").read_text(encoding="utf-8")


def setup(seats: int, cards: object) -> Setup:
    return Setup(resolve(load_rulebook(KEY)), tuple("ABCDEF"[:seats]), cards)  # type: ignore[arg-type]


def written(folder: Path, text: str) -> Path:
    (folder / "set.toml").write_text(text, encoding="utf-8")
    return folder


def without(kind: str, number: int, text: str = TEXT) -> str:
    """The set without so many pieces of a kind, the last ones."""
    tables = text.split("[[")
    places = [index for index, table in enumerate(tables) if table.startswith(f"{kind}]]")]
    return "[[".join(table for index, table in enumerate(tables) if index not in places[-number:])


def test_the_proxies_hold_what_the_box_holds() -> None:
    counts = Counter(CARDS.kinds.values())
    assert counts == {"movement": 50, "magic": MAGIC_CARDS, "quest": 5, "tile": TOWER_TILES}
    speeds = [card["speed"] for card in CARDS.of_kind("movement").values()]
    assert sorted(speeds) == list(range(1, 51))
    specials = Counter(card["special"] for card in CARDS.of_kind("movement").values())
    assert set(specials) == {"none", "ability", "magic", "whirlpool", "points"}
    assert {card["spell"] for card in CARDS.of_kind("magic").values()} == {*SPELLS, COUNTER}
    assert 0 < sum(card["muscle"] for card in CARDS.of_kind("magic").values()) < MAGIC_CARDS


def test_the_form_counts_what_the_rulebook_says_is_in_the_box() -> None:
    form = load_form(KEY) or {}
    numbers = {kind: [(count.number, count.article) for count in each.count] for kind, each in form.items()}
    assert numbers["movement"] == [(50, "RW-03")]
    assert numbers["magic"] == [(55, "RW-04")]
    assert numbers["quest"] == [(5, "RW-05")]
    assert numbers["tile"] == [(36, "RW-09"), (3, "RW-139"), (2, "RW-140")]


def test_no_two_pieces_look_alike_and_each_has_its_size() -> None:
    faces = {key: proxy_face(key, 60, KEY) for key in CARDS.keys}
    small = [(key, face.astype(np.int16)) for key, face in faces.items()]
    for number, (key, face) in enumerate(small):
        width, height = face_size_mm(key, KEY)
        assert face.shape[0] == round(60 * height / width), key
        for other, twin in small[number + 1 :]:
            assert face.shape != twin.shape or np.abs(face - twin).mean() > 2, (key, other)


def test_all_pieces_are_printed_once() -> None:
    drawn: list[int] = []
    printed = proxies_pdf(KEY, "a4", lambda number, of: drawn.append(number))
    assert drawn == list(range(1, 147))
    assert printed.pages == 8  # sixteen cards on a sheet, and the tiles on one of their own


def test_a_table_that_names_no_set_is_asked_what_its_cards_say() -> None:
    assert not standard_set(KEY).cards
    assert not find_set(KEY, None).cards


def test_a_folder_may_hold_a_set_a_map_or_both(tmp_path: Path) -> None:
    both = find_set(KEY, FOLDER)
    assert both.kinds["board"] == "board"
    assert both.kinds["move-01"] == "movement"
    pieces = find_set(KEY, written(tmp_path, TEXT))
    assert "board" not in pieces.cards
    assert pieces.digest == CARDS.digest != both.digest
    shutil.copy(FOLDER / "board.toml", tmp_path)
    assert find_set(KEY, tmp_path).digest == both.digest


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (without("movement", 1), r"found 49 movement cards, expected 50 \(RW-03\); add the missing ones"),
        (TEXT.replace('tile = "eye"', 'tile = "orb"', 1), r"found 4 magic orbs, expected 3 \(RW-139\); take out"),
        (TEXT.replace('tile = "cursed"', 'tile = "knight"', 1), r"found 1 cursed orbs, expected 2 \(RW-140\)"),
        (TEXT.replace("speed = 7\n", "speed = 0\n"), r"speed: expected a number from 1 to 99, found 0"),
        (TEXT.replace('spell = "wish"', 'spell = "hope"', 1), r'spell: "hope" is no spell; expected one of: cannon'),
        (TEXT.replace('quest = "hoard"', 'quest = "gold"'), r'quest: "gold" is no quest; expected one of: forts'),
        (TEXT + '[[battle-die]]\nkey = "battle-die"\nfaces = ["1", "2"]\n', "faces: expected 6 values, found 2"),
    ],
)
def test_a_set_that_does_not_fit_the_box_is_refused_in_one_sentence(tmp_path: Path, text: str, says: str) -> None:
    assert text != TEXT
    with pytest.raises(SetError, match=says):
        load_set(written(tmp_path, text))


def test_the_box_knows_from_a_whole_set_how_many_there_are_of_each(tmp_path: Path) -> None:
    box = box_from(CARDS.cards)
    assert sum(box.magic.values()) == MAGIC_CARDS
    assert sum(box.tiles.values()) == TOWER_TILES
    assert box.left(COUNTER, (COUNTER,) * 7) == 0
    assert box.quests["quest-4"] == Quest("hoard", 25)
    cut = without("tile", 2, without("magic", 1, TEXT)).replace("standard", "complete = false\nstandard", 1)
    part = box_from(load_set(written(tmp_path, cut)).cards)
    assert part.left(COUNTER, (COUNTER,) * 7) is UNKNOWN
    assert part.tiles == {"orb": 3, "cursed": 2}


def test_an_owners_battle_die_and_names_of_quests_are_taken(tmp_path: Path) -> None:
    text = TEXT.replace('key = "quest-1"', 'key = "many-forts"')
    text += '[[battle-die]]\nkey = "battle-die"\nfaces = ["1", "2", "p2", "3", "4", "4"]\n'
    cards = load_set(written(tmp_path, text))
    assert box_from(cards.cards).die == ("1", "2", "p2", "3", "4", "4")
    start = GAME.start(setup(2, cards.cards))
    assert start.question is not None
    at = advance(start, Answer(start.question.key, next(iter(start.question.domain))))
    assert isinstance(at, Position)
    assert at.question is not None
    assert Revealed(("many-forts",)) in at.question.domain
    drawn = advance(at, Answer("quest", Revealed(("many-forts",))))
    assert isinstance(drawn, Position)
    assert drawn.state.quest == Quest("forts", 4)


def test_a_counter_spell_of_which_every_card_was_seen_is_not_offered() -> None:
    document = {
        "due": "spells",
        "gone": [COUNTER] * 7,
        "players": {"A": {"speed": 1, "magic": 2}, "B": {"speed": 2, "magic": 2}},
    }
    for cards, offered in ((CARDS.cards, False), ({}, True)):
        at = advance(GAME.open(document, setup(2, cards)), Answer("plus-three", Chosen(("A",))))
        assert isinstance(at, Position)
        assert any(offer.key == "counter 1" for offer in at.offers) is offered


@pytest.mark.parametrize("seats", [2, 4, 6])
@pytest.mark.parametrize("with_map", [True, False])
def test_a_whole_game_is_played_with_our_own_cards(seats: int, with_map: bool) -> None:
    cards = find_set(KEY, FOLDER) if with_map else CARDS
    rng = random.Random(f"{seats} {with_map}")
    at = GAME.start(setup(seats, cards.cards))
    keys: Counter[str] = Counter()
    for _ in range(5000):
        if at.is_over:
            break
        answer = plausible(at, rng.choice)
        after = advance(at, answer)
        assert isinstance(after, Position), (answer, after)
        at = after
        keys[answer.to.split()[0]] += 1
    assert at.is_over
    assert keys["card"] >= seats
    assert not keys["special"]
    assert not keys["track"]
