"""Writing an owner's set: the whole folder or nothing of it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.sets.form import load_form
from companion.sets.owner import CardSet, SetError, load_set


def format_set(
    label: str, game: str, edition: str, cards: Mapping[str, Mapping[str, Any]], kinds: Mapping[str, str]
) -> str:
    """Return a set as the text of its `set.toml`; `cards` are the printed fields by key, `kinds` the kind by key."""
    form = load_form(game) or {}
    lines = [f"label = {_quoted(label)}", f"game = {_quoted(game)}", f"edition = {_quoted(edition)}"]
    for kind in form:
        for key, fields in cards.items():
            if kinds[key] == kind:
                wanted = form[kind].fields
                values = [f"{name} = {_value(fields[name])}" for name in wanted if fields[name] != wanted[name].default]
                lines += ["", f"[[{kind}]]", f"key = {_quoted(key)}", *values]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a TOML text is written like a JSON text


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, tuple | list):
        return f"[{', '.join(_value(each) for each in value)}]"
    return str(value)


def write_set(folder: Path, text: str, files: Mapping[str, Path | bytes]) -> CardSet:
    """Write a set with the text of its `set.toml` and its `files` by name, in place of what was in `folder`.

    The folder is complete and checked before it takes its place; before that nothing is changed.

    :raises SetError: if the set does not fit its game, or the disk does not take it.
    """
    fresh, old = folder.with_name(folder.name + ".new"), folder.with_name(folder.name + ".old")
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        for name, content in (("set.toml", text.encode()), *files.items()):
            _put(fresh / name, content)
        load_set(fresh)
        shutil.rmtree(old, ignore_errors=True)
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise SetError(f"{folder}: the set cannot be written there ({error}); choose another folder") from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return load_set(folder)


def _put(file: Path, content: Path | bytes) -> None:
    data = content.read_bytes() if isinstance(content, Path) else content
    with file.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
