"""From an instruction to the CPU features that it needs: by mnemonic, encoding and width (Intel's SDM, volume 2).

Names of features are those of vg/info.h where it has one, CPUID's otherwise."""

from .machine import Instruction
from .operands import Memory, Register

CONDITIONS = "o no b ae e ne be a s ns p np l ge le g".split()


def names(text: str) -> list[str]:
    """Words; a word with braces stands for several: p{and,or} is pand and por; {cc} for every condition."""
    found = []
    for word in text.split():
        before, brace, rest = word.partition("{")
        inside, _, after = rest.partition("}")
        choices = CONDITIONS if inside == "cc" else inside.split(",")
        found += [before + choice + end for choice in choices for end in names(after) or [""]] if brace else [word]
    return found


def table(**features: str) -> dict[str, str]:
    return {name: feature for feature, text in features.items() for name in names(text)}


# No prefix 62, c4 or c5. "baseline" is x86-64: SSE2 and CMOV.
LEGACY = table(
    baseline="""
    mov movabs mov{zx,sx,sxd} lea push pop xchg cmpxchg cmpxchg8b xadd bswap cdq cdqe cqo cwde cbw cwd
    add adc sub sbb inc dec neg not and or xor cmp test mul imul div idiv
    shl shr sar rol ror rcl rcr shld shrd bt bts btr btc bsf bsr set{cc} cmov{cc} stc clc cmc cld std sahf lahf
    j{cc} jmp jrcxz jecxz call ret leave nop ud2 hlt int3 endbr64 pause xlat enter loop loope loopne
    movs{b,w,q} stos{b,w,d,q} stos movs lods scas cmps lods{b,w,d,q} scas{b,w,d,q} cmps{b,w,q}
    mov{d,q} movdq{a,u} mov{a,u}p{s,d} mov{h,l}p{s,d} movhlps movlhps movmsk{ps,pd} movs{s,d} movnt{dq,i,ps,pd}
    movhps movhpd movlps movlpd movaps movapd movups movupd
    pand pandn por pxor and{ps,pd} andn{ps,pd} or{ps,pd} xor{ps,pd}
    padd{b,w,d,q} psub{b,w,d,q} padds{b,w} paddus{b,w} psubs{b,w} psubus{b,w} pavg{b,w} psadbw pmaddwd
    pmul{lw,hw,huw,udq} pmin{ub,sw} pmax{ub,sw} pcmpeq{b,w,d} pcmpgt{b,w,d} pmovmskb
    psll{w,d,q,dq} psrl{w,d,q,dq} psra{w,d} pshufd pshuf{lw,hw} shufps shufpd
    punpckl{bw,wd,dq,qdq} punpckh{bw,wd,dq,qdq}
    unpckl{ps,pd} unpckh{ps,pd} packss{wb,dw} packuswb pinsrw pextrw
    lfence mfence sfence prefetcht{0,1,2} prefetchnta prefetchw clflush ldmxcsr stmxcsr cpuid rdtsc
    """,
    sse3="lddqu movddup movsldup movshdup haddps haddpd hsubps hsubpd addsubps addsubpd",
    ssse3="pshufb palignr pabs{b,w,d} psign{b,w,d} phadd{w,d,sw} phsub{w,d,sw} pmaddubsw pmulhrsw",
    sse41="""
    ptest pextr{b,d,q} pinsr{b,d,q} pblendw pblendvb blendps blendpd blendvps blendvpd pmulld pmuldq pcmpeqq packusdw
    pminsb pminuw pminud pminsd pmaxsb pmaxuw pmaxud pmaxsd movntdqa insertps extractps mpsadbw phminposuw
    pmovzx{bw,bd,bq,wd,wq,dq} pmovsx{bw,bd,bq,wd,wq,dq} dpps dppd roundps roundpd roundss roundsd
    """,
    sse42="pcmpgtq pcmpestri pcmpestrm pcmpistri pcmpistrm crc32",
    aes="aesenc aesenclast aesdec aesdeclast aesimc aeskeygenassist",
    pclmulqdq="pclmulqdq",
    gfni="gf2p8mulb gf2p8affineqb gf2p8affineinvqb",
    sha="sha1rnds4 sha1nexte sha1msg1 sha1msg2 sha256rnds2 sha256msg1 sha256msg2",
    popcnt="popcnt",
    lzcnt="lzcnt",
    bmi1="tzcnt",
    movbe="movbe",
    adx="adcx adox",
    xsave="xgetbv xsetbv xsave xsave64 xrstor xrstor64 xsavec xsavec64 xsaveopt",
    rdrand="rdrand",
    rdseed="rdseed",
    rdtscp="rdtscp",
    cmpxchg16b="cmpxchg16b",
)

