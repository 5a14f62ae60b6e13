"""What becomes of a walk: the verdict, the sentence that explains it, and the figures."""

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from footwork.walking.planning import WalkPlan


class Verdict(Enum):
    """How a walk ended."""

    ARRIVED = "arrived"
    MISSED = "missed the goal"
    REFUSED = "did nothing that was asked for"
    FELL = "fell"
    TIMED_OUT = "ran out of time"
    INTERRUPTED = "interrupted"
    BROKE = "simulation broke down"


@dataclass(frozen=True, kw_only=True, eq=False)
class WalkResult:
    """What became of a walk.

    Attributes:
        verdict: How it ended.
        message: The same in a sentence, with what went wrong.
        plan: What was to be walked.
        figures: Numbers of the summary, with units in their names.
        folder: Run folder; None when nothing was recorded.
    """

    verdict: Verdict
    message: str
    plan: WalkPlan
    figures: dict[str, Any] = field(default_factory=dict)
    folder: Path | None = None

    @property
    def has_arrived(self) -> bool:
        """Whether the robot stands where it was to be."""
        return self.verdict is Verdict.ARRIVED
