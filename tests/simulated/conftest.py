import random

import pytest

from companion.simulated.cards import CASTLE, TRIBES, CardBox, RegionCard, TribeCard


def made_up_box(seed: int = 1) -> CardBox:
    """A box whose values are drawn at random, so that no test leans on one deck's numbers."""
    rng = random.Random(seed)
    cards = []
    for tribe in TRIBES:
        for number in range(1, 26):
            low, second, third, high = sorted(rng.choices(range(1, 6), k=4))
            symbols = tuple(rng.choices((2, 1, -1, -2), k=rng.choice((0, 1, 1, 2, 3))))
            cards.append(
                TribeCard(
                    f"{tribe}-{number:02}",
                    tribe,
                    (low, second, third, high),
                    rng.randint(1, 4),
                    symbols,
                    diamond=rng.random() < 0.4,
                    crown=rng.random() < 0.25,
                )
            )
    regions = [RegionCard(f"region-{kind}-{n}", kind) for kind in TRIBES for n in (1, 2)]
    regions += [RegionCard(f"region-{CASTLE}-{n}", CASTLE) for n in (1, 2, 3)]
    return CardBox(tuple(cards), tuple(regions))


@pytest.fixture(scope="session")
def box() -> CardBox:
    return made_up_box()
