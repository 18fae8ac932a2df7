/* vg/status.h: what every call returns.
 *
 * A call that returns anything but VG_OK has written nothing, except where VG_ERR_AUTH says otherwise below. */
#ifndef VG_STATUS_H
#define VG_STATUS_H

#include <vg/config.h>

#ifdef __cplusplus
extern "C" {
#endif

enum vg_status {
    VG_OK = 0,
    VG_ERR_AUTH,      /* the tag is wrong: in place the text is the ciphertext again, out of place the output is zero */
    VG_ERR_CPU,       /* this CPU, its OS or VG_CPU_FEATURES leaves no variant of this build that can run */
    VG_ERR_KEY,       /* the key context was never set up, or it was cleared */
    VG_ERR_KEY_LEN,   /* not 16, 24 or 32 bytes, or a size that this build leaves out */
    VG_ERR_NONCE_LEN, /* 0 or over 2^61-1 bytes, or not 12 where this build knows only those */
    VG_ERR_AAD_LEN,   /* AAD over 2^61-1 bytes */
    VG_ERR_TEXT_LEN,  /* text over 2^36-32 bytes */
    VG_ERR_TAG_LEN,   /* not 16 bytes, or 4, 8, 12 to 15 where this build allows them */
    VG_ERR_NULL,      /* a null pointer with a length other than 0, or in place of a context, a nonce or a tag */
    VG_ERR_OVERLAP,   /* output overlaps input without being the same buffer, or the tag overlaps the output */
    VG_ERR_SLICES,    /* the lengths of the pieces do not sum to the stated total */
    VG_ERR_ORDER,     /* a stream call in the wrong order; the stream is as it was before */
    VG_ERR_SELF_TEST, /* a known answer came out wrong: do not use this library on this machine */
};

/* The meaning of status in one English sentence without a full stop, never NULL. */
const char *vg_status_text(enum vg_status status);

#ifdef __cplusplus
}
#endif
#endif
