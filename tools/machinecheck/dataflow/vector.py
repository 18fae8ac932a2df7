"""What vector instructions do to secrets: a table of mnemonics, and how secrets spread within each.

A result byte depends on the source bytes in its own lane: a byte for logic, an element for arithmetic, 16 bytes for
AES, products and most shuffles, all of the register for the others."""

import re

from . import values
from .general import on, set_flags, smear
from .interpreter import DIFFERENT, EQUAL, RECEIVED, Handler, Interpreter, every
from .program import Constant, General, Mask, Place, Step, Unknown, Vector
from .regions import Buffer
from .state import STACK
from .values import TOP, Value

BYTE, WORD, LONG, QUAD, LANE, WHOLE = 1, 2, 4, 8, 16, 64

# In SSE, VEX and EVEX encoding, as far as each exists: the same name, with v in front of the latter two.
SPREAD = {
    BYTE: "pand pandn por pxor andps andpd andnps andnpd orps orpd xorps xorpd pandd pandq pandnd pandnq pord porq pxord "
    "pxorq paddb psubb paddusb psubusb paddsb psubsb pavgb pminub pmaxub pminsb pmaxsb pcmpeqb pcmpgtb pabsb psignb "
    "pblendvb blendmb pblendmb gf2p8mulb popcntb",
    WORD: "paddw psubw paddusw psubusw paddsw psubsw pavgw pminuw pmaxuw pminsw pmaxsw pcmpeqw pcmpgtw pabsw psignw "
    "pmullw pmulhw pmulhuw pmulhrsw pmaddubsw psllw psrlw psraw psllvw psrlvw psravw pblendw pblendmw pshldw pshrdw "
    "pshldvw pshrdvw popcntw",
    LONG: "paddd psubd pminud pmaxud pminsd pmaxsd pcmpeqd pcmpgtd pabsd psignd pmulld pmaddwd pslld psrld psrad psllvd "
    "psrlvd psravd prold prord prolvd prorvd pblendd pblendmd blendps blendvps pshldd pshrdd pshldvd pshrdvd popcntd",
    QUAD: "paddq psubq pcmpeqq pcmpgtq pabsq pmullq pmuludq pmuldq psadbw psllq psrlq psraq psllvq psrlvq psravq prolq "
    "prorq prolvq prorvq pblendmq blendpd blendvpd pshldq pshrdq pshldvq pshrdvq pminuq pmaxuq pminsq pmaxsq "
    "gf2p8affineqb gf2p8affineinvqb popcntq pmultishiftqb",
    LANE: "pshufb pshufd pshufhw pshuflw palignr pslldq psrldq punpcklbw punpcklwd punpckldq punpcklqdq punpckhbw "
    "punpckhwd punpckhdq punpckhqdq packsswb packssdw packuswb packusdw shufps shufpd unpcklps unpcklpd unpckhps "
    "unpckhpd permilps permilpd aesenc aesenclast aesdec aesdeclast aesimc aeskeygenassist pclmulqdq movddup movshdup "
    "movsldup movhlps movlhps phaddd phaddw phminposuw",
    WHOLE: "perm2i128 perm2f128 permq permpd permd permps permb permw permt2b permt2w permt2d permt2q permi2b permi2w "
    "permi2d permi2q alignd alignq shufi32x4 shufi64x2 shuff32x4 shuff64x2 pexpandb pexpandw pexpandd pexpandq "
    "pcompressb pcompressw pcompressd pcompressq pmovzxbw pmovzxbd pmovzxbq pmovzxwd pmovzxwq pmovzxdq pmovsxbw "
    "pmovsxbd pmovsxbq pmovsxwd pmovsxwq pmovsxdq",
}  # fmt: skip
LANES = {name: lane for lane, names in SPREAD.items() for name in names.split()}
# What is the same for all values when both sources are one register.
ALIKE = re.compile(r"v?(pxor[dq]?|xorp[sd]|psub(us|s)?[bwdq]|pandn[dq]?|andnp[sd]|pcmp(eq|gt)[bwdq])$")
# In SSE encoding these write their first operand without reading it.
UNREAD = {"pshufd", "pshufhw", "pshuflw", "pabsb", "pabsw", "pabsd", "aesimc", "aeskeygenassist", "movddup", "movshdup",
          "movsldup", "phminposuw"} | {name for name in LANES if re.match(r"pmov[zs]x", name)}  # fmt: skip
