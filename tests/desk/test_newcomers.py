"""Cards that are in no set, in games other than the duel: read by the examples of the others, or tapped."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2

from companion.bootstrap import new_header, seat_session, with_learned
from companion.desk.decks import Decks, is_back
from companion.desk.enrol_values import ELSEWHERE, printing_of
from companion.desk.newcomers import Newcomer, kinds_for
from companion.desk.strangers import Strangers, keeper
from companion.games import load_game
from companion.presenters.enrol import EnrolSet
from companion.print.mat import draw_mat
from companion.sets.faces import proxy_face
from companion.sets.owner import PROXIES, CardSet, load_set, proxy_set
from companion.sets.publish import format_set
from companion.simulated.lying import Laid
from companion.simulated.optics import Camera
from companion.simulated.rig import Rig
from companion.simulated.tables import BACK, _Cards
from companion.table.mat import game_mat
from companion.table.observation import Scene
from companion.table.records import Provenance
from tests.table.evenings import Memory
from vision.frame import Frame
from vision.table_reader import TableReader

SHARP = Rig(width=1920, height_px=1080, focal=1478.0, canvas_pixels_per_mm=3.6)


class Table:
    """A table whose camera knows only the cards of an owner's set; `lacking` are in the box and not in the set."""

    def __init__(self, game: str, folder: Path, lacking: tuple[str, ...], stated: Mapping[str, Any]) -> None:
        self.game, self.proxies = load_game(game), proxy_set(game)
        self.cards = owners_set(self.proxies, folder, lacking)
        self.mat = game_mat(self.game)
        faces = _Cards(self.proxies, round(2 * self.mat.card_size[0] * SHARP.canvas_pixels_per_mm))
        self._film = Camera(self.mat, draw_mat(self.mat, 2 * SHARP.canvas_pixels_per_mm), faces, 5, SHARP)
        header, self.store = new_header(self.game, ("Ada", "Bo"), self.cards, stated=stated), Memory()
        self.session = seat_session(header, self.store, (), self.cards)
        self.slots: dict[str, Laid | None] = {slot.key: None for slot in self.mat.slots}
        self.scene = Scene("camera", 0.0, ())
        self._count = 0
        self.open(self.cards)

    def open(self, cards: CardSet) -> None:
        """Let a camera begin that knows the cards of this set."""
        deck = Decks(Path("unused")).learn(cards)
        self.reader = TableReader(self.mat, deck)
        self.strangers = Strangers(self.reader, cards, (), keeper(cards))
        self.follow()

    def lay(self, **pieces: str) -> None:
        """Lay these cards beside those that should lie there, and let the camera look for a while."""
        lying = {slot: each.piece or BACK for slot, each in self.game.scene(self.session.position.state).items()}
        for slot, key in (lying | pieces).items():
            if slot in pieces or self.slots[slot] is None:
                self.slots[slot] = Laid(key, 0, 0.8, -0.6, 1.0)
        for _ in range(12):
            at = self._count * 0.2
            picture = self._film.picture(self.slots, at)
            self.scene = self.strangers.take(self.reader.read(Frame(picture, "camera", at, self._count)))
            self.session.observe(self.scene)
            self.follow()
            self._count += 1

    def follow(self) -> None:
        self.strangers.meet(self.game.scene(self.session.position.state))

    def meet(self) -> Newcomer:
        met = self.strangers.nameless
        assert met is not None, self.session.alarm
        return Newcomer(met, self.cards, kinds_for(met.slot, self.session.position, self.cards))

    def take_in(self, newcomer: Newcomer) -> str:
        """Do what the desk does when people say that the card is read rightly; return its key."""
        assert newcomer.problem == ""
        key, self.cards = newcomer.keep()
        document = with_learned(self.game.write(self.session.position), self.session.header, self.cards)
        assert self.session.declare(document, "it was shown", Provenance("touch")) == ""
        self.strangers.give(newcomer.met.label, key, -newcomer.turned % 4)
        return key

    def lies(self, slot: str) -> str:
        return self.game.scene(self.session.position.state)[slot].piece


def owners_set(proxies: CardSet, folder: Path, lacking: tuple[str, ...]) -> CardSet:
    """Write an owner's set in which some cards are missing and every other one has a picture."""
    folder.mkdir(parents=True)
    kept = {key: fields for key, fields in proxies.cards.items() if key not in lacking}
    text = format_set("Ours", proxies.game, "ours", kept, proxies.kinds, complete=False)
    (folder / "set.toml").write_text(text, encoding="utf-8")
    (folder / "layout.toml").write_bytes((PROXIES / proxies.game / "layout.toml").read_bytes())
    for key in kept:
        if proxies.kinds[key] != "die":
            cv2.imwrite(str(folder / f"{key}.jpg"), proxy_face(key, 400, proxies.game))
    return load_set(folder)


