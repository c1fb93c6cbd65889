"""Documents as people write them: YAML 1.2 (`no` is a word), read with the line of every field.

Paths name fields the way messages show them: `cases[3].position.columns[0].A`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

T = TypeVar("T")
_TAG = "tag:yaml.org,2002:"
_TYPES = {dict: "keys and values", list: "a list"}


class DocumentError(ValueError):
    """A file that cannot be taken: one sentence with file, line, field, what was found and expected."""


class Document:
    """The plain values of a document, and where each of them stands."""

    def __init__(self, file: str, root: Any, lines: Mapping[str, int]) -> None:
        self.file, self.root, self._lines = file, root, lines

    def line(self, path: str) -> int:
        """Return the line (from 1) of a field, of the nearest field around it if it is not there."""
        while path and path not in self._lines:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self._lines.get(path, 1)

    def fault(self, path: str, says: str) -> DocumentError:
        """Return the error about the field at `path`."""
        return DocumentError(f"{self.file}, line {self.line(path)}: {path + ': ' if path else ''}{says}")


def read_document(file: Path) -> Document:
    """Return the one YAML document of a file.

    :raises DocumentError: if there is no such file, it is not UTF-8 text or not YAML.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise DocumentError(f"{file}: cannot be read ({reason}); name a readable file") from None
    except UnicodeDecodeError as error:
        raise DocumentError(f"{file}: not UTF-8 text (byte {error.start}); save it as UTF-8") from None
    return parse_document(text, str(file))


def parse_document(text: str, file: str = "document") -> Document:
    """Return the document that `text` holds; `file` is how messages call it.

    :raises DocumentError: for text that is not one YAML document of plain values.
    """
    try:
        node = YAML(typ="rt", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise DocumentError(f"{file}, line {line}: not YAML ({error.problem or error.context})") from None
    except (YAMLError, ValueError) as error:
        raise DocumentError(f"{file}: not YAML ({str(error).splitlines()[0]})") from None
    lines: dict[str, int] = {}
    reader = _Reader(file, lines)
    root = None if node is None else reader.value(node, "")
    return Document(file, root, lines)


class _Reader:
    def __init__(self, file: str, lines: dict[str, int]) -> None:
        self.file, self.lines = file, lines
        self.around: list[Node] = []

    def fail(self, node: Node, path: str, says: str) -> DocumentError:
        return DocumentError(f"{self.file}, line {node.start_mark.line + 1}: {path + ': ' if path else ''}{says}")

    def value(self, node: Node, path: str) -> Any:
        self.lines.setdefault(path, node.start_mark.line + 1)
        if any(node is each for each in self.around):
            raise self.fail(node, path, "an alias stands inside what it repeats; write the value out")
        self.around.append(node)
        try:
            if isinstance(node, MappingNode):
                return self.mapping(node, path)
            if isinstance(node, SequenceNode):
                return [self.value(each, f"{path}[{index}]") for index, each in enumerate(node.value)]
            if isinstance(node, ScalarNode):
                return self.scalar(node, path)
            raise self.fail(node, path, "found a node of no known kind, expected plain text, a list or keys")
        finally:
            self.around.pop()

    def mapping(self, node: MappingNode, path: str) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, ScalarNode):
                raise self.fail(key_node, path, "a key must be a word or a number")
            key = self.scalar(key_node, path)
            at = f"{path}.{key}" if path else str(key)
            if key in found:
                raise self.fail(key_node, at, "stands here twice; each key may stand once")
            self.lines[at] = key_node.start_mark.line + 1
            found[key] = self.value(value_node, at)
        return found

    def scalar(self, node: ScalarNode, path: str) -> Any:
        text: str = node.value
        match str(node.tag).removeprefix(_TAG):
            case "null":
                return None
            case "bool":
                return text.lower() == "true"
            case "int":
                return _whole(text)
            case "float":
                return float(text.replace(".inf", "inf").replace(".nan", "nan"))
            case "str" | "timestamp":
                return text
            case tag:
                raise self.fail(node, path, f"found a value of the kind {tag!r}, expected plain text or a number")


def _whole(text: str) -> int:
    digits = text.replace("_", "")
    base = {"0x": 16, "0o": 8}.get(digits.lstrip("+-")[:2].lower(), 10)
    return int(digits, base)


