"""What the models on the site have cost since it exists, and whether they can still be asked."""

from __future__ import annotations

import json
import logging

from quandary.models.budget import Spent
from quandary.models.pool import ClientPool

from .database import Database, Unwritable

KEY = "spent"  # in the table of the site
log = logging.getLogger(__name__)


class ModelBudget:
    """The budget of all models, which the database remembers."""

    def __init__(self, database: Database, clients: ClientPool) -> None:
        self.database, self.clients = database, clients
        before = Spent(*json.loads(database.value(KEY, json.dumps(Spent()))))
        clients.budget.add_spent(before)
        clients.budget.on_spend.append(self._keep)

    @property
    def is_used_up(self) -> bool:
        return bool(self.clients.budget.used_up)

    def _keep(self) -> None:
        try:
            self.database.put(KEY, json.dumps(self.clients.budget.spent))
        except Unwritable as reason:  # the reply is paid for, so it is used nevertheless
            log.warning("what models cost cannot be kept now: %s", reason)

    def try_again(self) -> None:
        """After calls were stopped: a fault, such as a wrong key, may be over at the next call."""
        self.clients.allow_again()
