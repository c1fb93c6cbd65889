"""Which value does each table option have: an explicit choice beats the edition, the edition beats the default."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from companion.rulebook.article import RECONCILED, Edition, Option, Rulebook


class OptionError(ValueError):
    """An unknown option, value or edition; the message says what is allowed."""


def resolve(rulebook: Rulebook, edition: str = RECONCILED, explicit: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the value of every option by name, in the rulebook's order.

    `explicit` may call an option by its name (`crown_counts`) or by its id (`AL-Q01`).
    Raises `OptionError` for an unknown edition, option or value, and for an option set twice.
    """
    bundle = find_edition(rulebook, edition).options
    chosen: dict[str, str] = {}
    for called, value in (explicit or {}).items():
        option = find_option(rulebook, called)
        if option.name in chosen:
            raise OptionError(f"Option {_naming(option)} is set twice; set it once, by its name or by its id.")
        if option.find_value(value) is None:
            allowed = ", ".join(each.value for each in option.values)
            raise OptionError(f"Option {_naming(option)} has no value {value!r}; allowed are {allowed}.")
        chosen[option.name] = value
    return {name: chosen.get(name, bundle.get(name, option.default)) for name, option in rulebook.options.items()}


def find_option(rulebook: Rulebook, called: str) -> Option:
    """Return the option with this name or id; raise `OptionError` with the known ones if there is none."""
    if option := rulebook.options.get(called):
        return option
    for option in rulebook.options.values():
        if option.id == called:
            return option
    known = [_naming(option) for option in rulebook.options.values()]
    callable_as = [*rulebook.options, *(option.id for option in rulebook.options.values())]
    near = get_close_matches(called, callable_as, n=1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise OptionError(f"{rulebook.game} has no option {called!r}.{hint} Known are {', '.join(known)}.")


def find_edition(rulebook: Rulebook, key: str) -> Edition:
    """Return the edition with this key; raise `OptionError` with the known ones if there is none."""
    if edition := rulebook.editions.get(key):
        return edition
    raise OptionError(f"{rulebook.game} has no edition {key!r}; known are {', '.join(rulebook.editions)}.")


def _naming(option: Option) -> str:
    return f"{option.name} ({option.id})"