def convert(document: Document, path: str, value: Any, kind: type[T]) -> T:
    """Return the plain value at `path` of a document as a record of `kind`.

    :raises DocumentError: naming line and field, what was found and what was expected.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        message, inner = _fault(error)
        inner = _name_keys(inner, message, value, kind)
        inner, says = _reworded(inner, message, value, kind)
        raise document.fault(f"{path}.{inner}".strip(".").replace(".[", "["), says) from None


def _fault(error: msgspec.ValidationError) -> tuple[str, str]:
    """Return what msgspec says, and the field it says it about (`columns[0].A`)."""
    message, _, at = str(error).partition(" - at ")
    key, _, holder = at.rpartition(" in ")
    inner = (holder or at).strip("`").removeprefix("$").removeprefix(".")
    return (f"key: {message}" if key else message), inner


def _name_keys(inner: str, message: str, value: Any, kind: Any) -> str:
    """Msgspec writes `[...]` for some key of a mapping; return the path with the key that is at fault."""
    while "[...]" in inner:
        before, _, after = inner.partition("[...]")
        mapping = _at(before, value)
        for key in mapping if isinstance(mapping, dict) else ():
            alone = _with(value, before, {key: mapping[key]})
            try:
                msgspec.convert(alone, kind)
            except msgspec.ValidationError as error:
                if _fault(error)[0] == message:
                    inner = f"{before}.{key}{after}"
                    break
        else:
            return before
    return inner


def _steps(inner: str) -> list[str | int]:
    return [int(index) if index else key for key, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", inner)]


def _at(inner: str, value: Any) -> Any:
    """Return the plain value at `inner` inside of `value`, None if it is not there."""
    for step in _steps(inner):
        if isinstance(value, dict):
            value = next((each for key, each in value.items() if str(key) == str(step)), None)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def _with(value: Any, inner: str, other: Any) -> Any:
    """Return `value` with `other` at `inner`."""
    steps = _steps(inner)
    if not steps:
        return other
    head, rest = steps[0], inner[len(str(steps[0])) + (2 if isinstance(steps[0], int) else 0) :].removeprefix(".")
    if isinstance(value, list):
        return [_with(each, rest, other) if index == head else each for index, each in enumerate(value)]
    return {key: _with(each, rest, other) if str(key) == head else each for key, each in value.items()}


def _reworded(inner: str, message: str, value: Any, kind: Any) -> tuple[str, str]:
    """Return the field and the sentence about it, with what was found where msgspec leaves it out."""
    shape = _shape(kind, inner, value)
    if unknown := re.fullmatch(r"Object contains unknown field `(.+)`", message):
        allowed = ", ".join(each.encode_name for each in _record(shape, _at(inner, value)).fields)
        return f"{inner}.{unknown[1]}".removeprefix("."), f"unknown field; expected one of {allowed}"
    if missing := re.fullmatch(r"Object missing required field `(.+)`", message):
        return inner, f"the field {missing[1]} is missing; add it"
    found = _at(inner, value)
    shown = _TYPES[type(found)] if isinstance(found, (dict, list)) else "nothing" if found is None else repr(found)
    if message.startswith("key: "):
        keys = ", ".join(str(key) for key in found) if isinstance(found, dict) else shown
        some = ", ".join(str(each) for each in _choices(getattr(_record(shape, found), "key_type", None)))
        return inner, f"found the keys {keys}, {f'expected some of {some}' if some else _expected(message[5:])}"
    if message.startswith(("Invalid enum value", "Invalid value")):
        choices = ", ".join(str(each) for each in _choices(shape))
        return inner, f"found {shown}, expected one of {choices}"
    if length := re.fullmatch(r"Expected `array` of length (<= |>= )?(\d+)(, got \d+)?", message):
        most = {"<= ": " at most", ">= ": " at least"}.get(length[1], "")
        return inner, f"found {shown} of {len(found)}, expected {length[2]}{most}"
    return inner, f"found {shown}, {_expected(message)}"


def _expected(message: str) -> str:
    """Return what msgspec expected, in words."""
    said = re.sub(r", got .*", "", message)
    said = re.sub(r"`([a-z |]+)`", lambda m: " or ".join(_WORDS.get(w, w) for w in m[1].split(" | ")), said)
    return said[:1].lower() + said[1:]


_WORDS = {
    "object": "keys and values",
    "array": "a list",
    "str": "a text",
    "int": "a whole number",
    "bool": "true or false",
    "null": "nothing",
}


def _shape(kind: Any, inner: str, value: Any) -> Any:
    """Return msgspec's description of the type at `inner` inside of a record of `kind` that `value` should be."""
    shape: Any = msgspec.inspect.type_info(kind)
    before = ""
    for step in _steps(inner):
        among, shape = shape, _record(shape, _at(before, value))
        before += f"[{step}]" if isinstance(step, int) else f".{step}"
        if isinstance(shape, msgspec.inspect.DictType):
            shape = shape.value_type
        elif isinstance(shape, msgspec.inspect.StructType):
            fields = {each.encode_name: each.type for each in shape.fields}
            shape = fields[step] if step in fields else _tags(among)
        else:
            shape = shape.item_type
    return shape


def _record(shape: Any, value: Any) -> Any:
    """Return the record, list or mapping among the alternatives of a shape; of tagged records, `value`'s."""
    if not isinstance(shape, msgspec.inspect.UnionType):
        return shape
    kinds = _HOLDERS.get(type(value), msgspec.inspect.Type)
    some = [each for each in shape.types if isinstance(each, kinds) and not isinstance(each, msgspec.inspect.NoneType)]
    tag = value.get(getattr(some[0], "tag_field", None)) if some and isinstance(value, dict) else None
    return next((each for each in some if getattr(each, "tag", None) == tag), some[0] if some else shape)


_HOLDERS: dict[type[Any], tuple[type[Any], ...]] = {
    dict: (msgspec.inspect.DictType, msgspec.inspect.StructType),
    list: (msgspec.inspect.VarTupleType, msgspec.inspect.ListType),
}
"""What can be described as having something inside."""


def _tags(shape: Any) -> Any:
    """Return the tags that tell the records among the alternatives of a shape apart."""
    records: tuple[Any, ...] = shape.types if isinstance(shape, msgspec.inspect.UnionType) else (shape,)
    return msgspec.inspect.LiteralType(tuple(each.tag for each in records if getattr(each, "tag", None) is not None))


def _choices(shape: Any) -> list[Any]:
    shapes = shape.types if isinstance(shape, msgspec.inspect.UnionType) else (shape,)
    return sorted(value for each in shapes if isinstance(each, msgspec.inspect.LiteralType) for value in each.values)
