"""Reading documents: YAML 1.2 as people write it, with lines for every field, and records made of it."""

from __future__ import annotations

import io
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from companion.notation.document import DocumentError, convert, parse_document

# The library writes "?0" without quotation marks and cannot read it back; that is its own slip.
TEXT = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs"))).filter(lambda text: text[:1] != "?")
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abcxyz", min_size=1), inner, max_size=4),
    max_leaves=20,
)


@given(PLAIN)
def test_whatever_is_written_as_yaml_is_read_again(value: Any) -> None:
    stream = io.StringIO()
    YAML(typ="safe", pure=True).dump(value, stream)
    assert parse_document(stream.getvalue()).root == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("true", True),
        ("null", None),
        ("", None),
        ("+2", 2),
        ("-1", -1),
        ("0x1F", 31),
        ("0o17", 15),
        ("007", 7),
        ("1.5", 1.5),
        ("2026-01-01", "2026-01-01"),
        ("'3'", "3"),
        ("{1: a}", {1: "a"}),
    ],
)
def test_words_and_numbers_are_those_of_yaml_1_2(text: str, value: Any) -> None:
    assert parse_document(text).root == value
    assert type(parse_document(text).root) is type(value)


def test_every_field_has_a_line_and_a_field_that_is_not_there_has_that_of_its_neighbourhood() -> None:
    document = parse_document("a: 1\nb:\n  - c: 2\n    d: {e: 3}\n")
    assert [document.line(path) for path in ("a", "b", "b[0].c", "b[0].d.e")] == [1, 2, 3, 4]
    assert document.line("b[0].d.f.g") == 4
    assert document.line("b[7].x") == 2
    assert document.line("nothing") == 1


class Part(msgspec.Struct, forbid_unknown_fields=True):
    kind: Literal["a", "b"]
    number: Annotated[int, msgspec.Meta(ge=1, le=4)] | None = None


class Whole(msgspec.Struct, forbid_unknown_fields=True):
    parts: list[Part]
    by_column: dict[int, Part] = {}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("parts: [{kind: c}]", "line 1: parts[0].kind: found 'c', expected one of a, b"),
        ("parts: 3", "line 1: parts: found 3, expected a list"),
        ("parts:\n- kind: a\n  number: 7", "line 3: parts[0].number: found 7, expected a whole number <= 4"),
        ("parts:\n- kind: a\n  size: 7", "line 3: parts[0].size: unknown field; expected one of kind, number"),
        ("by_column: {}", "line 1: the field parts is missing; add it"),
        ("parts: []\nby_column:\n  2: {kind: a}\n  3: {number: 3}", "line 4: by_column.3: the field kind is missing"),
        ("parts: []\nby_column: {x: {kind: a}}", "line 2: by_column: found the keys x, expected a whole number"),
        ("parts: []\nby_column: {1: {kind: a}, 2: 5}", "line 2: by_column.2: found 5, expected keys and values"),
        ("parts: []\nwhole: 1", "line 2: whole: unknown field; expected one of parts, by_column"),
        ("[]", "line 1: found a list, expected keys and values"),
        ("", "line 1: found nothing, expected keys and values"),
    ],
)
def test_what_does_not_fit_is_named_with_line_field_found_and_expected(text: str, says: str) -> None:
    document = parse_document(text, "file.yaml")
    with pytest.raises(DocumentError) as error:
        convert(document, "", document.root, Whole)
    assert str(error.value).startswith(f"file.yaml, {says}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: [1", "line 1: not YAML"),
        ("a: 1\na: 2", "line 2: a: stands here twice"),
        ("a: !!python/name:os.system x", "line 1: a: found a value of the kind"),
        ("{[1]: 2}", "line 1: a key must be a word or a number"),
        ("a: 1\n---\nb: 2", "not YAML"),
        ("a: &x [*x]", "line 1: a[0]: an alias stands inside what it repeats"),
        ("a: \x07", "not YAML"),
    ],
)
def test_what_is_no_plain_document_is_refused_in_one_sentence(text: str, says: str) -> None:
    with pytest.raises(DocumentError) as error:
        parse_document(text, "file.yaml")
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_an_anchor_may_be_used_again() -> None:
    assert parse_document("a: &x {b: 1}\nc: *x").root == {"a": {"b": 1}, "c": {"b": 1}}
