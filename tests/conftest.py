"""What holds for every test: laws are about results, and a run here finds what a run elsewhere finds."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# No deadline and no complaint about slowness: the suite runs on slow and busy machines. The examples are the
# same in every run; `pytest --hypothesis-profile=search` looks for new ones.
settings.register_profile("suite", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("search", settings.get_profile("suite"), derandomize=False, max_examples=1000)
settings.load_profile("suite")

# What commands print is read as on a plain terminal, whatever the suite was started in.
os.environ["COLUMNS"] = "80"
for name in ("FORCE_COLOR", "NO_COLOR", "CLICOLOR_FORCE", "TTY_COMPATIBLE"):
    os.environ.pop(name, None)
