"""Writing an owner's set: the whole folder or nothing of it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from companion.sets.form import Kind, load_form
from companion.sets.owner import CardSet, SetError, load_set


def format_set(
    label: str,
    game: str,
    edition: str,
    cards: Mapping[str, Mapping[str, Any]],
    kinds: Mapping[str, str],
    complete: bool = True,
) -> str:
    """Return a set as the text of its `set.toml`; `cards` are the printed fields by key, `kinds` the kind by key."""
    form = load_form(game) or {}
    lines = [f"label = {_quoted(label)}", f"game = {_quoted(game)}", f"edition = {_quoted(edition)}"]
    lines += [] if complete else ["complete = false"]
    for kind, wanted in form.items():
        for key, fields in cards.items():
            if kinds[key] == kind:
                lines += ["", *_table(kind, key, fields, wanted)]
    return "\n".join(lines) + "\n"


def _table(kind: str, key: str, fields: Mapping[str, Any], wanted: Kind) -> list[str]:
    """Return the lines of one card; what has a default and is like it is left out."""
    values = [
        f"{name} = {_value(fields[name])}"
        for name, field in wanted.fields.items()
        if name in fields and fields[name] != field.default
    ]
    return [f"[[{kind}]]", f"key = {_quoted(key)}", *values]


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

    The values of the set that was there stay beside it: a game that was begun with it can still be opened.

    :raises SetError: if the set does not fit its game, or the disk does not take it; nothing is changed then.
    """
    try:
        earlier = dict(_earlier_sets(folder))
        replace_folder(folder, {**earlier, "set.toml": text.encode(), **files}, lambda fresh: load_set(fresh))
    except OSError as error:
        raise SetError(f"{folder}: the set cannot be written there ({error}); choose another folder") from None
    return load_set(folder)


def add_card(cards: CardSet, key: str, kind: str, fields: Mapping[str, Any], face: bytes) -> CardSet:
    """Add a card and its picture (JPEG) to an owner's set; what was written by hand in `set.toml` stays.

    The set as it was is kept beside it: a game that was begun with it can still be opened.

    :raises SetError: if the card does not fit the set, or the disk does not take it; nothing is changed then.
    """
    form = load_form(cards.game)
    if cards.folder is None or form is None:
        raise SetError(f"{cards.name} is no owner's set in a folder; no card can be added to it")
    file, fresh = cards.folder / "set.toml", cards.folder / "set.toml.new"
    try:
        before = file.read_text(encoding="utf-8")
        added = "\n".join(("", *_table(kind, key, fields, form[kind]), ""))
        _put(fresh, (before.rstrip("\n") + "\n" + added).encode())
        load_set(fresh)
        _put(cards.folder / _earlier(cards.digest), before.encode())
        _put(cards.folder / f"{key}.jpg", face)
        fresh.replace(file)
    except OSError as error:
        raise SetError(f"{cards.folder} cannot be written ({error}); the card is known until the end only") from None
    finally:
        fresh.unlink(missing_ok=True)
    return load_set(cards.folder)


def earlier_set(cards: CardSet, digest: str) -> CardSet | None:
    """Return the set from which `cards` has grown and whose values had this digest, None if it is not there."""
    file = None if cards.folder is None else cards.folder / _earlier(digest)
    if file is None or not file.is_file():
        return None
    found = load_set(file)
    return found if found.digest == digest else None


def _earlier_sets(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files with the values of the sets that were in a folder, by the names under which they are kept."""
    for file in folder.glob(_earlier("*")):
        yield file.name, file
    if (folder / "set.toml").is_file():
        try:
            yield _earlier(load_set(folder).digest), folder / "set.toml"
        except SetError:
            return  # no game can have been played with it


def _earlier(digest: str) -> str:
    return f"set-{digest[:12]}.toml"


def replace_folder(
    folder: Path, files: Mapping[str, Path | bytes], check: Callable[[Path], object] = lambda fresh: None
) -> None:
    """Put a folder with these files in the place of `folder`: complete, on disk and checked before it gets there.

    Folders in it stay, such as that with the faces of a game's dice.

    :raises OSError: if the disk does not take it; nothing is changed then. So is what `check` raises.
    """
    fresh, old = folder.with_name(folder.name + ".new"), folder.with_name(folder.name + ".old")
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        for name, content in files.items():
            _put(fresh / name, content)
        for each in folder.iterdir() if folder.is_dir() else ():
            if each.is_dir():
                shutil.copytree(each, fresh / each.name, symlinks=True)
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
