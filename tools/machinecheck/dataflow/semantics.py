"""All instructions that the interpreter understands."""

from . import control, general, masks, vector
from .interpreter import Handler
from .program import Mask, Step, Unknown

HANDLERS: dict[str, Handler] = {**vector.HANDLERS, **general.HANDLERS}
PATTERNS = (
    (vector.MOVES, vector.move),
    (masks.COMPARISON, masks.compare),
    (masks.TEST, masks.test),
)
# Prefixes that change nothing here.
HARMLESS = {"notrack", "bnd", "cs", "ds", "es", "ss", "data16", "{evex}", "{vex}"}
REPEATED = {"stos", "movs"}

assert control and masks  # their handlers are registered


def handler(step: Step) -> Handler:
    name = step.mnemonic
    odd = [prefix for prefix in step.instruction.prefixes if prefix not in HARMLESS]
    returns = name == "ret" and odd == ["repz"]
    counts = name in ("tzcnt", "lzcnt", "popcnt")
    locked = odd == ["lock"]
    if odd and not returns and not counts and not locked and not (name in REPEATED and odd == ["rep"]):
        raise Unknown(f"there is no rule for {' '.join(odd)} {name}")
    found = HANDLERS.get(name)
    if found is None or step.operands and isinstance(step.operands[0], Mask):
        # With a mask as result, vpcmpeqb and its like are others than those of SSE and VEX.
        found = next((run for pattern, run in PATTERNS if pattern.match(name)), found)
    if found is None:
        raise Unknown(f"there is no rule for {name}")
    return found
