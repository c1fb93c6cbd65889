"""Why: the last ruling as a chain of effects, each with the articles that made it happen."""

from __future__ import annotations

from kivy.properties import NumericProperty, ObjectProperty, StringProperty

from companion.presenters.models import CiteModel, LiveModel, WhyLink, WhyModel
from ui.screens.sheet import Sheet
from ui.widgets import load_rules
from ui.widgets.buttons import ActionTile

PER_PAGE = 4
LEVELS = {"rule": "printed rule", "option": "table option", "house": "house rule", "table": "our own table"}


class LinkTile(ActionTile):
    """One step of the chain; a tap shows the wording of its article."""

    index = NumericProperty(0)


class WhySheet(Sheet):
    in_play = True
    model = ObjectProperty(None, allownone=True, force_dispatch=True)
    page = NumericProperty(0)
    pages = NumericProperty(1)
    says = StringProperty("")
    article = StringProperty("")
    article_title = StringProperty("")
    wording = StringProperty("")
    section = StringProperty("")
    assumed = StringProperty("")

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self._chosen = 0
        self._turn = 0
        self.app.fbind("live", self._take)
        self._take(self.app, self.app.live)

    def _take(self, _app: object, live: LiveModel | None) -> None:
        model: WhyModel | None = live.why if live is not None else None
        if model is None or model == self.model or not self.ids:
            return
        self.model = model
        self.says = model.says
        self.assumed = "Assumed: " + "; ".join(model.assumed) if model.assumed else ""
        self.pages = max(1, -(-len(model.links) // PER_PAGE))
        self.page = 0
        self._chosen = next((i for i, link in enumerate(model.links) if link.cites), 0)
        self._turn = 0
        self._fill()

    def turn(self, step: int) -> None:
        self.page = (self.page + step) % self.pages
        self._fill()

    def choose(self, index: int) -> None:
        """Show the article of a link; again on the same link: its next article."""
        self._turn = self._turn + 1 if index == self._chosen else 0
        self._chosen = index
        self._fill()

    def _fill(self) -> None:
        links = self.model.links
        box = self.ids.links
        box.clear_widgets()
        first = int(self.page) * PER_PAGE
        for index in range(first, min(first + PER_PAGE, len(links))):
            box.add_widget(self._tile(index, links[index]))
        for _ in range(PER_PAGE - len(box.children)):
            box.add_widget(ActionTile(disabled=True, look="quiet"))
        self._show_article(links[self._chosen] if links else None)

    def _tile(self, index: int, link: WhyLink) -> LinkTile:
        tile = LinkTile(
            index=index,
            text=f"{index + 1}.  {link.says}",
            detail="   ".join(f"{cite.article} {cite.title}".strip() for cite in link.cites),
            look="chosen" if index == self._chosen else "plain",
        )
        tile.bind(on_release=lambda tile: self.choose(int(tile.index)))
        return tile

    def _show_article(self, link: WhyLink | None) -> None:
        cites = link.cites if link is not None else ()
        if not cites:
            self.article, self.article_title, self.wording, self.section = "", "", "", ""
            return
        cite: CiteModel = cites[self._turn % len(cites)]
        self.article = cite.article
        self.article_title = cite.title
        self.wording = cite.text
        where = f"Rulebook: {cite.section}" if cite.section else ""
        more = f"tap again for {len(cites) - 1} more" if len(cites) > 1 else ""
        self.section = "   \u00b7   ".join(part for part in (LEVELS[cite.level], where, more) if part)


load_rules(__file__)
