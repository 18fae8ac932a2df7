"""Data-independent timing: only instructions whose time does not depend on the data they work on.

INDEPENDENT agrees with Intel's "Data Operand Independent Timing Instructions" (README.md has the address and says how
this list was made). PUBLIC are the others that kernels may have, on public operands: what kernels do with secrets is
for the dataflow check, which may ask kind_of(). COMPILER is what compilers make of C besides: not on Intel's list, but
without arithmetic on the data, or with a fixed count."""

from typing import Optional

from .features import names
from .frame import Report, rule
from .machine import Build, Instruction
from .operands import Immediate, Memory

INDEPENDENT = set(
    names(
        """
        adc adcx add adox and andn bt btc btr bts cmov{cc} cmp dec imul inc lea mov movabs movs{x,xd} movzx mul mulx neg
        not or pop push sar sbb set{cc} shl shlx shr shrx sub test xor leave
        aes{enc,enclast,dec,declast,imc,keygenassist} pclmulqdq gf2p8{affineqb,affineinvqb,mulb}
        movd movq movdqa movdqu movnt{dq,dqa} lddqu movddup mov{shdup,sldup}
        pabs{b,w,d} packss{wb,dw} packus{wb,dw} padd{b,w,d,q} palignr pand pandn pavg{b,w} pblendvb pblendw
        pcmpeq{b,w,d,q} pcmpgt{b,w,d,q} pextr{b,w,d,q} pinsr{b,w,d,q} pmaddubsw pmaddwd pmovmskb
        pmul{dq,hrsw,huw,hw,ld,lw,udq}
        pmax{sb,sw,sd,ub,uw,ud} pmin{sb,sw,sd,ub,uw,ud} pmovsx{bw,bd,bq,wd,wq,dq} pmovzx{bw,bd,bq,wd,wq,dq}
        por psadbw pshuf{b,d,hw,lw} psign{b,w,d} psll{w,d,q,dq} psra{w,d} psrl{w,d,q,dq} psub{b,w,d,q} ptest
        punpckh{bw,wd,dq,qdq} punpckl{bw,wd,dq,qdq} pxor
        vaes{enc,enclast,dec,declast,imc,keygenassist} vpclmulqdq vgf2p8{affineqb,affineinvqb,mulb}
        valign{d,q} vblendm{ps,pd} vbroadcast{f128,i128,ss,sd,i32x4,i64x2,i64x4,i32x8,f32x4,f64x4}
        vextract{f128,i128,i32x4,i64x2,i64x4,i32x8,f32x4,f64x4} vinsert{f128,i128,i32x4,i64x2,i64x4,i32x8,f32x4,f64x4}
        vlddqu vmov{d,q,dqa,dqu,dqa32,dqa64,dqu8,dqu16,dqu32,dqu64,ntdq,ntdqa,ddup,shdup,sldup}
        vpabs{b,w,d,q} vpackss{wb,dw} vpackus{wb,dw} vpadd{b,w,d,q} vpalignr vpand vpand{d,q} vpandn vpandn{d,q}
        vpavg{b,w}
        vpblend{d,w,vb} vpblendm{b,w,d,q} vpbroadcast{b,w,d,q} vpcmpeq{b,w,d,q} vpcmpgt{b,w,d,q}
        vpcmp{b,w,d,q,ub,uw,ud,uq}
        vperm2{f128,i128} vperm{d,q,w,ps,pd} vpermi2{w,d,q,ps,pd} vpermt2{w,d,q,ps,pd} vpermil{ps,pd}
        vpextr{b,w,d,q} vpinsr{b,w,d,q} vpmadd{ubsw,wd} vpmovmskb vpmovm2{b,w,d,q} vpmov{b,w,d,q}2m
        vpmov{db,dw,qb,qw,qd,wb} vpmovsx{bw,bd,bq,wd,wq,dq} vpmovzx{bw,bd,bq,wd,wq,dq}
        vpmax{sb,sw,sd,sq,ub,uw,ud,uq} vpmin{sb,sw,sd,sq,ub,uw,ud,uq} vpmul{dq,hrsw,huw,hw,ld,lq,lw,udq}
        vpor vpor{d,q} vprol{d,q} vprolv{d,q} vpror{d,q} vprorv{d,q} vpsadbw
        vpshuf{b,d,hw,lw} vpshld{w,d,q} vpshldv{w,d,q} vpshrd{w,d,q} vpshrdv{w,d,q} vpsign{b,w,d}
        vpsll{w,d,q,dq} vpsllv{w,d,q} vpsra{w,d,q} vpsrav{w,d,q} vpsrl{w,d,q,dq} vpsrlv{w,d,q} vpsub{b,w,d,q}
        vpternlog{d,q} vptest vptestm{b,w,d,q} vptestnm{b,w,d,q} vpunpckh{bw,wd,dq,qdq} vpunpckl{bw,wd,dq,qdq}
        vpxor vpxor{d,q} vshuff{32x4,64x2} vshufi{32x4,64x2} vzeroall vzeroupper
        kadd{b,w,d,q} kand{b,w,d,q} kandn{b,w,d,q} kmov{b,w,d,q} knot{b,w,d,q} kor{b,w,d,q} kortest{b,w,d,q}
        kshiftl{b,w,d,q} kshiftr{b,w,d,q} ktest{b,w,d,q} kunpck{bw,wd,dq} kxnor{b,w,d,q} kxor{b,w,d,q}
        """
    )
)
PUBLIC = set(names("call ret jmp j{cc} nop endbr64 bswap stc clc cmc prefetcht{0,1,2} prefetchnta lfence"))
COMPILER = set(
    names(
        """
        mov{a,u}p{s,d} mov{h,l}{ps} movhpd movlpd movlhps movhlps shufps shufpd unpckl{ps,pd} unpckh{ps,pd}
        and{ps,pd} andnps or{ps,pd} xor{ps,pd} movss movmskps movmskpd psubus{b,w} paddus{b,w}
        bswap rol ror shld shrd xchg xadd cmpxchg bsf bsr cdqe cdq cqo cwde stos movs ud2 sfence mfence
        """
    )
)
# With a count or an index in a register these differ, or are not on the list.
FIXED_COUNT = {"rol", "ror", "shld", "shrd"}
# CPUID and XGETBV ask the CPU what it is. Nothing there is secret.
PROBES = {"src-cpu.o": {"cpuid", "xgetbv"}}


def kind_of(instruction: Instruction, is_c: bool) -> Optional[str]:
    """independent, public or compiler; None if it may not be used at all."""
    mnemonic = instruction.mnemonic
    if instruction.bytes in (b"\x66\x90", b"\x90"):  # xchg ax,ax: a nop of two bytes
        return "public"
    if mnemonic in ("bt", "btc", "btr", "bts") and isinstance(instruction.operands[0], Memory):
        return None  # goes to another address
    if mnemonic in INDEPENDENT:
        return "independent"
    if mnemonic in PUBLIC and not (is_c and mnemonic in COMPILER):
        return "public"
    if is_c and mnemonic in COMPILER:
        by_register = len(instruction.operands) > 1 and not isinstance(instruction.operands[-1], Immediate)
        return None if mnemonic in FIXED_COUNT and by_register else "compiler"
    return None


@rule("timing", "no instruction whose time depends on data: no division, only what Intel lists for secrets")
def timing(build: Build, report: Report) -> None:
    for function in build.functions():
        report.sees(function)
        for instruction in function:
            if instruction.mnemonic in PROBES.get(function.object.name, ()):
                continue
            if kind_of(instruction, function.object.is_c) is None:
                report.finds(function, "its time may depend on data, or is not known not to", instruction)
