#include <vg/status.h>

/* One behind the other, in the order of enum vg_status: a table of pointers would have to be relocated. */
static const char texts[] =
    "success\0"
    "the tag is wrong: key, nonce, AAD, text or tag is not what was sealed\0"
    "no variant of this build can run on this CPU and OS, or VG_CPU_FEATURES asks for what is not there\0"
    "the key context was not set up\0"
    "the key length is not one that this build supports\0"
    "the nonce length is not one that this build supports\0"
    "the AAD is longer than 2^61-1 bytes\0"
    "the text is longer than 2^36-32 bytes\0"
    "the tag length is not one that this build supports\0"
    "a pointer is null where it may not be\0"
    "input and output overlap without being the same, or the tag lies inside the output\0"
    "the lengths of the pieces do not sum to the stated length\0"
    "the stream is not in a state that allows this call\0"
    "a known answer came out wrong\0"
    "unknown status";

const char *vg_status_text(enum vg_status status)
{
    const char *text = texts;
    unsigned before = (unsigned)status <= VG_ERR_SELF_TEST ? (unsigned)status : VG_ERR_SELF_TEST + 1;
    for (; before; text++)
        before -= !*text;
    return text;
}
