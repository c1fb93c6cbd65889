"""What is believed about one slot: votes over frames, and a sure state that doubt does not overwrite."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from companion.table.observation import Candidate, Seen, Sighting
from vision.cover import seen_again
from vision.detections import CardReading
from vision.frame import Picture
from vision.plane import Points

VOTES_NEEDED = 2
VOTES_AT_MOST = 5
DOUBT_S = 0.35
"""Doubt is voted on for this long, then it is said; a slow camera must not hold up the table."""

OUTDATED_S = 0.45
"""What has moved and not been read for this long may be anything."""

RETRY_S = 1.0
RETRIES = 5
SURELY_UNKNOWN = 0.9
RESEMBLES = 0.6
"""Correlation with an enrolled face from which an unknown card may still be that face under a glare."""

NO_NAME = 0.3
"""Below this confidence a name is not even a guess: the card is unknown, with candidates."""
SAME_LOOK, SAME_LOOK_TOUCHED = 0.5, 0.65
"""Share of its blocks by which a sure card is seen again although it cannot be named just now: where only light
has changed, and where a hand may have exchanged it. Two cards of one make may share 0.63 of their blocks."""

AHEAD = 0.05
"""Another face that fits better by this is taken seriously, even if it does not fit well."""

ASKEW_DEGREES = 30.0
"""A card turned further than this from the nearest quarter turn has no sure quarter turn."""


@dataclass(frozen=True, eq=False)
class SlotReading:
    """One reading of one slot in one frame.

    `card` is None for an empty slot. `corners` are the card's own corners (top left, top right, bottom
    right, bottom left) in mat millimetres, `offset` the card centre's distance from the slot's centre
    as a share of the card's width, `crop` the evidence, `digest` its SHA-256. `hides` tells that something
    that is no card hides whatever lies there.
    """

    card: CardReading | None
    crop: Picture
    digest: str
    corners: Points | None = None
    offset: float = 0.0
    hides: bool = False

    @property
    def is_named(self) -> bool:
        """Whether the picture alone names the card."""
        return self.card is not None and self.card.state == "known"

    @property
    def is_foreign(self) -> bool:
        """Whether there clearly lies something that is none of the enrolled cards."""
        card = self.card
        if card is None or card.state != "unknown" or card.confidence < SURELY_UNKNOWN:
            return False
        return not card.candidates or card.candidates[0][1] < RESEMBLES

    @property
    def askew(self) -> float:
        """Degrees from the nearest quarter turn."""
        return 0.0 if self.card is None else abs((self.card.angle + 45.0) % 90.0 - 45.0)

    def verdict(self, least_confidence: float, largest_offset: float) -> tuple[Seen, str | None, int | None]:
        """Return what this reading alone stands for."""
        card = self.card
        if self.hides:
            return ("hidden", None, None)
        if card is None:
            return ("empty", None, None)
        if card.state == "unknown" or card.label is None or card.confidence < NO_NAME:
            return ("unknown", None, None)
        if (
            card.state == "unsure"
            or card.confidence < least_confidence
            or self.offset > largest_offset
            or self.askew > ASKEW_DEGREES
        ):
            return ("unsure", card.label, card.quadrant)
        return ("known", card.label, card.quadrant)


@dataclass
class SlotMemory:
    """The votes and the belief about one slot. `stale` asks for a new reading, since `stale_since`.

    `sure` is the card last known here with the reading that named it, as long as nothing else was seen in its
    place: it outlasts whatever is laid over it.
    """

    slot: str
    least_confidence: float
    largest_offset: float
    belief: Sighting
    reading: SlotReading | None = None
    sure: tuple[Sighting, SlotReading] | None = None
    stale: bool = True
    stale_since: float = float("-inf")
    disturbed_at: float = float("-inf")
    read_at: float = float("-inf")
    first_vote_at: float = float("-inf")
    retries: int = 0
    touched: bool = False
    """Whether a hand has been near since it was last clear what lies here."""
    votes: list[SlotReading] = field(default_factory=list)

    @property
    def is_settled(self) -> bool:
        """Whether the belief may be used; trying again to lift a doubt is no reason to wait."""
        return not self.stale and (not self.votes or self.retries > 0)

    def is_outdated(self, at: float) -> bool:
        """Whether something has moved here and not been read for so long that the belief is no longer shown."""
        return not self.is_settled and at - self.stale_since > OUTDATED_S

    def wants_reading(self, at: float) -> bool:
        if self.stale or self.votes:
            return True
        doubtful = self.belief.seen in ("unsure", "unknown")
        return doubtful and self.retries < RETRIES and at - self.read_at >= RETRY_S

    def disturb(self, at: float, by_hand: bool = False) -> None:
        """Something moved here: what was voted so far no longer counts."""
        self.touched = self.touched or by_hand
        if self.is_settled:
            self.stale_since = at
        self.stale = True
        self.disturbed_at = at
        self.retries = 0
        self.votes.clear()

    def vote(self, reading: SlotReading, at: float, enough: int = VOTES_NEEDED) -> bool:
        """Count one more reading and settle when the frames agree or have had their chance; tell whether it did.

        `enough` agreeing votes of one sure kind settle at once; doubt is voted on for `DOUBT_S`, said,
        and tried again a few times later: noise differs from frame to frame, and lamps are moved.
        """
        if not self.votes:
            self.first_vote_at = at
            self.retries += 0 if self.stale else 1
        self.stale, self.read_at = False, at
        self.votes.append(reading)
        counts = Counter(vote.verdict(self.least_confidence, self.largest_offset) for vote in self.votes)
        best, times = max(counts.items(), key=lambda item: (item[1], item[0][0] == "known"))
        rival = sum(count for verdict, count in counts.items() if verdict[1:] != best[1:])
        foreign = best[0] == "unknown" and all(vote.is_foreign for vote in self.votes)
        if (best[0] in ("known", "empty", "hidden") or foreign) and times >= enough and times > 2 * rival:
            self._settle(best)
            self.retries = RETRIES  # nothing is in doubt
        elif enough == 1 or len(self.votes) >= VOTES_AT_MOST or at - self.first_vote_at >= DOUBT_S:
            clear = best[0] == "unknown" and times * 2 > len(self.votes)
            self._settle(best if clear else ("unsure", *self._likeliest()))
        return not self.votes

    def _likeliest(self) -> tuple[str | None, int | None]:
        weights: Counter[tuple[str, int]] = Counter()
        for vote in self.votes:
            if vote.card is not None and vote.card.label is not None:
                weights[vote.card.label, vote.card.quadrant] += int(1 + 1000 * vote.card.confidence)
        return weights.most_common(1)[0][0] if weights else (None, None)

    def _settle(self, verdict: tuple[Seen, str | None, int | None]) -> None:
        seen, piece, turn = verdict
        if seen == "unsure" and piece is None:
            seen = "unknown"
        votes, self.votes = self.votes, []
        alike = [v for v in votes if v.card is None or (v.card.label, v.card.quadrant) == (piece, turn)] or votes
        best = max(alike, key=lambda vote: 0.0 if vote.card is None else vote.card.confidence)
        touched, self.touched = self.touched, False
        if self.sure is not None and _is_still_sure(self.sure, (seen, piece, turn), best, touched):
            self.belief, self.reading = self.sure
            return
        if seen == "hidden":
            self.belief, self.reading = Sighting(self.slot, "hidden", digest=best.digest), best
            return
        self.reading = best
        self.belief = _sighting(self.slot, seen, piece, turn, best, votes)
        self.sure = (self.belief, best) if seen == "known" else None


def _is_still_sure(
    sure: tuple[Sighting, SlotReading], verdict: tuple[Seen, str | None, int | None], now: SlotReading, touched: bool
) -> bool:
    """Tell whether doubt has only come over the very card that was sure before, lying as before."""
    before, reading = sure
    seen, piece, turn = verdict
    if seen not in ("unsure", "unknown", "hidden") or (
        seen == "unsure" and (piece, turn) != (before.piece, before.turn)
    ):
        return False
    scores = dict(now.card.candidates) if now.card is not None else {}
    if scores and max(scores.values()) > scores.get(str(before.piece), 0.0) + AHEAD:
        return False
    return seen_again(reading.crop, now.crop) >= (SAME_LOOK_TOUCHED if touched else SAME_LOOK)


def _sighting(
    slot: str, seen: Seen, piece: str | None, turn: int | None, best: SlotReading, votes: list[SlotReading]
) -> Sighting:
    card = best.card
    if seen == "empty" or card is None:
        return Sighting(slot, seen, digest=best.digest, confidence=1.0 if seen == "empty" else 0.0)
    scores: dict[str, float] = {}
    for vote in votes:
        for label, score in vote.card.candidates if vote.card else ():
            scores[label] = max(scores.get(label, 0.0), score)
    ranked = sorted(scores.items(), key=lambda item: -item[1])[:5]
    candidates = tuple(Candidate(label, round(float(np.clip(score, 0.0, 1.0)), 4)) for label, score in ranked)
    return Sighting(
        slot,
        seen,
        piece if seen != "unknown" else None,
        turn if seen != "unknown" else None,
        angle=round(card.angle, 2) if seen != "unknown" else None,
        confidence=round(card.confidence, 4),
        offset=round(best.offset, 3),
        candidates=candidates,
        digest=best.digest,
    )
