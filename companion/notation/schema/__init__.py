"""The published JSON schemas of case files, one a game, for editors and other programs.

They are made from the records that read the files; `companion judge --schema GAME` prints one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from companion.kernel import Probe
from companion.notation.case import CaseDocument, CaseFile

_REF = "#/$defs/{name}"
_DRAFT = "https://json-schema.org/draft/2020-12/schema"


class StartDocument(msgspec.Struct, forbid_unknown_fields=True):
    """What is agreed before the first card, in place of a play's position."""

    setup: dict[str, Any]


def case_schema(
    game: str, seats: tuple[int, int], probes: Mapping[str, Probe], position: type[Any] | None
) -> dict[str, Any]:
    """Return the JSON schema of a game's case files.

    `seats` are the least and the most players, `probes` its structured kinds, `position` the record
    of a play's position (None without plays).
    """
    kinds = [_structured(kind, probe) for kind, probe in probes.items()]
    plays = [] if position is None else [_play(position), StartDocument]
    prose = _like_a_case("Prose", form=Literal["prose"])
    (file, *cases), defs = msgspec.json.schema_components([CaseFile, *kinds, prose, *plays], ref_template=_REF)
    if plays:
        stated = defs["Play"]["properties"]
        ways = [stated["position"], cases.pop()]
        if seats[0] != seats[1]:
            for way in ways:
                named = defs[way["$ref"].rpartition("/")[2]]["properties"]
                named["seats"] = {"type": "integer", "minimum": seats[0], "maximum": seats[1]}
        stated["position"] = {"anyOf": ways}
    defs["CaseFile"]["properties"]["cases"]["items"] = {"anyOf": cases}
    defs["CaseFile"]["properties"]["game"] = {"const": game.replace("_", "-")}
    return {"$schema": _DRAFT, "title": f"Cases of {game}", **file, "$defs": defs}


def _structured(kind: str, probe: Probe) -> type[Any]:
    keys: Any = Literal.__getitem__(probe.asks)
    move: Any = probe.move
    return _like_a_case(
        "".join(word.title() for word in kind.split("_")),
        kind=Literal.__getitem__(kind),
        form=(Literal["structured"], "structured"),
        position=probe.position,
        moves=(list[move], msgspec.field(default_factory=list)),
        asks=(list[keys], msgspec.field(default_factory=list)),
    )


def _play(position: type[Any]) -> type[Any]:
    return _like_a_case(
        "Play",
        form=Literal["play"],
        position=position,
        moves=(list[str], msgspec.field(default_factory=list)),
        asks=dict[str, Any] | list[str],
    )


def _like_a_case(name: str, **changed: Any) -> type[Any]:
    """Return the record of a case in which some fields have a narrower type (or type and default)."""
    fields: list[Any] = []
    for each in msgspec.structs.fields(CaseDocument):
        change = changed.get(each.name)
        if change is None and each.required:
            fields.append((each.name, each.type))
        elif change is None:
            default = each.default if each.default is not msgspec.NODEFAULT else each.default_factory
            fields.append((each.name, each.type, default() if callable(default) else default))
        else:
            fields.append((each.name, *change) if isinstance(change, tuple) else (each.name, change))
    fields.sort(key=len)
    return msgspec.defstruct(name, fields, forbid_unknown_fields=True)
