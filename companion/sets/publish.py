"""Writing an owner's set: the whole folder or nothing of it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
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

    :raises SetError: if the set does not fit its game, or the disk does not take it; nothing is changed then.
    """
    try:
        replace_folder(folder, {"set.toml": text.encode(), **files}, lambda fresh: load_set(fresh))
    except OSError as error:
        raise SetError(f"{folder}: the set cannot be written there ({error}); choose another folder") from None
    return load_set(folder)


def replace_folder(
    folder: Path, files: Mapping[str, Path | bytes], check: Callable[[Path], object] = lambda fresh: None
) -> None:
    """Put a folder with these files in the place of `folder`: complete, on disk and checked before it gets there.

    :raises OSError: if the disk does not take it; nothing is changed then. So is what `check` raises.
    """
    fresh, old = folder.with_name(folder.name + ".new"), folder.with_name(folder.name + ".old")
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        for name, content in files.items():
            _put(fresh / name, content)
        check(fresh)
        shutil.rmtree(old, ignore_errors=True)
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _put(file: Path, content: Path | bytes) -> None:
    data = content.read_bytes() if isinstance(content, Path) else content
    with file.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
