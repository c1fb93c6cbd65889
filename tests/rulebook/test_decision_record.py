"""The decision record on question kinds and the kernel name the same set."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from companion.kernel.questions import Kind

RECORD = Path(__file__).resolve().parents[2] / "docs" / "adr" / "0001-question-kinds.md"


def test_the_record_maps_verbs_to_exactly_the_kernels_kinds() -> None:
    record = RECORD.read_text(encoding="utf-8")
    table = record[record.index("| kind |") : record.index("## Five clauses")]
    kinds = re.findall(r"^\| (\w+) \|", table, re.MULTILINE)
    assert kinds == ["kind", *get_args(Kind)]
