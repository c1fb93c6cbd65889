from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.journal.entry import (
    AnswerEntry,
    CorrectionEntry,
    DeclarationEntry,
    Entry,
    Header,
    NoteEntry,
    UndoEntry,
)
from companion.journal.errors import JournalError
from companion.journal.read import (
    Act,
    Divergence,
    effective,
    is_finished,
    objection,
    redoable,
    replay,
    undoable,
    what_if,
)

Answers = Callable[..., tuple[Entry, ...]]


def undo(of: int) -> UndoEntry:
    return UndoEntry(of=of, source="button")


def correct(of: int, reply: str) -> CorrectionEntry:
    return CorrectionEntry(of=of, to="q", reply=reply, source="touch")


def declare(position: str) -> DeclarationEntry:
    return DeclarationEntry(position=position, reason="after a break", source="touch")


def remark(kind: str = "remark") -> NoteEntry:
    return NoteEntry(text="...", kind=kind, source="companion")


def in_force(entries: tuple[Entry, ...]) -> list[tuple[int, int, str]]:
    """Number, number read in its stead, reply (or declared position) of each act."""
    return [
        (act.sequence, act.by, act.entry.position if isinstance(act.entry, DeclarationEntry) else act.entry.reply)
        for act in effective(entries)
    ]


class No:
    """A refusal as any caller might make one."""

    def __init__(self, says: str) -> None:
        self.says = says


def open_count(header: Header) -> int | No:
    """A game of counting up: each reply must be larger than the one before."""
    return int(header.start or 0) if (header.start or "0").isdigit() else No(f"{header.start!r} is no number")


def count_up(position: int, to: str, reply: str) -> int | No:
    return int(reply) if int(reply) > position else No(f"{reply} is not above {position}")


def test_answers_alone_are_all_in_force(answers: Answers) -> None:
    assert effective(answers("a", "b")) == (Act(1, 1, answers("a")[0]), Act(2, 2, answers("a", "b")[1]))


def test_a_correction_takes_the_place_of_its_answer_and_keeps_its_turn(answers: Answers) -> None:
    entries = (*answers("a", "b"), correct(1, "A"))
    assert in_force(entries) == [(1, 3, "A"), (2, 2, "b")]


def test_the_later_correction_holds_whichever_number_it_names(answers: Answers) -> None:
    for named in (1, 3):
        entries = (*answers("a", "b"), correct(1, "A"), correct(named, "AA"))
        assert in_force(entries) == [(1, 4, "AA"), (2, 2, "b")]


def test_undoing_a_correction_brings_back_the_reading_before_it(answers: Answers) -> None:
    entries = (*answers("a", "b"), correct(1, "A"), correct(3, "AA"))
    assert in_force((*entries, undo(4))) == [(1, 3, "A"), (2, 2, "b")]
    assert in_force((*entries, undo(4), undo(3))) == [(1, 1, "a"), (2, 2, "b")]


def test_undoing_an_answer_takes_its_corrections_with_it_and_back(answers: Answers) -> None:
    entries = (*answers("a", "b"), correct(1, "A"), undo(1))
    assert in_force(entries) == [(2, 2, "b")]
    assert in_force((*entries, undo(4))) == [(1, 3, "A"), (2, 2, "b")]


def test_an_undo_of_an_undo_of_an_undo_undoes(answers: Answers) -> None:
    entries: tuple[Entry, ...] = (*answers("a", "b"), undo(2))
    for number, length in ((4, 2), (5, 1), (6, 2), (7, 1)):
        entries = (*entries, undo(number - 1))
        assert len(effective(entries)) == length


def test_notes_change_nothing(answers: Answers) -> None:
    one, two = answers("a", "b")
    assert effective((one, remark())) == effective((one,))
    assert in_force((one, remark(), two)) == [(1, 1, "a"), (3, 3, "b")]


