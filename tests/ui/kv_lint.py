"""Finds what Kivy accepts in silence in .kv files: a property nobody has, a class nobody made.

Kivy takes `colour:` for a new property and draws nothing of it. This reads the files with Kivy's
own parser and compares every class and property with what the classes really have. Classes made in
.kv may only set properties of their bases: whoever needs a new one writes a class.
"""

from __future__ import annotations

from pathlib import Path

from kivy.factory import Factory
from kivy.graphics.instructions import Instruction
from kivy.lang.parser import Parser, ParserRule
from kivy.properties import Property


def faults(path: Path, made: dict[str, str] | None = None) -> list[str]:
    """Return what is wrong in one .kv file, a sentence each, with file and line.

    `made` maps classes made in other .kv files to their base.
    """
    parser = Parser(content=path.read_text(encoding="utf-8"), filename=str(path))
    bases = {**(made or {}), **parser.dynamic_classes}
    found: list[str] = []
    for _, rule in parser.rules:
        name = rule.name.strip("<>-").split("@")[0].strip()
        found += _check(path.name, rule, name, bases)
    return found


def made_in(path: Path) -> dict[str, str]:
    """Return the classes that a .kv file makes, with their base."""
    return dict(Parser(content=path.read_text(encoding="utf-8"), filename=str(path)).dynamic_classes)


def _check(file: str, rule: ParserRule, name: str, bases: dict[str, str]) -> list[str]:
    cls = _class_of(name, bases)
    if cls is None:
        return [f"{file}:{rule.line + 1}: there is no class {name}"]
    known = {key for part in cls.__mro__ for key, value in vars(part).items() if isinstance(value, Property)}
    found = [
        f"{file}:{line.line + 1}: {name} has no property {key!r}"
        for key, line in rule.properties.items()
        if key not in known
    ]
    found += [
        f"{file}:{handler.line + 1}: {name} has no event {handler.name!r}"
        for handler in rule.handlers
        if not hasattr(cls, handler.name) and handler.name.removeprefix("on_") not in known
    ]
    for child in rule.children:
        found += _check(file, child, child.name, bases)
    for canvas in (rule.canvas_root, rule.canvas_before, rule.canvas_after):
        for instruction in canvas.children if canvas is not None else ():
            found += _check_instruction(file, instruction)
    return found


def _check_instruction(file: str, rule: ParserRule) -> list[str]:
    cls = _class_of(rule.name, {})
    if cls is None or not issubclass(cls, Instruction):
        return [f"{file}:{rule.line + 1}: there is no drawing instruction {rule.name}"]
    return [
        f"{file}:{line.line + 1}: {rule.name} has no property {key!r}"
        for key, line in rule.properties.items()
        if not hasattr(cls, key)
    ]


def _class_of(name: str, bases: dict[str, str]) -> type | None:
    name = bases.get(name, name)
    return Factory.get(name) if name in Factory.classes else None
