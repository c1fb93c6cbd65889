"""A whole game behind the screens: what is published of it, and what a tap does to it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from companion.journal.file import read_journal
from companion.journal.read import is_finished
from companion.presenters.desk import Answer, Correct, Leave, Resume, ShowCorrection, ShowFinal, ShowHome, Undo
from companion.presenters.models import CorrectModel, FinalModel, HomeModel, LiveModel, NoticeModel
from companion.table.observation import Candidate, DiceSeen, Scene, Sighting
from tests.desk.parts import Evening, Screen, TestRoom, plain_card, scene


def deal(screen: Screen, room: TestRoom, **lying: str) -> dict[str, str]:
    """Begin with seat 0 and let five region cards be dealt and `lying` be laid; return what lies there."""
    screen.begin(starter=0)
    keys = list(room.cards("allies")[0].of_kind("region"))[:5]
    table = {f"R{column}": f"{key}/1" for column, key in enumerate(keys, 1)}
    look(screen, room, table)
    if lying:
        look(screen, room, table | lying)
    return table | lying


def look(screen: Screen, room: TestRoom, lying: dict[str, str], at: float = 1.0) -> LiveModel:
    room.oracle.observe(scene(at, **lying))
    return screen.settle()


def first_card(room: TestRoom, tribe: str = "yeti", number: int = 0) -> str:
    return plain_card(room.cards("allies")[0], tribe, number)


@pytest.mark.parametrize("seed", [3, 11])
def test_a_whole_game_is_followed_to_the_score_that_the_players_count(
    screen: Screen, room: TestRoom, seed: int
) -> None:
    live = screen.begin()
    night = Evening(seed)
    for observation in night:
        room.oracle.observe(observation)
        screen.settle()  # a table's loop leaves out scenes that newer ones have overtaken
    live = screen.wait(LiveModel, lambda model: model.finished)
    truth = night.world.truth().score
    assert [player.score for player in live.players] == [truth["A"], truth["B"]]
    final = screen.ask(ShowFinal(live.game), FinalModel)
    assert [tree.points for tree in final.trees] == [truth["A"], truth["B"]]
    assert final.winner == night.world.winner()
    for tree in final.trees:
        assert tree.points == sum(child.points for child in tree.children)
    assert is_finished(read_journal(room.home / "games" / live.game).entries)
    assert not screen.ask(ShowHome(), HomeModel).resumes


def test_the_board_the_feed_and_the_reason_follow_each_card(screen: Screen, room: TestRoom) -> None:
    card = first_card(room)
    deal(screen, room, A3=f"{card}/0")
    live = screen.live
    assert live.board.cell("A3").title == card
    assert (live.feed[0].source, card in live.feed[0].says) == ("camera", True)
    assert card in live.undo
    assert live.why is not None
    assert any(cite.text for link in live.why.links for cite in link.cites)
    assert live.prompt.seat == 1
    assert room.lamps.shown[-1].turn == 1


def test_a_tap_takes_back_the_act_that_the_screen_named_and_no_other(screen: Screen, room: TestRoom) -> None:
    card = first_card(room)
    deal(screen, room, A3=f"{card}/0")
    live = screen.live
    refused = screen.ask(Undo(live.game, "some other act"), NoticeModel)
    assert card in refused.says
    assert screen.settle().board.cell("A3").title == card
    undone = screen.ask(Undo(live.game, live.undo), LiveModel, lambda model: model.undo != live.undo)
    assert undone.board.cell("A3").kind == "empty"
    # The same tap again names what is gone already.
    assert screen.ask(Undo(live.game, live.undo), NoticeModel).tone == "refused"


def test_a_misread_card_is_put_right_in_two_intents(screen: Screen, room: TestRoom) -> None:
    read, real = first_card(room), first_card(room, number=1)
    table = deal(screen, room)
    seen = scene(2.0, **table)
    candidates = (Candidate(read, 0.6), Candidate(real, 0.4))
    sightings = tuple(
        Sighting("A3", "known", read, 0, confidence=0.9, candidates=candidates) if s.slot == "A3" else s
        for s in seen.sightings
    )
    room.oracle.observe(Scene("oracle", 2.0, sightings))
    live = screen.settle()
    assert live.board.cell("A3").title == read

    plan = screen.ask(ShowCorrection(live.game, "A3"), CorrectModel)
    likeliest = next(option for option in plan.options if option.kind == "piece")
    assert (likeliest.title, likeliest.share) == (real, 40)
    assert likeliest.effect
    right = screen.ask(
        Correct(live.game, "A3", likeliest.number), LiveModel, lambda model: model.board.cell("A3").title == real
    )
    assert real in right.undo
    assert read_journal(room.home / "games" / live.game).entries[-1].source == "touch"


def test_a_card_that_was_turned_since_can_still_be_read_as_another_one(screen: Screen, room: TestRoom) -> None:
    cards = room.cards("allies")[0].cards
    plain = (key for key, card in cards.items() if card["tribe"] == "yeti" and not card["symbols"])
    read = next(key for key in plain if not cards[key]["diamond"] and cards[key]["arrow"] < 4)
    turner = next(key for key, card in cards.items() if card["tribe"] == "yeti" and card["symbols"] == (1,))
    table = deal(screen, room, A2=f"{read}/0")
    table |= {"B1": f"{first_card(room, 'gnome')}/2"}
    look(screen, room, table, 2.0)
    table |= {"A3": f"{turner}/0", "A2": f"{read}/3"}
    live = look(screen, room, table, 3.0)
    assert (live.board.cell("A2").title, live.board.cell("A2").arrow) == (read, 3)

    plan = screen.ask(ShowCorrection(live.game, "A2"), CorrectModel)
    option = next(option for option in plan.options if option.kind == "piece" and not option.breaks)
    right = screen.ask(
        Correct(live.game, "A2", option.number), LiveModel, lambda model: model.board.cell("A2").title == option.title
    )
    assert right.board.cell("A2").arrow == 3
    assert right.board.cell("A3").title == turner


def test_a_correction_that_was_shown_before_the_table_changed_is_not_carried_out(
    screen: Screen, room: TestRoom
) -> None:
    read = first_card(room)
    table = deal(screen, room, A3=f"{read}/0")
    game = screen.live.game
    plan = screen.ask(ShowCorrection(game, "A3"), CorrectModel)
    option = next(option for option in plan.options if option.kind == "piece")
    look(screen, room, table | {"B3": f"{first_card(room, 'gnome')}/2"}, at=3.0)
    assert screen.ask(Correct(game, "A3", option.number), NoticeModel).tone == "refused"
    assert screen.settle().board.cell("A3").title == read


def test_a_doubt_is_settled_by_one_tap_and_a_stale_tap_changes_nothing(screen: Screen, room: TestRoom) -> None:
    one, other = first_card(room), first_card(room, number=1)
    table = deal(screen, room)
    seen = scene(2.0, **table)
    candidates = (Candidate(one, 0.52), Candidate(other, 0.48))
    doubtful = Sighting("A2", "unsure", one, 0, confidence=0.52, candidates=candidates)
    room.oracle.observe(Scene("oracle", 2.0, tuple(doubtful if s.slot == "A2" else s for s in seen.sightings)))
    live = screen.settle()
    assert (live.prompt.kind, len(live.prompt.choices)) == ("doubt", 2)
    assert live.board.cell("A2").state == "unsure"
    choice = next(c for c in live.prompt.choices if c.cell is not None and c.cell.title == other)
    answer = Answer(live.game, live.prompt.key, choice.number)
    settled = screen.ask(answer, LiveModel, lambda model: model.board.cell("A2").title == other)
    assert settled.prompt.kind != "doubt"
    entries = len(read_journal(room.home / "games" / live.game).entries)
    assert screen.ask(answer, NoticeModel).tone == "refused"
    assert len(read_journal(room.home / "games" / live.game).entries) == entries


def test_dice_in_the_tray_are_the_feeds_newest_line(screen: Screen, room: TestRoom) -> None:
    screen.begin()
    keys = list(room.cards("allies")[0].of_kind("region"))[:5]
    room.oracle.observe(scene(1.0, **{f"R{column}": f"{key}/1" for column, key in enumerate(keys, 1)}))
    room.oracle.observe(DiceSeen("oracle", 2.0, ("2", "5")))
    live = screen.settle()
    assert live.feed[0].source == "dice"
    assert live.prompt.seat == 1


def test_a_game_that_was_left_goes_on_where_it_was(screen: Screen, room: TestRoom) -> None:
    card = first_card(room)
    deal(screen, room, A3=f"{card}/0")
    live = screen.live
    screen.submit(Leave(live.game))
    home = screen.ask(ShowHome(), HomeModel, lambda model: model.resumes)
    assert home.resumes[0].players == "Ann and Bo"
    again = screen.ask(Resume(home.resumes[0].journal), LiveModel)
    assert replace(again, why=None, feed=(), reminders=(), prompt=live.prompt, board=live.board) == replace(
        live, why=None, feed=(), reminders=()
    )
    assert again.board.cell("A3").title == card


def test_a_tap_for_a_game_that_was_left_changes_nothing(screen: Screen, room: TestRoom) -> None:
    deal(screen, room, A3=f"{first_card(room)}/0")
    live = screen.live
    screen.submit(Leave(live.game))
    screen.ask(ShowHome(), HomeModel, lambda model: model.resumes)
    before = read_journal(room.home / "games" / live.game).entries
    assert screen.ask(Undo(live.game, live.undo), NoticeModel).tone == "refused"
    assert read_journal(room.home / "games" / live.game).entries == before


def test_devices_are_started_once_and_given_back(room: TestRoom, sit: Callable[[TestRoom], Screen]) -> None:
    screen = sit(room)
    deal(screen, room)
    screen.close()
    screen.close()
    assert (room.oracle.starts, room.oracle.stops) == (1, 1)
    assert room.lamps.stops >= 1
