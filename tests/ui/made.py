"""Hand-made screen models: a duel in its second round, drawn without any rules."""

from __future__ import annotations

from companion.presenters.board import BoardModel, Cell, Mark, Pile
from companion.presenters.models import (
    ChanceModel,
    ChoiceModel,
    CiteModel,
    CorrectModel,
    CorrectOption,
    DeviceModel,
    FeedModel,
    FinalModel,
    GameModel,
    GamesModel,
    HomeModel,
    LiveModel,
    MeterModel,
    OddsModel,
    OutageModel,
    OverlayModel,
    PlayerModel,
    PreviewModel,
    PromptModel,
    ResumeModel,
    ScoreNode,
    SetUpModel,
    ShelfModel,
    SwitchModel,
    TableModel,
    ValueModel,
    WhyLink,
    WhyModel,
)

TRIBES = ("Yeti", "Goblin", "Elf", "Dwarf", "Troll", "Wizard", "Gnome", "Golem", "Cyclops", "Dragon")
COLUMNS = 5
NAMES = (
    "Ania",
    "J\u00f6rg",
    "\u041c\u0430\u0440\u0438\u044f",
    "S\u00f8ren",
    "Lotte",
    "Zo\u00eb",
    "Pekka",
    "\u0141ukasz",
)


def card(key: str, owner: int, title: str, values: tuple[int, int, int, int], turn: int, **more: object) -> Cell:
    """A card with its values from the weakest, clockwise from the printed top, lying at `turn`."""
    sides = tuple(str(values[(direction - turn) % 4]) for direction in range(4))
    faces = 0 if owner == 0 else 2
    tone = next((i for i, tribe in enumerate(TRIBES) if title.startswith(tribe)), 0)
    return Cell(
        key=key,
        row=2 if owner == 0 else 0,
        column=int(key[1]) - 1,
        kind="card",
        title=title,
        value=sides[faces],
        faces=faces,
        sides=sides,
        arrow=turn % 4,
        seam=(turn + 3) % 4,
        owner=owner,
        tone=tone,
        **more,
    )


def region(column: int, title: str, direction: int, **more: object) -> Cell:
    """A region card: direction 2 points at seat 0, 0 at seat 1."""
    owner = {0: 1, 2: 0}.get(direction)
    tone = next((i for i, tribe in enumerate(TRIBES) if title.startswith(tribe)), None)
    marks = (Mark("castle"),) if title.startswith("Castle") else ()
    return Cell(
        f"R{column}", 1, column - 1, "tile", title, arrow=direction, owner=owner, tone=tone, marks=marks, **more
    )


def board(doubt: bool = False) -> BoardModel:
    a3 = "unsure" if doubt else "fresh"
    cells = (
        card("B1", 1, "Goblin 11", (1, 2, 3, 4), 2),
        card("B2", 1, "Dwarf 02", (2, 2, 3, 3), 1, marks=(Mark("crown"),)),
        Cell("B3", 0, 2),
        card("B4", 1, "Elf 14", (1, 3, 3, 5), 0, marks=(Mark("diamond"),)),
        Cell("B5", 0, 4),
        region(1, "Yeti land", 2),
        region(2, "Goblin land", 1),
        region(3, "Castle", 0),
        region(4, "Elf land", 3),
        region(5, "Troll land", 2, state="fresh"),
        card("A1", 0, "Yeti 03", (2, 3, 4, 5), 3),
        Cell("A2", 2, 1),
        card("A3", 0, "Yeti 07", (1, 2, 4, 5), 0, marks=(Mark("crown"), Mark("strengthen")), state=a3),
        card("A4", 0, "Wizard 09", (1, 1, 2, 4), 3, marks=(Mark("diamond"),)),
        Cell("A5", 2, 4, state="asked"),
    )
    piles = (
        Pile("deck:1", "deck", 21, owner=1),
        Pile("won:1", "won", 2, owner=1),
        Pile("discard:1", "discard", 4, owner=1),
        Pile("regions", "regions", 6),
        Pile("deck:0", "deck", 19, owner=0),
        Pile("won:0", "won", 3, owner=0),
        Pile("discard:0", "discard", 5, owner=0),
    )
    return BoardModel(3, COLUMNS, cells, piles, (1, None, 0))


