# ruff: noqa: N802, N815 (the names of the field)
"""The plainest twin of tasks, SubTasks and aggregates, as docs/explanation/stack.md states them."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass
class Node:
    """A task that has rows of its own (``A`` given), or rows of one father, or several children."""

    name: str
    raw_A: Array | None = None
    raw_b: Array | None = None
    raw_W: Array | None = None
    father: "Node | None" = None
    rows: tuple[int, ...] = ()
    children: tuple["Node", ...] = ()
    lambda_: float = 1.0
    own_hessian: str | None = None
    on: bool = True
    own_mask: Array | None = None
    across: Array | None = None
    own_constraints: list[str] = field(default_factory=list)

    @property
    def full_A(self) -> Array:
        """Rows without anybody's mask or switch."""
        if self.raw_A is not None:
            return self.raw_A
        if self.father is not None:
            return self.father.full_A[list(self.rows)]
        return np.vstack([child.full_A for child in self.children])

    @property
    def x_size(self) -> int:
        return int(self.full_A.shape[1])

    @property
    def size(self) -> int:
        return int(self.full_A.shape[0])

    @property
    def A(self) -> Array:
        if self.raw_A is not None:
            A = self.raw_A.copy()
        elif self.father is not None:
            A = self.father.A[list(self.rows)]
        else:
            A = np.vstack([child.A for child in self.children])
        if self.own_mask is not None:
            A = A * self.own_mask
        return A if self.on else np.zeros_like(A)

    @property
    def error(self) -> Array:
        """What λ of this node scales; these generic tasks have no feed-forward."""
        if self.raw_b is not None:
            return self.raw_b
        if self.father is not None:
            return self.father.b[list(self.rows)]
        return np.concatenate([child.b for child in self.children])

    @property
    def b(self) -> Array:
        return self.lambda_ * self.error

    @property
    def W(self) -> Array:
        if self.raw_W is not None:
            return self.raw_W
        if self.father is not None:
            return self.father.W[np.ix_(self.rows, self.rows)]
        W = np.zeros((self.size, self.size)) if self.across is None else self.across.copy()
        first = 0
        for child in self.children:
            last = first + child.size
            W[first:last, first:last] = child.W
            first = last
        return W

    def set_weight(self, W: Array) -> None:
        if self.raw_W is not None:
            self.raw_W = W.copy()
        elif self.father is not None:
            whole = self.father.W.copy()
            whole[np.ix_(self.rows, self.rows)] = W
            self.father.set_weight(whole)
        else:
            self.across = W.copy()
            first = 0
            for child in self.children:
                last = first + child.size
                child.set_weight(W[first:last, first:last])
                first = last

    def set_rows(self, A: Array, b: Array) -> None:
        if len(A) != self.size:
            self.raw_W = np.eye(len(A))
        self.raw_A, self.raw_b = A, b

    @property
    def active(self) -> bool:
        return self.on and (self.father is None or self.father.active)

    @property
    def mask_owner(self) -> "Node":
        return self if self.father is None else self.father.mask_owner

    @property
    def mask(self) -> Array:
        mask = self.mask_owner.own_mask
        return np.ones(self.x_size) if mask is None else mask

    @property
    def hessian(self) -> str:
        if self.father is not None:
            return "SEMIDEF" if self.father.hessian == "IDENTITY" else self.father.hessian
        if self.own_hessian is not None:
            return self.own_hessian
        kinds = {child.hessian for child in self.children}
        if len(self.children) == 1:
            return self.children[0].hessian
        if kinds == {"ZERO"}:
            return "ZERO"
        if kinds & {"POSDEF", "IDENTITY"}:
            return "POSDEF"
        return "UNKNOWN" if "UNKNOWN" in kinds else "SEMIDEF"

    @property
    def list_owner(self) -> "Node":
        return self if self.father is None else self.father.list_owner

    @property
    def constraints(self) -> list[str]:
        owner = self.list_owner
        inherited = [name for child in owner.children for name in child.constraints]
        return list(dict.fromkeys([*inherited, *owner.own_constraints]))

    @property
    def id(self) -> str:
        if self.father is not None:
            return f"{self.father.id}_{runs(self.rows)}"
        if self.children:
            return "+".join(child.id for child in self.children)
        return self.name


def runs(rows: tuple[int, ...]) -> str:
    """Ascending runs as ``0to2``, joined by ``plus``."""
    out: list[list[int]] = []
    for row in rows:
        if out and out[-1][-1] + 1 == row:
            out[-1].append(row)
        else:
            out.append([row])
    return "plus".join(f"{r[0]}" if len(r) == 1 else f"{r[0]}to{r[-1]}" for r in out)
