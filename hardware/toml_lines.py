"""The lines of a TOML file in which its sections and keys stand; the standard parser does not tell."""

from __future__ import annotations

import re

_HEADER = re.compile(r"\s*\[+\s*([A-Za-z0-9_-]+)\s*\]+\s*(#.*)?$")
_NAME = r"""["']?([^\s"'=.\[\]{},#]+)["']?"""
_KEY = re.compile(rf"\s*{_NAME}\s*=")
_DOTTED = re.compile(rf"\s*{_NAME}\s*\.\s*{_NAME}\s*=")
_INLINE = re.compile(rf"[{{,]\s*{_NAME}\s*=")


class Lines:
    """Where everything stands: `at` takes a section ("" for the top), its number among those of the same
    name, and a key ("" for the section itself).
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[tuple[str, int, str], int] = {}
        seen: dict[str, int] = {}
        section, number, inline = "", 0, ""
        for line, content in enumerate(text.splitlines(), start=1):
            if header := _HEADER.match(content):
                section = inline = header[1]
                number = seen[section] = seen.get(section, -1) + 1
                self._note(section, number, "", line)
            elif dotted := _DOTTED.match(content):
                self._note(dotted[1], 0, dotted[2], line)
            elif key := _KEY.match(content):
                inline = key[1]
                self._note(section, number, key[1], line)
            if not header and not section:
                self._note_inline(inline, content, seen, line)

    def at(self, section: str, number: int, key: str) -> int:
        """Return the line of a key; of its section, or the first, where the key cannot be found."""
        where = ((section, number, key), (section, number, ""), ("", 0, section))
        return next((self._lines[each] for each in where if each in self._lines), 1)

    def has_section(self, section: str) -> bool:
        """Return whether there is a header of this name."""
        return (section, 0, "") in self._lines

    def _note_inline(self, section: str, content: str, seen: dict[str, int], line: int) -> None:
        """Tables in braces, as `seat = [{done = "gpio:16"}, {done = "gpio:20"}]`."""
        for found in re.finditer(r"\{", content):
            number = seen[section] = seen.get(section, -1) + 1
            self._note(section, number, "", line)
            end = content.find("}", found.start())
            for key in _INLINE.finditer(content[found.start() : end if end > 0 else None]):
                self._note(section, number, key[1], line)

    def _note(self, section: str, number: int, key: str, line: int) -> None:
        self._lines.setdefault((section, number, key), line)
