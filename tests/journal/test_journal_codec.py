import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.journal.codec import encode, format_line, parse
from companion.journal.entry import (
    AnswerEntry,
    CorrectionEntry,
    DeclarationEntry,
    Entry,
    Header,
    NoteEntry,
    UndoEntry,
)
from companion.journal.errors import JournalDamagedError
from companion.journal.file import Journal, read_journal
from companion.journal.read import effective

GOLDEN = Path(__file__).parent / "golden" / "format-1.journal"

GOLDEN_HEADER = Header(
    game="allies",
    rules_version="1.0",
    edition="reconciled",
    options={"AL-Q01": "refill", "AL-Q02": "stays"},
    seats=("Ann", "Boğaç"),
    card_set="proxy",
    set_digest="0f" * 32,
    start="",
    made="29 November 2026, in the evening",
)
GOLDEN_ENTRIES: tuple[Entry, ...] = (
    AnswerEntry(
        to="place",
        reply="A1 wizard-07",
        seat=0,
        source="camera",
        witness="camera",
        confidence=0.97,
        evidence="ab" * 32,
    ),
    AnswerEntry(to="ability", reply="yes", seat=0, source="button", witness="seat 1"),
    CorrectionEntry(of=1, to="place", reply="A1 wizard-09", seat=1, source="touch", witness="screen"),
    UndoEntry(of=2, seat=0, source="touch", witness="screen"),
    UndoEntry(of=4, seat=0, source="touch", witness="screen"),
    AnswerEntry(to="roll", reply="5", seat=1, source="dice", witness="die tray", confidence=0.5),
    AnswerEntry(to="pass", reply="time is up", source="clock"),
    DeclarationEntry(position='B1: "owl"\nB2: ♜\n', reason="The table was moved.", source="file"),
    NoteEntry(text="Ann 12, Boğaç 9", kind="finished", source="companion"),
)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
provenance = {
    "seat": st.none() | st.integers(0, 9),
    "source": st.sampled_from(["camera", "touch", "button", "dice", "markers", "file", "clock", "companion"]),
    "witness": texts,
    "confidence": st.floats(0, 1),
    "evidence": texts,
}
answers = st.builds(AnswerEntry, to=texts, reply=texts, **provenance)
some_entries = st.lists(
    answers
    | st.builds(DeclarationEntry, position=texts, reason=texts, **provenance)
    | st.builds(NoteEntry, text=texts, kind=texts, **provenance)
    | st.builds(CorrectionEntry, of=st.just(1), to=texts, reply=texts, **provenance)
    | st.builds(UndoEntry, of=st.just(1), **provenance),
    max_size=8,
)
headers = st.builds(
    Header,
    game=texts,
    rules_version=texts,
    edition=texts,
    options=st.dictionaries(texts, texts, max_size=3),
    seats=st.lists(texts, max_size=4).map(tuple),
    card_set=texts,
    set_digest=texts,
    start=texts,
    made=texts,
)


def as_bytes(payloads: list[bytes]) -> bytes:
    raw, check = b"", ""
    for number, payload in enumerate(payloads):
        line, check = format_line(number, check, payload)
        raw += line
    return raw


@given(headers, answers, some_entries)
def test_whatever_can_be_said_reads_back_the_same(header: Header, first: AnswerEntry, rest: list[Entry]) -> None:
    raw = as_bytes([encode(header), encode(first), *(encode(entry) for entry in rest)])
    contents = parse(raw, "game.journal")
    assert contents.header == header
    assert contents.entries == (first, *rest)
    assert (contents.end, contents.tail, contents.unterminated) == (len(raw), b"", False)


@given(headers, st.binary(max_size=60))
def test_any_bytes_after_the_good_lines_are_a_tail_or_one_named_error(header: Header, rubbish: bytes) -> None:
    raw = as_bytes([encode(header)])
    try:
        contents = parse(raw + rubbish, "game.journal")
    except JournalDamagedError:
        return
    assert contents.entries == ()
    assert contents.tail == rubbish


@given(st.binary(max_size=400))
def test_any_bytes_at_all_give_one_named_error(raw: bytes) -> None:
    with pytest.raises(JournalDamagedError):
        parse(raw, "game.journal")


def test_the_golden_file_of_format_1_is_still_read() -> None:
    assert read_journal(GOLDEN) == (GOLDEN_HEADER, GOLDEN_ENTRIES, "")
    assert [(act.sequence, act.by) for act in effective(GOLDEN_ENTRIES)] == [(1, 3), (2, 2), (6, 6), (7, 7), (8, 8)]


def test_the_golden_file_of_format_1_is_still_what_is_written(tmp_path: Path) -> None:
    path = tmp_path / "new.journal"
    with Journal.create(path, GOLDEN_HEADER) as journal:
        for entry in GOLDEN_ENTRIES:
            journal.append(entry)
    assert path.read_text("utf-8") == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize(
    ("number", "change", "says"),
    [
        (0, {"format": 2}, "game.journal is written in format 2, this version reads format 1; update the companion"),
        (0, {"house": "x"}, "Line 1 of game.journal holds something this version does not know: .*`house`"),
        (0, {"game": 5}, r"Line 1 of .*Expected `str`, got `int` - at `\$\.game`"),
        (0, {"entry": "answer"}, "Line 1 of .*Invalid value 'answer'"),
        (1, {"colour": "red"}, "Line 2 of .*unknown field `colour`.*update the companion to open it"),
        (1, {"entry": "prophecy"}, "Line 2 of .*Invalid value 'prophecy'"),
        (1, {"source": "rumour"}, "Line 2 of .*Invalid enum value 'rumour'"),
        (1, {"confidence": 2}, "Line 2 of .*<= 1.0"),
        (1, {"seat": None, "to": None}, r"Line 2 of .*Expected `str`, got `null` - at `\$\.to`"),
        (3, {"of": 3}, "Line 4 of game.journal cannot stand there: it corrects entry 3, and before it"),
        (4, {"of": 40}, "Line 5 of game.journal cannot stand there: it undoes entry 40, and before it"),
    ],
)
def test_a_well_checked_line_with_unknown_contents_is_refused(
    number: int, change: dict[str, object], says: str
) -> None:
    values = [json.loads(encode(value)) for value in (GOLDEN_HEADER, *GOLDEN_ENTRIES)]
    values[number].update(change)
    raw = as_bytes([json.dumps(value).encode() for value in values])
    with pytest.raises(JournalDamagedError, match=says):
        parse(raw, "game.journal")
