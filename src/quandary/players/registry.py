"""Everyone who can play: strategies and people by name, language models by the lines to them, which all matches of a run share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from quandary.catalogue import registry
from quandary.catalogue.spec import Spec
from quandary.core.contract import Game
from quandary.core.errors import Mistake, unknown
from quandary.matches.engine import ATTEMPTS
from quandary.matches.player import Player
from quandary.models.budget import Budget
from quandary.models.client import Book, Line, NoBook, Patience
from quandary.models.prices import Prices
from quandary.models.provider import Decoding, Door, Usage
from quandary.models.rate_limiter import Gate

from . import table
from .asking import Asking, Named, Shown, is_model, parse

OWN_DOORS = ("local", "hf", "inspect")  # the others are presets of servers: see models/doors/providers.toml


@dataclass
class Crew:
    """Finds players, and keeps what models need while they play."""

    asking: Asking = field(default_factory=Asking)
    decoding: Decoding = field(default_factory=Decoding)
    address: str = ""  # of the server, where it is not the provider's own
    key_variable: str = ""  # the environment variable that holds the key, where it is not the provider's own
    connections: int | None = None  # calls at once at most
    timeout: float = 600.0  # seconds a call may take
    budget: Budget = field(default_factory=Budget)
    prices: Prices | None = None
    patience: Patience = field(default_factory=Patience)
    attempts: int = ATTEMPTS  # readings of one turn
    open_door: Callable[[Named], Door] | None = None  # another way to a model than its name says
    book: Book = field(default_factory=NoBook)
    tell: Callable[[str], None] = lambda words: None  # hears what users may want to know meanwhile
    lines: dict[str, Line] = field(default_factory=dict)
    gates: dict[str, Gate] = field(default_factory=dict)

    def find(self, name: str, game: Game, spec: Spec, match: str = "", shown: Shown | None = None) -> Player:
        """The player of that name for a match; `match` names it where its calls are written down, `shown` how it is put."""
        if not is_model(name):
            return table.find(name, game, spec.level, language=self.asking.language)
        from .model import Manner, Model
        from .prompting import Examples

        named = parse(name, replace(self.asking, shown=shown or self.asking.shown), self.decoding)
        examples = Examples(game, registry.level_of(spec))
        manner = Manner(named.asking, named.decoding, examples, match or str(spec), self.attempts)
        self._line(named)
        return Model(name, lambda: self._line(named), manner)

    def _line(self, named: Named) -> Line:
        model = f"{named.provider}/{named.model}"
        if model not in self.lines:
            from quandary.models import prices

            self.prices = self.prices or prices.load(None)
            if self.budget.dollars is not None and self.prices.cost(model, Usage(1, 1)) is None:
                raise Mistake(f"what {model} costs is not known, so --dollars cannot be kept; give a table with --prices.")
            door, start, most = self._open(named)
            if named.provider not in self.gates:  # one for all models of a provider: they share its limits
                self.gates[named.provider] = Gate(start, most)
                self.budget.at_the_end.append(self.gates[named.provider].throw_open)
            gate = self.gates[named.provider]
            self.lines[model] = Line(model, door, gate, self.book, self.budget, self.prices, self.patience)
            self.lines[model].tell, self.lines[model].timeout = self.tell, self.timeout
        return self.lines[model]

    def _open(self, named: Named) -> tuple[Door, int, int]:
        """The door to a model, and how many calls it takes at once, at first and at most."""
        most = self.connections
        if self.open_door:
            return self.open_door(named), most or 16, most or 256
        check_provider(named.provider)
        match named.provider:
            case "local":
                from quandary.models.providers.local import LocalDoor
                from quandary.models.providers.weights import find

                return LocalDoor(find(named.model)), 1, 1
            case "hf":
                from quandary.models.providers.hugging_face import HuggingFaceDoor

                return HuggingFaceDoor(named.model), 1, 1
            case "inspect":
                from quandary.models.providers.inspect_ai import InspectDoor

                return InspectDoor(named.model), 8, most or 64
        from quandary.models.providers import presets as providers

        others = {model.partition("/")[0] for model in self.lines} - {named.provider, *OWN_DOORS}
        if others and (self.address or self.key_variable):  # a key is for its own server
            raise Mistake(
                f"--base-url and --key-env are for one provider, but {named.provider} and {others.pop()} play; "
                f"set {providers.preset(named.provider).address_variable} and the providers' own key variables instead."
            )
        door = providers.open_door(named.provider, named.model, self.address, self.key_variable, self.timeout)
        return door, most or providers.preset(named.provider).connections, most or 256

    def servers(self, players: Sequence[str]) -> str:
        """Where the models among these players are asked, if not at their providers' own addresses."""
        from quandary.models.providers import presets as providers

        named = dict.fromkeys(player.partition("/")[0] for player in players if is_model(player))
        elsewhere = {name: providers.elsewhere(name, self.address) for name in named if name in providers.names()}
        told = {name: address for name, address in elsewhere.items() if address}
        return " ".join(told.values() if len(named) == 1 else (f"{name}={address}" for name, address in told.items()))

    def spent_before(self, model: str, usage: Usage, largest: Usage) -> None:
        """Count what calls to a model have cost in earlier sessions of a run: all of them, and the largest."""
        from quandary.models import prices

        self.prices = self.prices or prices.load(None)
        self.budget.before(usage, self.prices.cost(model, usage), largest, self.prices.cost(model, largest))

    @asynccontextmanager
    async def at_work(self, book: Book) -> AsyncIterator[None]:
        """While a run is on: calls are written down in `book`, and lines are closed at the end."""
        self.book = book
        for line in self.lines.values():
            line.book = book
        end = None
        if self.budget.minutes is not None:
            over = f"the time of {self.budget.minutes:g} minutes is over"
            end = asyncio.get_running_loop().call_later(60 * self.budget.minutes, self.budget.stop, over)
        try:
            yield
        finally:
            if end:
                end.cancel()
            for line in self.lines.values():
                await line.door.close()
            self.lines.clear()


def check_provider(name: str) -> None:
    """Raise the mistake of naming a provider that is not there."""
    from quandary.models.providers import presets as providers

    if name not in (*OWN_DOORS, *providers.names()):
        raise unknown("provider of models", name, [*OWN_DOORS, *providers.names()])