# Prefix c4 or c5. The first table holds for 128 and 256 bits, the second is avx2 at 256.
VEX_ANY_WIDTH = table(
    avx="""
    vzeroupper vzeroall vmovdqa vmovdqu vmova{ps,pd} vmovu{ps,pd} vlddqu vptest vtest{ps,pd} vxor{ps,pd} vand{ps,pd}
    vandn{ps,pd} vor{ps,pd} vshuf{ps,pd} vunpckl{ps,pd} vunpckh{ps,pd} vblend{ps,pd} vblendv{ps,pd} vpermil{ps,pd}
    vmovmsk{ps,pd} vmovnt{dq,ps,pd} vbroadcast{ss,sd} vbroadcastf128 vinsertf128 vextractf128 vperm2f128 vmaskmov{ps,pd}
    vmovddup vmovsldup vmovshdup
    """,
    avx2="""
    vpbroadcast{b,w,d,q} vbroadcasti128 vinserti128 vextracti128 vperm2i128 vperm{q,d,ps,pd} vpblendd
    vpsllv{d,q} vpsrlv{d,q} vpsravd vpmaskmov{d,q} vpgather{dd,dq,qd,qq}
    """,
    bmi1="andn bextr blsi blsr blsmsk",
    bmi2="bzhi mulx pdep pext rorx shlx shrx sarx",
    gfni="vgf2p8mulb vgf2p8affineqb vgf2p8affineinvqb",
    avx512f="kmovw kandw korw kxorw knotw kandnw kxnorw kortestw kunpckbw kshiftlw kshiftrw",
    avx512bw="""
    kmov{d,q} kand{d,q} kor{d,q} kxor{d,q} knot{d,q} kandn{d,q} kxnor{d,q} kortest{d,q} ktest{d,q} kadd{d,q}
    kshiftl{d,q} kshiftr{d,q} kunpckwd kunpckdq
    """,
    avx512dq="kmovb kandb korb kxorb knotb kandnb kxnorb kortestb ktest{b,w} kadd{b,w} kshiftlb kshiftrb",
)
VEX_INTEGER = set(
    names(
        """
    vmov{d,q} vmovh{ps,pd} vmovl{ps,pd} vmovhlps vmovlhps vpand vpandn vpor vpxor vpadd{b,w,d,q} vpsub{b,w,d,q}
    vpcmpeq{b,w,d,q} vpcmpgt{b,w,d,q} vpmovmskb vpsll{w,d,q,dq} vpsrl{w,d,q,dq} vpsra{w,d} vpshuf{b,d,lw,hw} vpalignr
    vpunpckl{bw,wd,dq,qdq} vpunpckh{bw,wd,dq,qdq} vpackss{wb,dw} vpackus{wb,dw} vpblendw vpblendvb
    vpinsr{b,w,d,q} vpextr{b,w,d,q} vpabs{b,w,d} vpsign{b,w,d} vpavg{b,w} vpsadbw vpmaddwd vpmaddubsw
    vpmul{lw,hw,huw,udq,ld,dq,hrsw} vpmin{ub,uw,ud,sb,sw,sd} vpmax{ub,uw,ud,sb,sw,sd} vmovntdqa
    vpmovzx{bw,bd,bq,wd,wq,dq} vpmovsx{bw,bd,bq,wd,wq,dq}
    """
    )
)

