from __future__ import annotations

import pytest

from .firmware import RAN_ON


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say of every test of the electronics that this machine could not run, that it did not, and why."""
    lines = {
        f"{report.nodeid.partition('::')[2]}: {report.longrepr[2].removeprefix('Skipped: ')}"
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple) and "tests/hardware" in report.nodeid
    }
    for line in sorted(RAN_ON):
        terminalreporter.line(line)
    if lines:
        terminalreporter.section("electronics: did not run on this machine")
        for line in sorted(lines):
            terminalreporter.line(line)