def overlays(doubt: bool = False) -> tuple[OverlayModel, ...]:
    made = []
    for cell in board(doubt).cells:
        x, y = 0.12 + cell.column * 0.16, 0.08 + cell.row * 0.29
        turn = cell.arrow or 0
        corners = ((x, y), (x + 0.12, y), (x + 0.12, y + 0.22), (x, y + 0.22))
        corners = corners[turn:] + corners[:turn]
        state = "empty" if cell.kind == "empty" else "unsure" if cell.state == "unsure" else "sure"
        label = cell.title + (" 62 %" if state == "unsure" else "")
        made.append(OverlayModel(cell.key, corners, label, state))
    return tuple(made)


CITES = (
    CiteModel(
        "AL-63", "Unequal values", "The region card turns towards the higher value, one step for each point.", "Stage 3"
    ),
    CiteModel(
        "AL-65",
        "From neutral one step",
        "One that lies sideways faces the winner after one step, any other after two.",
        "Stage 3",
    ),
    CiteModel("AL-Q01", "Crowns only break ties", "With unequal values a crown changes nothing.", "Stage 3", "option"),
)

WHY = WhyModel(
    "Ania laid yeti-07 in A3, arrow to the middle.",
    (
        WhyLink(
            "The card comes from Ania's hand into an empty slot of her row.",
            (
                CiteModel(
                    "AL-38",
                    "Where a card goes",
                    "A card is played from the hand into an empty slot of one's own row.",
                    "Playing a card",
                ),
            ),
        ),
        WhyLink(
            "Its arrow points at the middle row: value 1 counts.",
            (
                CiteModel(
                    "AL-39",
                    "Arrow to the middle",
                    "The arrow of a card being played points at the middle row.",
                    "Playing a card",
                ),
            ),
        ),
        WhyLink(
            "Strengthen by one on A4: turned counter-clockwise, 2 becomes 4.",
            (
                CiteModel(
                    "AL-48",
                    "Strengthen by one",
                    "Turn the card one sector counter-clockwise; the next stronger sector then faces the middle.",
                    "Rotating cards",
                ),
                CITES[2],
            ),
        ),
        WhyLink(
            "Ania draws up to her maximum of 6.",
            (
                CiteModel(
                    "AL-46",
                    "Refill the hand",
                    "After the tasks the player draws up to the current maximum.",
                    "Refilling",
                ),
            ),
        ),
        WhyLink("R5 turns one step towards Ania: 4 against 3.", CITES[:2]),
    ),
)

ASK = PromptModel(
    "ask", "Ania: lay a card in your row", "the camera is watching", "play:0:2:3", seat=0, cites=("AL-38",)
)

DOUBT = PromptModel(
    "doubt",
    "What did Ania lay in A3?",
    "the picture does not tell these apart",
    "doubt:A3",
    seat=0,
    choices=(
        ChoiceModel(0, "Yeti 07", "62 %, faces 1", "likely", card("A3", 0, "Yeti 07", (1, 2, 4, 5), 0)),
        ChoiceModel(1, "Yeti 12", "31 %, faces 2", "plain", card("A3", 0, "Yeti 12", (2, 2, 3, 5), 0)),
        ChoiceModel(2, "Neither", "show me the card again", "no"),
    ),
)

YES_NO = PromptModel(
    "ask",
    "Ania: use the Wizard's ability?",
    "hand maximum one higher until the round ends",
    "ability:0:A4",
    seat=0,
    choices=(ChoiceModel(0, "Yes, use it", style="likely"), ChoiceModel(1, "No", style="no")),
    cites=("AL-88", "AL-47"),
)