# In EVEX encoding these read their first operand too.
READ = re.compile(r"v(pternlog[dq]|permt2[bwdq]|permi2[bwdq]|pshldv[wdq]|pshrdv[wdq])$")
MOVES = re.compile(
    r"v?(movdqa|movdqu|movaps|movups|movapd|movupd|lddqu|movntdq|movntps|movntpd|movntdqa)$|vmovdqa(32|64)$|vmovdqu(8|16|32|64)$"
)


def spread(secret: int, lane: int, size: int) -> int:
    if not secret:
        return 0
    if lane == BYTE or secret == every(size):
        return secret
    if lane >= size:
        return every(size)
    result, one = 0, every(lane)
    for at in range(0, size, lane):
        if secret >> at & one:
            result |= one << at
    return result


# Operands.


def about(m: Interpreter, word: object) -> object:
    return m.state.about.get(("v", word.register)) if type(word) is Vector else None


def read(m: Interpreter, word: object, size: int) -> int:
    """The secret bytes of a source of size bytes."""
    if type(word) is Vector:
        return m.state.vector[word.register] & every(min(word.size, size))
    if type(word) is Constant:
        return 0
    if type(word) is Place:
        secret = load(m, word)[0]
        if word.broadcast:
            return sum(secret << at for at in range(0, size, word.size))
        return secret
    if type(word) is General:
        return m.read(word)[0]
    if type(word) is Mask:
        return smear(m.state.mask[word.register], size)
    raise Unknown(f"operand {word}")


def load(m: Interpreter, place: Place) -> tuple[int, Value]:
    pointer = m.address(place)
    if place.mask is not None and m.state.mask[place.mask]:
        m.finds(m.step, "address", "which bytes are read depends on a secret")
    return m.load(pointer, place.size)


def write(m: Interpreter, to: object, secret: int, size: int, keeps_above: bool, what: object = None) -> None:
    """Write size bytes of a vector register, or memory."""
    if type(to) is Place:
        store(m, to, secret, what)
        return
    if type(to) is not Vector:
        raise Unknown(f"a vector result in {to}")
    n, old = to.register, m.state.vector[to.register]
    if to.mask is not None:
        secret |= 0 if to.zeroing else old & every(size)
        if m.state.mask[to.mask]:
            secret = every(size)
        what = what if what is DIFFERENT else None
    m.note(("v", n), secret)
    m.state.vector[n] = secret | (old & ~every(size) if keeps_above else 0)
    m.state.about.pop(("v", n), None)
    if what is not None:
        m.state.about["v", n] = what


def store(m: Interpreter, place: Place, secret: int, what: object = None) -> None:
    pointer = m.address(place)
    if place.mask is not None:
        if m.state.mask[place.mask]:
            m.finds(m.step, "address", "which bytes are written depends on a secret")
        m.store(pointer, within(pointer, place.size), secret, maybe=True)
        return
    m.store(pointer, place.size, secret)
    if isinstance(what, tuple) and pointer.base is STACK and pointer.constant:
        for n, value in enumerate(what):
            if 8 * n < place.size and value is not TOP:
                m.state.slots[pointer.lo + 8 * n] = 8, value


def within(pointer: Value, size: int) -> int:
    """Bytes that a masked access may touch in memory of known size: its mask must see to the rest."""
    base = pointer.base
    if isinstance(base, Buffer) and base.size is not None and values.bounded(pointer):
        return max(1, min(size, base.size - pointer.hi))
    return size


def is_sse(step: Step) -> bool:
    return step.instruction.encoding == "legacy"


def size_of(step: Step) -> int:
    return max(word.size for word in step.operands if type(word) in (Vector, Place) and not getattr(word, "broadcast", False))


# Handlers.


def operation(name: str, lane: int) -> Handler:
    bare = name.removeprefix("v")
    tags = bare in FOLLOWED or None

    def plan(step: Step) -> tuple:
        to, *sources = step.operands
        sse = is_sse(step)
        if sse and bare not in UNREAD or READ.match(name):
            sources = [to, *sources]
        if name in ("pblendvb", "blendvps", "blendvpd") and len(sources) == 2:
            sources.append(Vector(0, 16, None, False))
        if "blendm" in bare:
            to = to._replace(zeroing=True)  # the mask chooses between the sources
        sources = [word for word in sources if type(word) is not Constant]
        alike = ALIKE.match(name) and len(sources) == 2 and same(*sources) and (to.mask is None or to.zeroing)
        return to, sources, to.size, sse, bool(alike)

    def handler(m: Interpreter, step: Step) -> None:
        if step.plan is None:
            step.plan = plan(step)
        to, sources, size, sse, alike = step.plan
        if alike:
            write(m, to, 0, size, sse)
            return
        secret = 0
        for word in sources:
            secret |= read(m, word, size)
        write(m, to, spread(secret, lane, size), size, sse, tags and result_about(m, bare, sources))

    return handler


