"""The regions that parameters lead to: buffers, and the library's structures with their public members."""

from ..banners import Parameter
from . import values
from .layout import Layout
from .regions import Buffer, Field
from .values import TOP, Region, Value


class Structures:
    def __init__(self, layout: Layout, variants: int, key_lengths: tuple[int, ...]):
        self.layout = layout
        rounds = [n // 4 + 6 for n in key_lengths]
        key = layout.members["vg_aes_gcm"]
        self.key_fields = (
            Field(key["rounds"], 4, False, values.between(min(rounds), max(rounds), 2)),
            Field(key["variant"], 4, False, values.between(0, variants - 1)),
            Field(key["prepared"], 4, False, values.between(0, 1)),
            Field(key["calls"], 4, False, TOP),
        )

    def pointer(self, parameter: Parameter, structure: str, secret: bool, constant: bool, verdict: bool) -> Value:
        """structure: what it points to, "" for bytes."""
        name = parameter.name
        if structure == "vg_aes_gcm":
            region = self.key(name, secret, constant)
        elif structure == "vg_aes_gcm_stream":
            region = self.stream(name)
        elif structure == "vg_run":
            region = Buffer(name, self.layout.sizes["vg_run"], secret, (), constant)
        elif structure:
            region = self.rows(name, structure, verdict)
        else:
            region = Buffer(name, int(parameter.size) if parameter.size.isdigit() else None, secret, (), constant)
            region.received = verdict and name == "tag"
        return values.between(0, 0, 0, region)

    def rows(self, name: str, structure: str, verdict: bool) -> Buffer:
        """An array of structures: public pointers to secrets, and lengths."""
        fields = []
        for member, at in self.layout.members[structure].items():
            if member == "status":
                fields.append(Field(at, 4, False))
                continue
            region: Region | None = None
            if member == "gcm":
                region = self.key(f"{name}[].gcm", True, False)
            elif not member.endswith("len"):
                public = member == "nonce" or member == "tag" and verdict
                size = {"nonce": 12, "tag": 16}.get(member)
                region = Buffer(f"{name}[].{member}", size, not public)
                region.received = verdict and member == "tag"
            fields.append(Field(at, 8, False, values.between(0, 0, 0, region) if region else TOP))
        region = Buffer(name, self.layout.sizes[structure], False, tuple(fields))
        region.rows = True
        return region

    def key(self, name: str, secret: bool, constant: bool) -> Buffer:
        region = Buffer(name, self.layout.sizes["vg_aes_gcm"], secret, self.key_fields, constant)
        region.alignment = 16
        return region

    def stream(self, name: str) -> Buffer:
        at = self.layout.members["vg_aes_gcm_stream"]
        key = Value(self.key(f"{name}->gcm", True, False), 0, 0, 0)
        fields = (
            Field(at["aad_len"], 8, False), Field(at["len"], 8, False), Field(at["gcm"], 8, False, key),
            Field(at["state"], 4, False, values.between(0, 3)),
        )  # fmt: skip
        region = Buffer(name, self.layout.sizes["vg_aes_gcm_stream"], True, fields)
        region.alignment = 16
        return region