@pytest.mark.parametrize(
    ("added", "says"),
    [
        (correct(2, "x"), "it corrects entry 2, a note, and a note changes nothing that could be taken back"),
        (correct(3, "x"), "it corrects entry 3, which is no answer (declaration); undo that entry instead"),
        (correct(4, "x"), "it corrects entry 4, which is no answer (undo); undo that entry instead"),
        (correct(0, "x"), "it corrects entry 0, and before it there are entries 1 to 7"),
        (correct(8, "x"), "it corrects entry 8, and before it there are entries 1 to 7"),
        (undo(-1), "it undoes entry -1, and before it there are entries 1 to 7"),
        (undo(2), "it undoes entry 2, a note, and a note changes nothing that could be taken back"),
        (undo(3), "entry 3 is already undone by entry 4; undo entry 4 first to bring it back"),
        (undo(6), "taking back entry 6 would change nothing, because a later entry decides what holds there"),
    ],
)
def test_what_cannot_be_taken_back_is_refused_in_a_sentence(answers: Answers, added: Entry, says: str) -> None:
    entries = (*answers("a"), remark(), declare("so"), undo(3), *answers("e"), correct(5, "E"), correct(5, "EE"))
    refused = objection(entries, added)
    assert says in refused
    assert refused.startswith("The undo was not written: " if isinstance(added, UndoEntry) else "The correction was")
    assert refused.endswith(".")


def test_correcting_an_undone_answer_is_refused_also_by_way_of_its_correction(answers: Answers) -> None:
    entries = (*answers("a", "b"), correct(2, "B"), undo(2))
    assert objection(entries, correct(2, "x")) == (
        "The correction was not written: entry 2 is already undone by entry 4; undo entry 4 first to bring it back."
    )
    assert "it corrects entry 2, which is undone by entry 4" in objection(entries, correct(3, "x"))
    assert objection((*entries, undo(4)), correct(3, "x")) == ""


def test_the_undo_button_walks_back_and_the_redo_button_forth(answers: Answers) -> None:
    entries: tuple[Entry, ...] = (*answers("a", "b", "c"), correct(2, "B"))
    states = [effective(entries)]
    while (number := undoable(entries)) is not None:
        assert objection(entries, undo(number)) == ""
        entries = (*entries, undo(number), remark())
        states.append(effective(entries))
    assert [len(state) for state in states] == [3, 3, 2, 1, 0]
    for expected in reversed(states[:-1]):
        number = redoable(entries)
        assert number is not None
        entries = (*entries, undo(number))
        assert effective(entries) == expected
    assert redoable(entries) is None


def test_nothing_can_be_brought_back_once_the_game_went_on(answers: Answers) -> None:
    entries = (*answers("a", "b"), undo(2))
    assert redoable(entries) == 3
    assert redoable((*entries, *answers("c"))) is None


def test_undoing_in_any_order_leaves_the_rest_in_force(answers: Answers) -> None:
    entries = (*answers("a", "b", "c"), undo(1), undo(3))
    assert in_force(entries) == [(2, 2, "b")]
    assert in_force((*entries, undo(4))) == [(1, 1, "a"), (2, 2, "b")]


def by_definition(entries: tuple[Entry, ...]) -> list[tuple[int, int]]:
    """What is in force, computed word by word: an entry stands unless a standing undo names it."""

    def stands(number: int) -> bool:
        return not any(
            isinstance(later, UndoEntry) and later.of == number and stands(place)
            for place, later in enumerate(entries, 1)
            if place > number
        )

    def root(number: int) -> int:
        entry = entries[number - 1]
        return root(entry.of) if isinstance(entry, CorrectionEntry) else number

    found = []
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, AnswerEntry | DeclarationEntry) and stands(number):
            readings = [
                place
                for place, other in enumerate(entries, 1)
                if isinstance(other, CorrectionEntry) and root(place) == number and stands(place)
            ]
            found.append((number, max([number, *readings])))
    return found


@given(st.lists(st.tuples(st.sampled_from("aacuudn"), st.integers(1, 14)), max_size=14))
def test_what_is_in_force_is_what_the_words_say(plan: list[tuple[str, int]]) -> None:
    entries: tuple[Entry, ...] = ()
    for kind, of in plan:
        added: Entry = {
            "a": AnswerEntry(to="q", reply="r", source="camera"),
            "c": correct(of, "c"),
            "u": undo(of),
            "d": declare("so"),
            "n": remark(),
        }[kind]
        before = effective(entries)
        if objection(entries, added):
            continue
        entries = (*entries, added)
        assert [(act.sequence, act.by) for act in effective(entries)] == by_definition(entries)
        assert (effective(entries) == before) == isinstance(added, NoteEntry)
        if isinstance(added, UndoEntry):
            back = (*entries, undo(len(entries)))
            assert objection(entries, back[-1]) == ""
            assert effective(back) == before, "an undo is itself undone without a trace"


