"""What can go wrong with a journal. Every message is one plain sentence or two, fit to be shown."""

from __future__ import annotations


class JournalError(Exception):
    """Base of all journal errors; `str(error)` says what was found, what was expected, what to do."""


class JournalDamagedError(JournalError):
    """The file does not hold what was written into it, or was never a journal."""


class JournalUnavailableError(JournalError):
    """The file cannot be opened, read or written just now: lock, permission, full or failing disk."""


class EntryRefusedError(JournalError):
    """The entry cannot stand in this journal, for example a correction of an undone entry."""