GOLEM_TARGETS = ("A1  Yeti 03", "A3  Yeti 07", "A4  Wizard 09", "B1  Goblin 11", "B2  Dwarf 02", "B4  Elf 14")

MANY = PromptModel(
    "ask",
    "Ania: which card does the Golem turn back to its start?",
    "",
    "golem:0",
    seat=0,
    choices=(
        *(ChoiceModel(number, says) for number, says in enumerate(GOLEM_TARGETS)),
        ChoiceModel(len(GOLEM_TARGETS), "None of them", style="no"),
    ),
    cites=("AL-89",),
)

ALARM = PromptModel(
    "alarm",
    "Goblin 11 lies twice, in B1 and B3; take one away",
    "there is one of each tribe card",
    "alarm:B3",
    cites=("AL-23",),
)

TODO = PromptModel(
    "todo", "Turn region 5 one quarter turn towards Ania", "then the camera looks again", "todo:R5", seat=0
)


ODDS = OddsModel(
    "What the dice can still win, with 2 rolls left",
    (
        ChanceModel("gnome-1", "4 red", "100 %", "keep all dice", True, ("KD-48", "KD-Q03")),
        ChanceModel("orc-3", "groups of equal numbers: 3 + 2", "41 %", "keep red-5 blue-5 green-2", False, ("KD-36",)),
        ChanceModel("elves-5", "a run of 6", "9 %", "keep red-1 blue-2 green-3 red-4", False, ("KD-39", "KD-40")),
        ChanceModel("hypnotist-1", "a sum of at most 12", "2 %", "keep red-1 red-1", False, ("KD-51", "KD-Q02")),
        ChanceModel("dragon-3", "a sum of at least 30", "under 1 %", "keep none", False, ("KD-54",)),
    ),
)


OUTAGE = OutageModel(
    "device dock",
    "The dock DOCK-7 speaks protocol 2 to 3, this app speaks 1; update this app.",
    (("The dock DOCK-7", "protocol 2 to 3, firmware avr 2"), ("This app", "protocol 1")),
    "Update this app: git pull in its folder, then deploy/run.",
    ChoiceModel(0, "Play on without it"),
)


def live(prompt: PromptModel = ASK, **changes: object) -> LiveModel:
    doubt = prompt.kind == "doubt"
    fields: dict[str, object] = {
        "game": "duel-1",
        "title": "Allies",
        "players": (
            PlayerModel(0, "Ania", 7, turn=True, asked=True, note="hand 5 of 6"),
            PlayerModel(1, "J\u00f6rg", -1, note="hand 4 of 5"),
        ),
        "prompt": prompt,
        "board": board(doubt),
        "progress": "Round 2 of 4\nturn 7 of 10",
        "overlays": overlays(doubt),
        "feed": (
            FeedModel("Ania laid yeti-07 in A3, strengthened A4", "camera"),
            FeedModel("J\u00f6rg: done", "button"),
        ),
        "undo": "Ania laid yeti-07 in A3",
        "why": WHY,
        "reminders": ("Ania: draw up to 6 cards",),
    }
    fields.update(changes)
    return LiveModel(**fields)


def shelf(tribe: str, first: int) -> ShelfModel:
    return ShelfModel(
        tribe,
        tuple(
            CorrectOption(
                first + number,
                "piece",
                f"{tribe} {number + 1:02}",
                cell=card("A3", 0, f"{tribe} {number + 1:02}", (1, 1 + number % 3, 3, 4 + number % 2), 0),
            )
            for number in range(15)
        ),
        TRIBES.index(tribe),
    )


BREAKS = (
    "J\u00f6rg's goblin-11 was strengthened by the card in A3; "
    "that entry would no longer fit and the game would stop there."
)