# Prefix 62. Below 512 bits, avx512vl comes on top.
EVEX = table(
    avx512f="""
    vmovdqa{32,64} vmovdqu{32,64} vmova{ps,pd} vmovu{ps,pd} vmov{d,q} vmovnt{dq,ps,pd} vmovntdqa
    vpand{d,q} vpandn{d,q} vpor{d,q} vpxor{d,q} vpternlog{d,q} vpadd{d,q} vpsub{d,q} vpmuludq vpmuldq vpmulld
    vpsll{d,q} vpsrl{d,q} vpsra{d,q} vpsllv{d,q} vpsrlv{d,q} vpsrav{d,q} vprol{d,q} vpror{d,q} vprolv{d,q} vprorv{d,q}
    vpshufd vpunpckl{dq,qdq} vpunpckh{dq,qdq} valign{d,q} vshufi{32x4,64x2} vshuff{32x4,64x2}
    vperm{d,q,ps,pd} vpermi2{d,q,ps,pd} vpermt2{d,q,ps,pd} vpermil{ps,pd} vpblendm{d,q} vblendm{ps,pd}
    vpbroadcast{d,q} vbroadcasti{32x4,64x4} vbroadcastf{32x4,64x4} vbroadcast{ss,sd}
    vextracti{32x4,64x4} vinserti{32x4,64x4} vextractf{32x4,64x4} vinsertf{32x4,64x4}
    vpcmp{d,q,ud,uq} vpcmpeq{d,q} vpcmpgt{d,q} vptestm{d,q} vptestnm{d,q} vpmin{ud,uq,sd,sq} vpmax{ud,uq,sd,sq}
    vpcompress{d,q} vpexpand{d,q} vpabs{d,q} vpmovzx{bd,bq,wd,wq,dq} vpmovsx{bd,bq,wd,wq,dq} vpmov{db,dw,qb,qw,qd}
    """,
    avx512bw="""
    vmovdqu{8,16} vpshuf{b,lw,hw} vpalignr vpsll{w,dq} vpsrl{w,dq} vpsraw vpsllvw vpsrlvw vpsravw vpadd{b,w} vpsub{b,w}
    vpunpckl{bw,wd} vpunpckh{bw,wd} vpcmp{b,w,ub,uw} vpcmpeq{b,w} vpcmpgt{b,w} vptestm{b,w} vptestnm{b,w} vpblendm{b,w}
    vpbroadcast{b,w} vpmul{lw,hw,huw,hrsw} vpmaddwd vpmaddubsw vpackss{wb,dw} vpackus{wb,dw} vpmovm2{b,w} vpmov{b,w}2m
    vpermw vpermi2w vpermt2w vpsadbw vpinsr{b,w} vpextr{b,w} vpabs{b,w} vpavg{b,w} vpmovwb vpmovzxbw vpmovsxbw
    vpmin{ub,uw,sb,sw} vpmax{ub,uw,sb,sw}
    """,
    avx512dq="""
    vxor{ps,pd} vand{ps,pd} vor{ps,pd} vandn{ps,pd} vpmullq vpinsr{d,q} vpextr{d,q} vpmovm2{d,q} vpmov{d,q}2m
    vextracti{64x2,32x8} vinserti{64x2,32x8} vbroadcasti{32x2,64x2,32x8}
    """,
    avx512vbmi="vpermb vpermi2b vpermt2b vpmultishiftqb",
    avx512vbmi2="vpshld{w,d,q} vpshrd{w,d,q} vpshldv{w,d,q} vpshrdv{w,d,q} vpcompress{b,w} vpexpand{b,w}",
    gfni="vgf2p8mulb vgf2p8affineqb vgf2p8affineinvqb",
)
# One element, whatever the width: no avx512vl.
EVEX_SCALAR = {"vmovd", "vmovq", *names("vpinsr{b,w,d,q} vpextr{b,w,d,q}")}
AES = set(names("vaes{enc,enclast,dec,declast}"))


def width(instruction: Instruction) -> int:
    """Bytes of the widest vector."""
    sizes = [word.size for word in instruction.operands if isinstance(word, Register) and word.is_vector]
    sizes += [word.size for word in instruction.operands if isinstance(word, Memory) and not word.broadcast]
    return max(sizes, default=0)


def _vex(mnemonic: str, size: int) -> frozenset[str]:
    if mnemonic in AES or mnemonic == "vpclmulqdq":
        narrow, wide = ("aes", "vaes") if mnemonic in AES else ("pclmulqdq", "vpclmulqdq")
        return frozenset({"avx", wide if size > 16 else narrow})
    if mnemonic in ("vaesimc", "vaeskeygenassist"):
        return frozenset({"avx", "aes"})
    if mnemonic in VEX_INTEGER:
        return frozenset({"avx2" if size > 16 else "avx"})
    if mnemonic in VEX_ANY_WIDTH:
        feature = VEX_ANY_WIDTH[mnemonic]
        return frozenset({feature, "avx"} if feature == "gfni" else {feature})
    return frozenset()


def _evex(mnemonic: str, size: int) -> frozenset[str]:
    vl = {"avx512vl"} if size < 64 and mnemonic not in EVEX_SCALAR else set()
    if mnemonic in AES or mnemonic == "vpclmulqdq":
        return frozenset({"avx512f", "vaes" if mnemonic in AES else "vpclmulqdq"} | vl)
    if mnemonic in EVEX:
        return frozenset({"avx512f", EVEX[mnemonic]} | vl)
    return frozenset()


def needs(instruction: Instruction) -> frozenset[str]:
    """The features an instruction needs, {"baseline"} if none; empty if the instruction is not known."""
    if instruction.encoding == "legacy":
        feature = LEGACY.get(instruction.mnemonic)
        return frozenset({feature}) if feature else frozenset()
    by_encoding = _vex if instruction.encoding == "vex" else _evex
    return by_encoding(instruction.mnemonic, width(instruction))
