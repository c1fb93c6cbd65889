"""Counts that nobody may know: what is UNKNOWN stays so."""

from __future__ import annotations

from companion.kernel import UNKNOWN, Unknown


def less(count: int | Unknown, by: int) -> int | Unknown:
    return UNKNOWN if count is UNKNOWN else max(0, count - by)


def more(count: int | Unknown, by: int) -> int | Unknown:
    return UNKNOWN if count is UNKNOWN else count + by