CORRECT = CorrectModel(
    card("A3", 0, "Yeti 07", (1, 2, 4, 5), 0, marks=(Mark("crown"), Mark("strengthen"))),
    "A3 was read as Yeti 07. What is it?",
    (
        CorrectOption(
            0, "piece", "Yeti 12", "A3 faces 2; R3 stays", share=31, cell=card("A3", 0, "Yeti 12", (2, 2, 3, 5), 0)
        ),
        CorrectOption(
            1, "piece", "Yeti 03", "A3 faces 2; R3 stays", share=4, cell=card("A3", 0, "Yeti 03", (2, 3, 4, 5), 0)
        ),
        CorrectOption(
            2,
            "piece",
            "Elf 07",
            "A3 faces 1; R3 turns to J\u00f6rg",
            share=2,
            cell=card("A3", 0, "Elf 07", (1, 4, 4, 5), 0),
        ),
        CorrectOption(3, "turn", "Turned left", "A3 faces 2 instead of 1"),
        CorrectOption(4, "turn", "Turned right", "A3 faces 5 instead of 1"),
        CorrectOption(5, "gone", "Not there", "the turn is taken back", breaks=BREAKS),
    ),
    tuple(shelf(tribe, 100 * (index + 1)) for index, tribe in enumerate(TRIBES)),
)


def leaf(title: str, points: int, *cites: str) -> ScoreNode:
    return ScoreNode(title, points, cites)


FINAL = FinalModel(
    "duel-1",
    "Ania wins 15 to 14",
    (PlayerModel(0, "Ania", 15), PlayerModel(1, "J\u00f6rg", 14)),
    (
        ScoreNode(
            "Ania",
            15,
            (),
            (
                ScoreNode(
                    "Regions won",
                    14,
                    ("AL-93",),
                    tuple(leaf(f"{t} land {i}", 2, "AL-93") for i, t in enumerate(TRIBES[:7], 1)),
                    "7 cards at 2",
                ),
                ScoreNode("Castles won", -1, ("AL-94",), (leaf("Castle 2", -1, "AL-94"),), "1 card at \u22121"),
                ScoreNode(
                    "Regions facing Ania",
                    2,
                    ("AL-95",),
                    (leaf("Elf land 3, R2", 1, "AL-95"), leaf("Dwarf land 1, R4", 1, "AL-95")),
                    "2 cards at 1",
                ),
            ),
        ),
        ScoreNode(
            "J\u00f6rg",
            14,
            (),
            (
                ScoreNode(
                    "Regions won",
                    14,
                    ("AL-93",),
                    tuple(leaf(f"{t} land {i}", 2, "AL-93") for i, t in enumerate(TRIBES[:7], 1)),
                    "7 cards at 2",
                ),
                ScoreNode("Castles won", 0, ("AL-94",), (), "none"),
                ScoreNode("Regions facing J\u00f6rg", 0, ("AL-95",), (), "none"),
            ),
        ),
    ),
    winner=0,
    corrected="1 reading was corrected.",
)

HOME = HomeModel(
    (
        ResumeModel("duel-1", "Allies", "Ania and J\u00f6rg", "round 2 of 4", "2 minutes ago"),
        ResumeModel("duel-0", "Allies", "Lotte and Pekka", "round 4 of 4", "yesterday"),
        ResumeModel("duel-x", "Allies", "S\u00f8ren and Zo\u00eb", "round 1 of 4", "3 days ago"),
    ),
    (
        DeviceModel("Camera", "ok"),
        DeviceModel("Seat buttons", "ok"),
        DeviceModel("Die tray", "off", "not connected"),
        DeviceModel("Lamps", "unsure", "lamp 2 does not answer, check its plug"),
    ),
    "0.1.0",
)