def same(a: object, b: object) -> bool:
    return type(a) is Vector and type(b) is Vector and a.register == b.register and a.size == b.size


def received(m: Interpreter, word: object) -> object:
    """RECEIVED or DIFFERENT where the operand is a tag that came with a message, or differs from one."""
    if type(word) is Place:
        base = m.address(word).base
        return RECEIVED if isinstance(base, Buffer) and base.received and not word.broadcast else None
    return about(m, word)


FOLLOWED = {"pcmpeqb", "pxor", "pxord", "pxorq", "por", "pord", "porq", "punpcklqdq"}


def result_about(m: Interpreter, bare: str, sources: list) -> object:
    known = [received(m, word) for word in sources]
    if bare == "pcmpeqb" and RECEIVED in known:
        return EQUAL
    if bare.startswith("pxor") and (RECEIVED in known or DIFFERENT in known):
        return DIFFERENT
    if bare.startswith("por") and known == [DIFFERENT, DIFFERENT]:
        return DIFFERENT
    if bare == "punpcklqdq" and all(isinstance(what, tuple) for what in known):
        return known[0][0], known[1][0]
    return None


def handlers_of_table() -> dict[str, Handler]:
    found = {}
    for name, lane in LANES.items():
        for spelt in (name, "v" + name):
            found[spelt] = operation(spelt, lane)
    return found


def move(m: Interpreter, step: Step) -> None:
    to, source = step.operands
    size, what = size_of(step), None
    if type(source) is Place:
        pointer = m.address(source)
        if type(to) is Vector and to.mask is not None:
            if m.state.mask[to.mask]:
                m.finds(step, "address", "which bytes are read depends on a secret")
            secret = m.load(pointer, within(pointer, size))[0]
        else:
            secret = m.load(pointer, size)[0]
            if isinstance(pointer.base, Buffer) and pointer.base.received:
                what = RECEIVED
    else:
        secret, what = read(m, source, size), about(m, source)
    write(m, to, secret, size, is_sse(step), what)


@on("movd", "movq", "vmovd", "vmovq")
def move_low(m: Interpreter, step: Step) -> None:
    """The other bytes of the 16 become 0."""
    to, source = step.operands
    size = 4 if step.mnemonic.endswith("d") else 8
    if type(to) is Vector:
        what: object = None
        if type(source) is Vector:
            secret = read(m, source, size)
            known = about(m, source)
            what = (known[0], values.ZERO) if isinstance(known, tuple) else None
        else:
            secret, value = m.read(source)
            if size == 8 and value is not TOP:
                what = value, values.ZERO
        write(m, to, secret & every(size), 16, is_sse(step), what)
        return
    known = about(m, source)
    m.write(to, read(m, source, size), known[0] if isinstance(known, tuple) and size == 8 else TOP)


@on("movss", "movsd", "vmovss", "vmovsd")
def move_scalar(m: Interpreter, step: Step) -> None:
    to, *sources = step.operands
    size = 4 if step.mnemonic.endswith("ss") else 8
    if type(to) is Place:
        m.write(to, read(m, sources[0], size))
    elif type(sources[-1]) is Place:
        write(m, to, read(m, sources[-1], size), 16, is_sse(step))
    else:
        above = read(m, sources[0] if len(sources) == 2 else to, 16) & ~every(size)
        write(m, to, read(m, sources[-1], size) | above, 16, is_sse(step))


@on("movhps", "movhpd", "movlps", "movlpd", "vmovhps", "vmovhpd", "vmovlps", "vmovlpd")
def move_half(m: Interpreter, step: Step) -> None:
    to, *sources = step.operands
    high = "movh" in step.mnemonic
    if type(to) is Place:
        source = sources[0]
        secret, known = m.state.vector[source.register], about(m, source)
        value = known[high] if isinstance(known, tuple) else TOP
        m.write(to, secret >> 8 * high & every(8), value)
        return
    old, known = sources[0] if len(sources) == 2 else to, None
    secret, value = m.read(sources[-1])
    parts = list(about(m, old)) if isinstance(about(m, old), tuple) else [TOP, TOP]
    parts[high] = value
    kept = read(m, old, 16) & (every(8) if high else every(8) << 8)
    known = tuple(parts) if parts != [TOP, TOP] else None
    write(m, to, kept | secret << 8 * high, 16, is_sse(step), known)


