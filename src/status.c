#include <vg/status.h>

const char *vg_status_text(enum vg_status status)
{
    switch (status) {
    case VG_OK:
        return "success";
    case VG_ERR_AUTH:
        return "the tag is wrong: key, nonce, AAD, text or tag is not what was sealed";
    case VG_ERR_CPU:
        return "no variant of this build can run on this CPU and OS, or VG_CPU_FEATURES asks for what is not there";
    case VG_ERR_KEY:
        return "the key context was not set up";
    case VG_ERR_KEY_LEN:
        return "the key length is not one that this build supports";
    case VG_ERR_NONCE_LEN:
        return "the nonce length is not one that this build supports";
    case VG_ERR_AAD_LEN:
        return "the AAD is longer than 2^61-1 bytes";
    case VG_ERR_TEXT_LEN:
        return "the text is longer than 2^36-32 bytes";
    case VG_ERR_TAG_LEN:
        return "the tag length is not one that this build supports";
    case VG_ERR_NULL:
        return "a pointer is null where it may not be";
    case VG_ERR_OVERLAP:
        return "input and output overlap without being the same, or the tag lies inside the output";
    case VG_ERR_SLICES:
        return "the lengths of the pieces do not sum to the stated length";
    case VG_ERR_ORDER:
        return "the stream is not in a state that allows this call";
    case VG_ERR_SELF_TEST:
        return "a known answer came out wrong";
    }
    return "unknown status";
}