GAMES = GamesModel(
    (
        GameModel(
            "allies",
            "Allies: Realm of Wonder",
            "2 players",
            "30 minutes",
            "camera knows 165 of 165 cards",
            "8 languages, 9 editions",
            emblem="duel",
        ),
        GameModel(
            "realm_of_wonder",
            "Realm of Wonder",
            "2 to 6 players",
            "60 minutes",
            problem="not in this version yet",
            emblem="map",
        ),
        GameModel(
            "king_of_the_dice",
            "King of the Dice",
            "2 to 5 players",
            "30 minutes",
            problem="not in this version yet",
            emblem="dice",
        ),
        GameModel(
            "dark_eden", "Dark Eden", "2 players", "90 minutes", problem="not in this version yet", emblem="cards"
        ),
        GameModel(
            "vaalbara", "Vaalbara", "2 to 5 players", "25 minutes", problem="not in this version yet", emblem="cards"
        ),
    )
)

SET_UP = SetUpModel(
    "allies",
    "Allies: who plays?",
    2,
    NAMES,
    (
        ValueModel("reconciled", "Reconciled", "what most printed editions agree on"),
        ValueModel("en", "English", "as printed in English"),
        ValueModel("de", "Deutsch", "wie auf Deutsch gedruckt"),
    ),
    "reconciled",
    (
        SwitchModel(
            "AL-Q01",
            "Crowns",
            "AL-62",
            (ValueModel("ties", "only break ties"), ValueModel("always", "win alone on the table")),
            "ties",
        ),
        SwitchModel(
            "AL-Q03",
            "Rotation by two at the barrier",
            "AL-54",
            (ValueModel("one", "turns one, loses one"), ValueModel("none", "is lost")),
            "one",
        ),
        SwitchModel(
            "AL-Q06",
            "Cyclops goes on top of",
            "AL-80",
            (ValueModel("own", "an own card, itself"), ValueModel("diamond", "any diamond card")),
            "own",
        ),
        SwitchModel(
            "AL-Q17",
            "Several Wizards in one round",
            "AL-88",
            (ValueModel("add", "add up"), ValueModel("one", "at most one")),
            "add",
        ),
        SwitchModel(
            "AL-Q12",
            "Equal after the tie-break",
            "AL-99",
            (ValueModel("draw", "a draw"), ValueModel("castles", "fewer castles win")),
            "draw",
        ),
    ),
    ("AL-28",),
)

TABLE = TableModel(
    ((0.06, 0.04), (0.95, 0.05), (0.97, 0.95), (0.04, 0.96)),
    False,
    tuple(OverlayModel(overlay.key, overlay.corners, overlay.key, "empty") for overlay in overlays()),
    (
        MeterModel("Light", "good", "ok"),
        MeterModel("Sharpness", "good", "ok"),
        MeterModel("Card size", "a little small", "unsure", "hang the camera lower"),
        MeterModel("Glare", "on A5 and R5", "unsure", "turn the lamp away"),
        MeterModel("Mat", "lies still", "ok"),
    ),
    ("R2 and R4 are still empty",),
    True,
)

SECRET = FinalModel(
    "duel-1",
    "The points stay secret until the end",
    tuple(PlayerModel(seat, name) for seat, name in enumerate(NAMES[:4])),
    tuple(ScoreNode(name, None, ("VB-29",)) for name in NAMES[:4]),
    hidden="VP tokens are kept face down.",
    hidden_cites=("VB-29",),
)


def _land(title: str, *points: int) -> ScoreNode:
    terms = [leaf(f"{each} meadows of {NAMES[seat]}", each, "VB-41") for seat, each in enumerate(points)]
    return ScoreNode(title, sum(points), ("VB-41",), tuple(terms))


PREVIEW = PreviewModel(
    "What it would bring now",
    tuple(
        ScoreNode(
            name,
            9,
            (),
            tuple(_land(f"meadow-{n} in F{n}", *(n, 2, 1)[: 1 + n % 3]) for n in range(1, 6)),
        )
        for name in NAMES[:5]
    ),
)
