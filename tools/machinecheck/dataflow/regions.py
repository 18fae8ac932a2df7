"""The buffers that a function is given: where each is secret, and what its public fields hold."""

from typing import NamedTuple, Optional

from .values import LEAST, MOST, TOP, Region, Value


class Problem(Exception):
    """An access that a contract does not allow, or that cannot be told from such."""


class Field(NamedTuple):
    at: int
    size: int
    secret: bool
    value: Value = TOP


class Buffer(Region):
    def __init__(self, name: str, size: Optional[int], secret: bool, fields: tuple[Field, ...] = (), constant: bool = False):
        """secret: where no field says otherwise. constant: may not be written."""
        super().__init__(name, size)
        self.secret, self.fields, self.constant = secret, fields, constant
        self.received = False  # it is the tag that open compares with

    def touched(self, lo: int, hi: int) -> list[Field]:
        return [field for field in self.fields if field.at < hi and field.at + field.size > lo]

    def inside(self, pointer: Value, size: int) -> bool:
        """Whether the access is at a place that is known well enough."""
        return self.size is not None and pointer.lo >= 0 and pointer.hi + size <= self.size

    def load(self, pointer: Value, size: int) -> tuple[int, Value]:
        everything = (1 << size) - 1
        if not self.inside(pointer, size):
            return everything if self.secret or any(f.secret for f in self.fields) else 0, TOP
        fields = self.touched(pointer.lo, pointer.hi + size)
        for field in fields:
            if pointer.constant and field.at == pointer.lo and field.size == size:
                return everything if field.secret else 0, field.value
        secret = any(field.secret for field in fields)
        if self.secret:
            inside = pointer.constant and all(
                any(f.at <= at < f.at + f.size for f in fields) for at in range(pointer.lo, pointer.lo + size)
            )
            secret |= not inside
        return everything if secret else 0, TOP

    def store(self, pointer: Value, size: int, secret: bool) -> None:
        if self.constant:
            raise Problem(f"writes to {self.name}, which is const")
        known = self.inside(pointer, size)
        if not secret:
            return
        fields = self.touched(pointer.lo, pointer.hi + size) if known else self.fields
        if any(not field.secret for field in fields) or (not self.secret and not (known and fields)):
            raise Problem(f"writes a secret to {pointer}, which is public")
