"""Where calls and jumps go, calls through the variant tables included."""

from dataclasses import dataclass, field
from typing import Optional

from .banners import declared_operations
from .effects import written_registers
from .machine import Build, Function, Instruction, Object
from .operands import Memory, Register

Point = tuple[str, str, int]  # object, section, address


@dataclass(frozen=True)
class Goal:
    """One place that a jump or call may go to: a point of the archive, or a name outside of it."""

    point: Optional[Point]
    name: str


@dataclass
class Table:
    """struct vg_variant of one variant: its bytes, and the function pointers in it by offset."""

    size: int
    operations: dict[int, Goal] = field(default_factory=dict)


class Calls:
    def __init__(self, build: Build):
        self.build = build
        self.objects = {one.name: one for one in build.objects}
        self.code: dict[Point, Instruction] = {}
        self.owner: dict[Point, Function] = {}
        for function in build.functions():
            for instruction in function:
                point = (function.object.name, function.section, instruction.address)
                self.code[point] = instruction
                self.owner[point] = function
        self.tables = self._tables()

    def _tables(self) -> dict[str, "Table"]:
        found = {}
        for one in self.build.objects:
            for symbol in one.symbols:
                name = symbol.name.removeprefix(self.build.prefix)
                if one.variant and name == f"vg_variant_{one.variant}" and symbol.section != "*UND*":
                    table = Table(symbol.size)
                    for r in one.relocations:
                        if r.section == symbol.section and 0 <= r.at - symbol.value < symbol.size:
                            goal = self.symbol_goal(one, r.symbol, r.addend)
                            if goal.point in self.code:
                                table.operations[r.at - symbol.value] = goal
                    if table.operations:
                        found[one.variant] = table
        return found

    def entry(self, function: Function) -> Point:
        return (function.object.name, function.section, function.address)

    def goal(self, one: Object, section: str, instruction: Instruction) -> Optional[Goal]:
        """Of a direct jump or call."""
        target = instruction.target
        assert target
        if target.address is not None:
            return Goal((one.name, section, target.address), f"{target.address:#x}")
        return self.symbol_goal(one, target.symbol or "", target.offset)

    def symbol_goal(self, one: Object, name: str, offset: int) -> Goal:
        symbol = one.symbol(name)
        if symbol is not None and symbol.section != "*UND*":
            return Goal((one.name, symbol.section, symbol.value + offset), name)
        there = self.build.global_symbol(name)
        if there:
            return Goal((there[0].name, there[1].section, there[1].value + offset), name)
        return Goal(None, name)

    def goals(self, point: Point) -> list[Goal]:
        """All places where the jump or call at this point may go; empty if that cannot be told."""
        instruction = self.code[point]
        one = self.objects[point[0]]
        if instruction.target:
            goal = self.goal(one, point[1], instruction)
            return [goal] if goal else []
        return self._indirect(point, instruction)

    def _indirect(self, point: Point, instruction: Instruction) -> list[Goal]:
        """Through a field of a variant's table: [base + field], or a register that was loaded so. An index picks one
        of the table's forms. Where C computed the field's address, it may be any operation; and
        where there are no tables, any function whose address is taken."""
        place = instruction.operands[0] if instruction.operands else None
        if isinstance(place, Register):
            place = self._loaded(point, place)
        known = isinstance(place, Memory) and place.base is not None and place.base.whole not in ("rip", "rsp")
        found = {}
        for table in self.tables.values():
            for offset in self.fields(place.disp, table) if known and isinstance(place, Memory) else ():
                goal = table.operations[offset]
                found[goal.name, goal.point] = goal
        if not found and self.objects[point[0]].is_c:
            found = {(g.name, g.point): g for table in self.tables.values() for g in table.operations.values()}
            found = found or {(g.name, g.point): g for g in self._addresses(point)}
        return list(found.values())

    def _addresses(self, point: Point) -> list[Goal]:
        """The functions whose addresses this function takes: a build without tables picks one of two forms so."""
        one = self.objects[point[0]]
        places = [o for i in self.owner[point] for o in i.operands if isinstance(o, Memory) and o.symbol]
        goals = [self.symbol_goal(one, place.symbol or "", place.offset) for place in places]
        return [goal for goal in goals if goal.point in self.code]

    def fields(self, offset: int, table: "Table") -> list[int]:
        """The field at this offset, and with adaptive contexts the same one of the other form."""
        found = [offset]
        if self.build.on("VG_CONTEXT_ADAPTIVE"):
            # init, powers and the like come first, then the base form, then the prepared one.
            begin = min(table.operations) + 8 * sum(not in_forms for _, in_forms in declared_operations())
            form = (table.size - begin) // 2
            if begin <= offset < begin + form:
                found.append(offset + form)
        return [offset for offset in found if offset in table.operations]

    def _loaded(self, point: Point, register: Register) -> Optional[Memory]:
        """What `register` was last loaded from, in the straight line before this point."""
        function = self.owner[point]
        before = [i for i in function if i.address < point[2]]
        for instruction in reversed(before):
            if instruction.is_jump or instruction.is_call or instruction.is_return:
                return None
            if register.whole in written_registers(instruction):
                loaded = instruction.mnemonic == "mov" and isinstance(instruction.operands[1], Memory)
                return instruction.operands[1] if loaded else None  # type: ignore[return-value]
        return None
