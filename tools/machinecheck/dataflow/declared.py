"""What is secret in C: the operations of a variant, as the banners of kernels say it, and all other C functions.

Lists are those of a banner, Secret and Public; a pointer has its bytes behind it where a caller's summary wants them."""

import os
import re
from typing import NamedTuple

from ..banners import ROOT, Prototype, prototype


class Lists(NamedTuple):
    secret: str
    public: str


# Operations of src/variant.h: the portable variant, and every variant as C calls it.
OPERATIONS = {
    "init": Lists("gcm, key[key_len]", "pointers, lengths"),
    "powers": Lists("gcm", "pointers"),
    "ctr32_to": Lists("gcm, counter[16], src[16*n], dst[16*n]", "pointers, n"),
    "ghash": Lists("gcm, y[16], data[16*n]", "pointers, n"),
    "crypt_run": Lists("gcm, run[64], src[16*n], dst[16*n]", "pointers, n, flags"),
    "seal": Lists("gcm, aad[aad_len], src[len], dst[len], tag[16]", "pointers, lengths, nonce[12]"),
    "seal_split": Lists("gcm, aad[aad_len], src[len], dst[len], tag[16]", "pointers, lengths, nonce[12]"),
    "seal_slices": Lists("gcm, aad[aad_len], dst[len], tag[16]", "pointers, lengths, nonce[12], slices"),
    "open": Lists("gcm, aad[aad_len], src[len], dst[len]", "pointers, lengths, nonce[12], tag[16], verdict"),
}  # fmt: skip

# Other C functions that many call: each is followed once, and a call of it is what this says.
SHARED = {
    "vg_crypt_message": Lists("gcm, aad[aad_len], src[len], dst[len], tag[16]", "pointers, lengths, nonce[nonce_len]"),
    "vg_seal_whole": Lists("gcm, aad[aad_len], src[len], dst[len], tag[16]", "pointers, lengths, nonce[nonce_len]"),
    "vg_open_message": Lists("gcm, aad[aad_len], src[len], dst[len]", "pointers, lengths, nonce[nonce_len], tag[tag_len]"),
    "vg_open_whole": Lists("gcm, aad[aad_len], src[len], dst[len]", "pointers, lengths, nonce[nonce_len], tag[tag_len]"),
}  # fmt: skip

# Parameters of the other C functions by their names: what they point to is secret, or public, everywhere.
SECRET = "gcm key round_keys aad text src dst data y counter run stream packets segments a b expected".split()
PUBLIC = "nonce".split()
# A tag is secret until it is given out; what came with a message is public, and so is what comparing it gave.
VERDICTS = {
    "vg_aes_gcm_open", "vg_aes_gcm_open_to", "vg_aes_gcm_open_chain", "vg_aes_gcm_open_burst",
    "vg_aes_gcm_stream_verify", "vg_open_message", "vg_open_whole",
}  # fmt: skip
EQUAL = "vg_equal"  # its result is the verdict of those who call it
# These see no secret: they are given numbers and names; the self-test's keys and texts are printed in its source.
WITHOUT_SECRETS = {"src-cpu.o", "src-info.o", "src-select.o", "src-self_test.o", "src-status.o"}
# These copy slices together on the stack, within bounds that only sums of lengths tell: they are not followed, and what
# they alone call is not reached. tests/secrets.c runs them under valgrind instead.
NOT_FOLLOWED = {
    "vg_aes_gcm_seal_gather", "vg_aes_gcm_seal_split", "vg_aes_gcm_seal_chain", "vg_aes_gcm_open_chain",
    "vg_gather", "vg_seal_slices", "vg_seal_slices_unstitched",
}  # fmt: skip
OF_NOT_FOLLOWED = {"src-gather.o", "src-split.o", "src-chain.o", "src-slices.o"}
DECLARATION = re.compile(r"^(?:static )?(?:enum |const )?(\w+) \*?(vg_\w+)\(([^;{}]*)\)(?=;| *\{|\n\{)", re.M)


def lists_of(name: str, shape: Prototype) -> Lists:
    """Of a C function that is no operation."""
    secret, public = [], ["pointers", "lengths"]
    for parameter in shape.parameters:
        tag = parameter.name == "tag"
        if parameter.is_pointer and (parameter.name in SECRET or tag and name not in VERDICTS):
            secret.append(parameter.name)
        elif not parameter.is_pointer or parameter.name in PUBLIC or tag:
            public.append(parameter.name)
    if name in VERDICTS:
        public.append("verdict")
    return Lists(", ".join(secret), ", ".join(public))


def prototypes(folders: tuple[str, ...]) -> dict[str, Prototype]:
    """Of the functions that the headers in these folders declare."""
    found = {}
    for folder in folders:
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            if not name.endswith(".h"):
                continue
            with open(os.path.join(ROOT, folder, name), encoding="utf-8") as file:
                text = re.sub(r"VG_AT_LEAST\((\d+)\)", r"static \1", file.read())
            for returns, function, parameters in DECLARATION.findall(text):
                shape = prototype(f"{returns} f({parameters});")
                if shape:
                    found[function] = shape
    return found
