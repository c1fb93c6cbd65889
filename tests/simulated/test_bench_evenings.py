"""Whether the bench of evenings finds what it is there to find."""

import msgspec
import pytest

from companion.bench.evenings import Kept, KeptError, Watch, measure
from companion.simulated.lying import Laid
from companion.table.observation import Candidate, Scene, Sighting

LIES = {"A1": Laid("gnome-01", 1), "A2": None}


def watched(shown, until=2.0, lying=LIES, copies=None, strangers=(), steady=True):
    """Show the same for some seconds, five pictures a second."""
    watch = Watch(copies or {}, strangers)
    for number in range(round(until * 5) + 1):
        watch.see(Scene("camera", number / 5, shown, steady=steady), lying)
    return watch


def known(piece, turn, slot="A1"):
    return Sighting(slot, "known", piece, turn, 90.0 * turn, 0.9, digest=f"{slot} {piece} {turn}")


EMPTY = Sighting("A2", "empty", digest="bare")


def test_what_is_shown_as_it_lies_is_counted_and_is_no_misread():
    watch = watched((known("gnome-01", 1), EMPTY))
    assert (watch.observations, watch.misreads, watch.questions) == (2, [], [])


@pytest.mark.parametrize(
    "shown",
    [
        (known("gnome-02", 1), EMPTY),
        (known("gnome-01", 3), EMPTY),
        (known("gnome-01", 1), known("gnome-01", 1, "A2")),
        (Sighting("A1", "empty", digest="bare"), EMPTY),
    ],
    ids=["another card", "another turn", "a card where none lies", "no card where one lies"],
)
def test_a_wrong_state_is_a_silent_misread_once_it_stays_longer_than_a_second(shown):
    assert watched(shown, until=1.0).misreads == []
    assert len(watched(shown, until=1.2).misreads) == 1
    assert len(watched(shown, until=9.0).misreads) == 1


def test_nothing_said_is_nothing_wrong():
    assert watched((Sighting("A1", "hidden"), Sighting("A2", "hidden"))).misreads == []


def test_a_lasting_doubt_at_rest_is_a_question_and_one_while_hands_move_is_none():
    doubt = Sighting("A1", "unsure", "gnome-01", 1, candidates=(Candidate("gnome-01", 0.6),), digest="d")
    assert len(watched((doubt, EMPTY)).questions) == 1
    assert watched((doubt, EMPTY), steady=False).questions == []


def test_a_card_on_its_point_has_no_turn_to_be_known():
    lying = {"A1": Laid("gnome-01", 1, skew=40.0), "A2": None}
    doubt = Sighting("A1", "unsure", "gnome-01", 1, digest="d")
    watch = watched((doubt, EMPTY), lying=lying)
    assert (watch.questions, watch.askew) == ([], 1)
    assert watched((known("gnome-01", 2), EMPTY), lying=lying).misreads == []


def test_a_copy_is_right_under_the_name_of_what_it_is_a_copy_of():
    assert watched((known("gnome-07", 1), EMPTY), copies={"gnome-01": "gnome-07"}).misreads == []
    assert len(watched((known("gnome-01", 1), EMPTY), copies={"gnome-01": "gnome-07"}).misreads) == 1


def test_a_card_that_nobody_enrolled_is_right_as_unknown_and_a_misread_under_any_name():
    unknown = Sighting("A1", "unknown", digest="strange")
    told = watched((unknown, EMPTY), strangers=("gnome-01",))
    assert (told.strangers, told.questions, told.misreads) == (1, [], [])
    assert len(watched((known("gnome-02", 1), EMPTY), strangers=("gnome-01",)).misreads) == 1
    assert len(watched((unknown, EMPTY)).questions) == 1


def test_the_wait_counts_from_the_last_touch_to_the_right_state():
    watch = Watch({})
    for number in range(12):
        lying = {"A1": LIES["A1"] if number >= 2 else None}
        shown = known("gnome-01", 1) if number >= 6 else Sighting("A1", "empty", digest="bare")
        watch.see(Scene("camera", number / 5, (shown,)), lying)
    assert watch.waits == [pytest.approx(0.8)]
    assert watch.changes == 1


EVENING = Kept(3, 400, 120, [], ["4.8 s, B3: unknown"], 2, 0, [0.4, 0.6], 900, 18.0, {"shadow": 4})


def test_evenings_that_were_kept_are_not_followed_again(tmp_path):
    keep = tmp_path / "evenings.jsonl"
    keep.write_bytes(b"".join(msgspec.json.encode(msgspec.structs.replace(EVENING, seed=n)) + b"\n" for n in (1, 2)))
    figures = measure(800, keep=keep)
    assert (figures["evenings"], figures["observations"], figures["silent_misreads"]) == (2, 800, 0)
    assert figures["questions_share"] == 0.0025
    assert figures["happened"] == {"shadow": 8}


def test_a_file_that_holds_something_else_is_named_with_its_line(tmp_path):
    keep = tmp_path / "notes"
    keep.write_bytes(msgspec.json.encode(EVENING) + b"\nbuy milk\n")
    with pytest.raises(KeptError, match="notes:2"):
        measure(10, keep=keep)