def test_replay_reaches_the_position_of_play_and_every_position_before(header: Header, answers: Answers) -> None:
    played = replay(header, effective(answers("1", "4", "9")), open_count, count_up)
    assert (played.position, played.upto, played.divergence, played.settled) == (9, 3, None, ())
    assert [played.at(number) for number in range(-1, 6)] == [0, 0, 1, 4, 9, 9, 9]


def test_a_correction_names_the_first_later_entry_that_no_longer_fits(header: Header, answers: Answers) -> None:
    entries = (*answers("1", "4", "9", "12"), correct(2, "10"))
    played = replay(header, effective(entries), open_count, count_up)
    assert played.divergence == Divergence(3, "Entry 3 no longer fits: 9 is not above 10")
    assert (played.position, played.upto) == (10, 2)
    fitting = replay(header, effective((*answers("1", "4", "9"), correct(2, "8"))), open_count, count_up)
    assert (fitting.position, fitting.divergence) == (9, None)


def test_a_correction_that_does_not_fit_itself_is_named_with_both_numbers(header: Header, answers: Answers) -> None:
    played = replay(header, effective((*answers("3", "4"), correct(2, "2"))), open_count, count_up)
    assert played.divergence == Divergence(2, "Entry 2, as corrected by entry 3, no longer fits: 2 is not above 3")


def test_an_undo_in_the_middle_names_what_no_longer_fits(header: Header) -> None:
    entries = (declare("5"), AnswerEntry(to="q", reply="6", source="dice"), undo(1))
    assert replay(header, effective(entries), open_count, count_up).position == 6

    def even_only(position: int, to: str, reply: str) -> int | No:
        return int(reply) if int(reply) == position + 1 else No(f"{position + 1} was due")

    played = replay(header, effective(entries), open_count, even_only)
    assert played.divergence == Divergence(2, "Entry 2 no longer fits: 1 was due")


def test_a_declaration_opens_the_game_from_the_declared_position(header: Header, answers: Answers) -> None:
    one, two = answers("50", "7")
    played = replay(header, effective((one, declare("3"), two)), open_count, count_up)
    assert (played.position, [played.at(number) for number in range(4)]) == (7, [0, 50, 3, 7])


def test_a_declaration_settles_a_divergence(header: Header, answers: Answers) -> None:
    diverging = (*answers("5", "6", "8", "9"), correct(1, "7"))
    played = replay(header, effective((*diverging, declare("20"))), open_count, count_up)
    assert (played.position, played.upto, played.divergence) == (20, 6, None)
    assert played.settled == (Divergence(2, "Entry 2 no longer fits: 6 is not above 7"),)
    assert [played.at(number) for number in (1, 2, 5, 6)] == [7, 7, 7, 20]


def test_a_declaration_that_cannot_be_read_is_a_divergence(header: Header, answers: Answers) -> None:
    played = replay(header, effective((*answers("5"), declare("owl"))), open_count, count_up)
    assert played.divergence == Divergence(2, "Entry 2 no longer fits: 'owl' is no number")
    assert played.position == 5


def test_a_header_that_cannot_be_opened_is_an_error() -> None:
    header = Header(game="g", rules_version="1", edition="e", seats=("Ann",), start="owl")
    with pytest.raises(JournalError, match="The game of this journal cannot be opened: 'owl' is no number"):
        replay(header, (), open_count, count_up)


def test_what_if_answers_from_any_earlier_position_and_changes_nothing(header: Header, answers: Answers) -> None:
    played = replay(header, effective(answers("1", "4", "9")), open_count, count_up)
    assert what_if(played, 1, "q", "7") == 7
    assert what_if(played, played.upto, "q", "10") == 10
    refused = what_if(played, 3, "q", "7")
    assert isinstance(refused, No)
    assert refused.says == "7 is not above 9"
    assert played.position == 9


def test_a_game_is_finished_until_something_other_than_a_remark_follows(answers: Answers) -> None:
    assert not is_finished(())
    assert not is_finished((*answers("a"), remark()))
    assert is_finished((*answers("a"), remark("finished")))
    assert is_finished((*answers("a"), remark("finished"), remark()))
    assert not is_finished((*answers("a"), remark("finished"), undo(1)))
