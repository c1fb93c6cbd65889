"""Score sheets and trackers, a file for each game.

`scoresheet(document)` draws on an upright A4 page, `tracker(document)` on a lying one. A game that has
neither has no file.
"""
