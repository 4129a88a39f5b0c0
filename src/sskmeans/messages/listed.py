"""Many values in few words."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


def listed(values: Collection[Any], limit: int = 8) -> str:
    """The first of the values, and how many there are."""
    shown = ", ".join(repr(getattr(v, "item", lambda v=v: v)()) for v in list(values)[:limit])
    return shown + (f", ... ({len(values)} in all)" if len(values) > limit else "")