@on(*(f"{v}pinsr{size}" for v in ("", "v") for size in "bwdq"))
def insert(m: Interpreter, step: Step) -> None:
    to, *sources, at = step.operands
    old = sources[0] if len(sources) == 2 else to
    size = {"b": 1, "w": 2, "d": 4, "q": 8}[step.mnemonic[-1]]
    secret, value = m.read(sources[-1])
    place = at.value * size % 16
    bits = every(size) << place
    known = None
    if size == 8 and isinstance(about(m, old), tuple):
        parts = list(about(m, old))
        parts[place // 8] = value
        known = tuple(parts)
    write(m, to, read(m, old, 16) & ~bits | (secret & every(size)) << place, 16, is_sse(step), known)


@on(*(f"{v}pextr{size}" for v in ("", "v") for size in "bwdq"))
def extract(m: Interpreter, step: Step) -> None:
    to, source, at = step.operands
    size = {"b": 1, "w": 2, "d": 4, "q": 8}[step.mnemonic[-1]]
    secret = m.state.vector[source.register] >> at.value * size % 16 & every(size)
    if type(to) is General:
        m.write(General(to.register, max(to.size, 4), 0), secret)
    else:
        m.write(to, secret)


PARTS = {"128": 16, "32x4": 16, "64x2": 16, "32x8": 32, "64x4": 32}


@on(*(f"vextract{kind}{part}" for kind in "fi" for part in PARTS))
def extract_part(m: Interpreter, step: Step) -> None:
    to, source, at = step.operands
    size = PARTS[step.mnemonic.removeprefix("vextract")[1:]]
    place = at.value * size % source.size
    write(m, to, m.state.vector[source.register] >> place & every(size), size, False)


@on(*(f"vinsert{kind}{part}" for kind in "fi" for part in PARTS))
def insert_part(m: Interpreter, step: Step) -> None:
    to, old, source, at = step.operands
    size = PARTS[step.mnemonic.removeprefix("vinsert")[1:]]
    place = at.value * size % to.size
    secret = read(m, old, to.size) & ~(every(size) << place) | read(m, source, size) << place
    write(m, to, secret, to.size, False)


@on(*(f"vbroadcast{kind}{part}" for kind in "fi" for part in PARTS), "vbroadcastss", "vbroadcastsd", "vbroadcasti32x2",
    "vbroadcastf32x2", *(f"vpbroadcast{size}" for size in "bwdq"))  # fmt: skip
def broadcast(m: Interpreter, step: Step) -> None:
    to, source = step.operands
    name = re.sub(r"vp?broadcast[fi]?", "", step.mnemonic)
    size = PARTS.get(name) or {"b": 1, "w": 2, "d": 4, "q": 8, "ss": 4, "sd": 8, "32x2": 8}[name]
    secret = read(m, source, size) & every(size)
    write(m, to, sum(secret << at for at in range(0, to.size, size)), to.size, False)


@on("pmovmskb", "vpmovmskb", "movmskps", "movmskpd", "vmovmskps", "vmovmskpd")
def signs(m: Interpreter, step: Step) -> None:
    to, source = step.operands
    secret = smear(read(m, source, source.size), to.size)
    equal = about(m, source) is EQUAL and step.mnemonic.endswith("b") and source.size == 16
    m.write(to, secret, Value(EQUAL, 0, every(source.size), 1) if equal else TOP)


@on("ptest", "vptest", "vtestps", "vtestpd")
def test(m: Interpreter, step: Step) -> None:
    a, b = step.operands
    secret = read(m, a, a.size) | read(m, b, a.size)
    verdict = "e" if "ptest" in step.mnemonic and same(a, b) and about(m, a) is DIFFERENT else ""
    set_flags(m, secret, "unknown", verdict=verdict)


@on("vpternlogd", "vpternlogq")
def ternary(m: Interpreter, step: Step) -> None:
    to, b, c, table = step.operands
    secret = 0
    for source, bit in ((to, 4), (b, 2), (c, 1)):
        if any((table.value >> n ^ table.value >> (n ^ bit)) & 1 for n in range(8)):
            secret |= read(m, source, to.size)
    write(m, to, secret, to.size, False)


@on("vzeroupper", "vzeroall")
def zero(m: Interpreter, step: Step) -> None:
    for n in range(16):
        m.state.vector[n] &= every(16) if step.mnemonic == "vzeroupper" else 0
        if step.mnemonic == "vzeroall":
            m.state.about.pop(("v", n), None)


HANDLERS: dict[str, Handler] = handlers_of_table()