def put_right(newcomer: Newcomer, fields: Mapping[str, Any]) -> None:
    """Tap the values that are marked as doubtful; all others must be right."""
    printed = printing_of(newcomer.layout, fields)
    doubtful = {row.field for row in newcomer.model.rows if row.doubtful}
    for field, values in printed.items():
        if field not in doubtful:
            assert newcomer.shown[field] == values, field
        elif newcomer.layout.named(field).reads == "row":
            for value in reversed(newcomer.shown[field]):
                newcomer.change(EnrolSet(newcomer.model.key, field, 0, value))
            for value in values:
                newcomer.change(EnrolSet(newcomer.model.key, field, ELSEWHERE, value))
        else:
            newcomer.change(EnrolSet(newcomer.model.key, field, 0, values[0]))


def test_a_villager_and_a_penalty_in_no_set_are_read_and_dealt(tmp_path: Path) -> None:
    new = ("gnome-3", "penalty-5")
    table = Table("king_of_the_dice", tmp_path / "ours", new, {"starter": "A"})
    villagers = [key for key in table.cards.of_kind("villager") if key.startswith(("rich", "orc"))]
    for column, key in enumerate((*villagers[:2], new[0], *villagers[2:4]), 1):
        table.lay(**{f"V{column}": key})
        if key != new[0]:
            assert table.lies(f"V{column}") == key, table.session.alarm
            continue
        newcomer = table.meet()
        assert newcomer.kind == "villager"
        rows = {row.field: row for row in newcomer.model.rows}
        assert {"kind", "points", "colour"} <= set(rows)
        assert "parity" not in rows, "no gnome asks for even or odd numbers"
        put_right(newcomer, table.proxies.cards[new[0]])
        known = table.take_in(newcomer)
        assert table.cards.cards[known] == table.proxies.cards[new[0]]
        table.lay()
        assert table.lies("V3") == known
    table.lay(S2=new[1])
    newcomer = table.meet()
    assert newcomer.kind == "penalty"
    put_right(newcomer, table.proxies.cards[new[1]])
    penalty = table.take_in(newcomer)
    assert table.cards.cards[penalty] == table.proxies.cards[new[1]]
    table.lay()
    assert table.lies("S2") == penalty
    assert table.strangers.nameless is None, "the draw pile lies face down and is no new card"
    # The journal alone leads there again, with the set as it is now and with all that it has gained.
    again = seat_session(table.session.header, Memory(), tuple(table.store.entries), load_set(tmp_path / "ours"))
    assert again.position.state == table.session.position.state


def test_a_land_in_no_set_is_read_and_what_lies_face_down_is_told_once(tmp_path: Path) -> None:
    table = Table("vaalbara", tmp_path / "ours", ("forest-4",), {"clans": {"A": "bear", "B": "owl"}})
    table.lay(F1="forest-4")
    newcomer = table.meet()
    assert newcomer.kind == "land"
    put_right(newcomer, table.proxies.cards["forest-4"])
    known = table.take_in(newcomer)
    printed = {**table.proxies.cards["forest-4"], "signs": ()}  # they stand on the back
    assert {**table.cards.cards[known], "signs": ()} == printed
    table.lay()
    assert table.lies("F1") == known
    for slot, key in (("F2", "meadow-4"), ("S1", "river-1"), ("S2", "field-1")):
        table.lay(**{slot: key})
        assert table.lies(slot) == key, table.session.alarm

    table.lay(C1=BACK)
    met = table.strangers.nameless
    assert met is not None
    table.strangers.turn_down(met.label)
    table.lay(C2=BACK)
    assert table.strangers.nameless is None
    assert [table.scene.by_slot[slot].seen for slot in ("C1", "C2")] == ["hidden", "hidden"]
    assert [file.stem for file in (tmp_path / "ours").glob("*.jpg") if is_back(file.stem)] == ["back-1"]
    assert not table.session.alarm

    # Another evening: the back is known from its picture.
    table.open(load_set(tmp_path / "ours"))
    table.lay()
    assert table.strangers.nameless is None
    assert table.scene.by_slot["C1"].seen == "hidden"
