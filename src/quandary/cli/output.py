"""How commands print for programs."""

from __future__ import annotations

import json
from typing import Any


def json_line(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False))
