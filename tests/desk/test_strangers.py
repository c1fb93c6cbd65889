"""Cards that nobody photographed, met in play: followed, named once, scored rightly, and enrolled from then on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from companion.bootstrap import new_header, seat_session, with_learned
from companion.desk.enrol_values import fields_of
from companion.desk.newcomers import Newcomer, kinds_for
from companion.desk.strangers import Picture, Strangers
from companion.kernel import Position
from companion.print.mat import draw_mat
from companion.sets.faces import proxy_face
from companion.sets.form import load_form
from companion.sets.owner import PROXIES, CardSet, load_set
from companion.sets.publish import format_set
from companion.simulated.lying import Laid
from companion.simulated.optics import Camera
from companion.simulated.rig import Rig
from companion.simulated.table import ProxyFaces
from companion.table.mat import game_mat
from companion.table.observation import Scene, Touch
from companion.table.records import Provenance
from companion.table.session import Session
from tests.table import evenings
from tests.table.evenings import CARDS, GAME, NAMES, REGIONS, Memory, Table, card, plain, table, with_symbols
from vision.deck import Deck
from vision.frame import Frame
from vision.match import read_patch
from vision.table_reader import TableReader

MAT = game_mat(GAME)
FIRST, SECOND = plain("cyclops", 3), plain("wizard", 2)
"""The two cards that no picture was taken of."""
TURNER = with_symbols("cyclops", 1)
PLAIN, WIZARDS = plain("cyclops", 0), (plain("wizard", 0), plain("wizard", 1))
KNOWN = (*REGIONS, PLAIN, *WIZARDS, TURNER, *list(CARDS.of_kind("tribe"))[50:60])


class Filmed:
    """A session that sees by the camera alone, and the cards that lie before it."""

    def __init__(
        self, folder: Path, unseen: tuple[str, ...], known: tuple[str, ...] = KNOWN, cards: CardSet = CARDS
    ) -> None:
        rig = Rig()
        faces = ProxyFaces(CARDS, round(2 * MAT.card_size[0] * rig.canvas_pixels_per_mm))
        self._camera = Camera(MAT, draw_mat(MAT, 2 * rig.canvas_pixels_per_mm), faces, 11, rig)
        self._folder = folder
        deck = Deck.from_faces({key: proxy_face(key, 400) for key in known if key not in unseen})
        self.reader = TableReader(MAT, deck)
        self.strangers = Strangers(self.reader, cards, unseen, self._keep)
        self.table = table() if cards is CARDS else Table(*self._seated(cards))
        self.slots: dict[str, Laid | None] = {slot.key: None for slot in MAT.slots}
        self.scene = Scene("camera", 0.0, ())
        self._count = 0

    def _seated(self, cards: CardSet) -> tuple[Session, Memory]:
        header, store = new_header(GAME, NAMES, cards, stated={"starter": "A"}), Memory()
        return seat_session(header, store, (), cards), store

    def _keep(self, key: str, face: Picture) -> None:
        cv2.imwrite(str(self._folder / f"{key}.jpg"), face)

    def lay(self, slot: str, piece: str, turn: int | None = None) -> None:
        laid = 2 if slot[0] == "B" else 1 if slot[0] == "R" else 0
        self.slots[slot] = Laid(piece, laid if turn is None else turn, 1.5, -1.0, 2.0)
        self.look()

    def look(self, seconds: float = 2.4) -> None:
        """Let the camera look for a while; the session hears what it would in play."""
        for _ in self._frames(seconds):
            self.table.session.observe(self.scene)
            self.strangers.meet(GAME.scene(self.table.session.position.state))

    def _frames(self, seconds: float) -> Iterator[None]:
        for _ in range(round(seconds * 5)):
            at = self._count * 0.2
            picture = self._camera.picture(self.slots, at)
            self.scene = self.strangers.take(self.reader.read(Frame(picture, "camera", at, self._count)))
            self._count += 1
            yield

    def say(self, piece: str) -> None:
        """Tap the choice that names a card."""
        says = [choice.says for choice in self.table.session.choices]
        number = next(number for number, text in enumerate(says) if piece in text)
        self.table.session.observe(Touch("screen", self._count * 0.2, choice=number))
        self.look()

    @property
    def position(self) -> Position:
        return self.table.session.position


@pytest.fixture
def filmed(tmp_path: Path) -> Filmed:
    return Filmed(tmp_path, (FIRST, SECOND))


def test_cards_that_were_never_photographed_are_followed_named_once_and_enrolled(
    filmed: Filmed, tmp_path: Path
) -> None:
    oracle = table()
    for column, region in enumerate(REGIONS, 1):
        filmed.slots[f"R{column}"] = Laid(region, 1)
        oracle.see(**{f"R{column}": card(f"R{column}", region, 1)})
    filmed.look()

    filmed.lay("A3", FIRST)
    doubt = filmed.table.session.doubt
    assert doubt is not None, filmed.table.session.alarm
    assert "card 1" in {each.piece for each in filmed.scene.by_slot["A3"].candidates}
    assert FIRST in doubt.choices[0].says  # its kin have its colours
    filmed.say(FIRST)
    oracle.see(A3=card("A3", FIRST))
    assert filmed.position.state == oracle.session.position.state
    assert filmed.scene.by_slot["A3"].piece == FIRST

    for slot, piece in (("B3", WIZARDS[0]), ("A4", PLAIN), ("B2", WIZARDS[1])):
        filmed.lay(slot, piece)
        oracle.see(**{slot: card(slot, piece)})
    filmed.lay("A2", TURNER)
    oracle.see(A2=card("A2", TURNER))
    # The stranger is turned by one quarter, counter-clockwise; nobody ever enrolled its face.
    filmed.lay("A3", FIRST, turn=3)
    oracle.see(A3=card("A3", FIRST, 3))
    assert filmed.scene.by_slot["A3"].turn == 3
    filmed.lay("B4", SECOND)
    assert filmed.table.session.doubt is not None, "even the last unseen card is asked about"
    filmed.say(SECOND)
    oracle.see(B4=card("B4", SECOND))
    assert oracle.session.doubt is None

    assert filmed.position.state == oracle.session.position.state
    assert [term.points for term in GAME.score(filmed.position.state)] == [
        term.points for term in GAME.score(oracle.session.position.state)
    ]
    touched = [entry for entry in filmed.table.store.entries if getattr(entry, "source", "") == "touch"]
    assert [FIRST in entry.reply for entry in touched] == [True, False], touched
    assert SECOND in touched[1].reply

    learned = Deck.from_folder(tmp_path)
    assert set(learned.labels) == {FIRST, SECOND}
    for key in (FIRST, SECOND):
        face = cv2.copyMakeBorder(proxy_face(key, 400), 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(90,) * 3)
        reading = read_patch(face, learned)
        assert reading is not None
        assert (reading.label, reading.quadrant) == (key, 0)


def test_a_card_that_is_taken_for_its_look_alike_is_asked_about_while_one_of_them_has_no_picture(
    tmp_path: Path,
) -> None:
    pair = ("yeti-08", "yeti-19")
    filmed = Filmed(tmp_path, (pair[1],), (*KNOWN, pair[0]))
    for column, region in enumerate(REGIONS, 1):
        filmed.slots[f"R{column}"] = Laid(region, 1)
    filmed.look()
    filmed.lay("A3", pair[1])
    assert filmed.table.session.doubt is not None
    filmed.say(pair[1])
    filmed.look()
    assert (tmp_path / f"{pair[1]}.jpg").exists()
    assert filmed.scene.by_slot["A3"].piece == pair[1]
    assert evenings.GAME.scene(filmed.position.state)["A3"].piece == pair[1]


def test_a_card_that_is_in_no_set_is_read_said_once_and_of_the_set_from_then_on(tmp_path: Path) -> None:
    """The owner's set lacks a card altogether; the examples of the others are enough to read it."""
    owner = tmp_path / "allies"
    owner.mkdir()
    fields = {key: dict(each) for key, each in CARDS.cards.items() if key != FIRST}
    fields = {key: {**each, "look_alike": ""} if "look_alike" in each else each for key, each in fields.items()}
    text = format_set("Ours", "allies", "ours", fields, CARDS.kinds, complete=False)
    (owner / "set.toml").write_text("# written by hand\n" + text, encoding="utf-8")
    (owner / "layout.toml").write_bytes((PROXIES / "allies" / "layout.toml").read_bytes())
    examples = (*KNOWN, *[key for key in list(CARDS.of_kind("tribe"))[::4] if key != FIRST])
    for key in examples:
        cv2.imwrite(str(owner / f"{key}.jpg"), proxy_face(key, 400))
    cards = load_set(owner)

    filmed = Filmed(owner, (), tuple(dict.fromkeys(examples)), cards)
    for column, region in enumerate(REGIONS, 1):
        filmed.slots[f"R{column}"] = Laid(region, 1)
    filmed.look()
    filmed.lay("A3", FIRST)
    met = filmed.strangers.nameless
    assert met is not None
    assert (met.label, met.slot) == ("card 1", "A3")
    newcomer = Newcomer(met, cards, kinds_for(met.slot, filmed.position, cards))
    assert (newcomer.kind, newcomer.turned) == ("tribe", 0)
    read = fields_of(newcomer.layout, load_form("allies")["tribe"], newcomer.shown)
    assert {name: read[name] for name in read} == {name: CARDS.cards[FIRST][name] for name in read}

    key, grown = newcomer.keep()
    session = filmed.table.session
    document = with_learned(GAME.write(session.position), session.header, grown)
    assert session.declare(document, "card 1 was shown", Provenance("touch")) == ""
    filmed.strangers.give(met.label, key, -newcomer.turned % 4)
    filmed.look()
    assert filmed.scene.by_slot["A3"].piece == key
    assert "# written by hand" in (owner / "set.toml").read_text(encoding="utf-8")
    assert grown.cards[key]["sectors"] == CARDS.cards[FIRST]["sectors"]
    assert grown.pictures[key] is not None
    entries = tuple(filmed.table.store.entries)
    assert key in entries[-1].reply if hasattr(entries[-1], "reply") else key in entries[-1].position
    # The game is opened again with the set that has grown since.
    again = seat_session(session.header, Memory(entries), entries, load_set(owner))
    assert again.position.state == session.position.state
