/* Our variants that this CPU runs, each in the forms that this build has. */
#include "own_key.h"
#include <stdio.h>
#include <string.h>

#define LOOPS      ours_loops
#define HAS_OPEN   VG_OPEN
#define HAS_PIECES VG_GATHER
#define HAS_CHAIN  VG_CHAIN
#define HAS_STREAM VG_STREAM
#define HAS_BURST  VG_BURST

static inline int seal(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                       size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, uint8_t *tag)
{
    (void)c;
    if (src == dst)
        return vg_aes_gcm_seal(&k->gcm, nonce, 12, aad, aad_len, dst, len, tag);
    return vg_aes_gcm_seal_to(&k->gcm, nonce, 12, aad, aad_len, src, dst, len, tag);
}

#if HAS_OPEN
static inline int open(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                       size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, const uint8_t *tag)
{
    (void)c;
    if (src == dst)
        return vg_aes_gcm_open(&k->gcm, nonce, 12, aad, aad_len, dst, len, tag, 16);
    return vg_aes_gcm_open_to(&k->gcm, nonce, 12, aad, aad_len, src, dst, len, tag, 16);
}
#endif

#if HAS_PIECES
static inline int pieces(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                         size_t aad_len, const struct vg_slice *slices, size_t n, uint8_t *dst, size_t len,
                         uint8_t *tag)
{
    (void)c;
    return vg_aes_gcm_seal_gather(&k->gcm, nonce, 12, aad, aad_len, slices, n, dst, len, tag);
}
#endif

#if HAS_CHAIN
static inline int chain(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                        size_t aad_len, const struct vg_segment *segments, size_t n, uint8_t *tag)
{
    (void)c;
    return vg_aes_gcm_seal_chain(&k->gcm, nonce, 12, aad, aad_len, segments, n, tag);
}
#endif

#if HAS_STREAM
static inline int stream(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                         size_t aad_len, uint8_t *text, size_t len, size_t piece, uint8_t *tag)
{
    (void)c;
    struct vg_aes_gcm_stream s;
    int status = vg_aes_gcm_stream_init(&s, &k->gcm, nonce, 12);
    status |= vg_aes_gcm_stream_aad(&s, aad, aad_len);
    for (size_t at = 0; at < len; at += piece)
        status |= vg_aes_gcm_stream_encrypt(&s, text + at, len - at < piece ? len - at : piece);
    return status | vg_aes_gcm_stream_finish(&s, tag);
}
#endif

#if HAS_BURST
static inline int burst(const struct candidate *c, struct vg_packet *packets, size_t n)
{
    (void)c;
    return vg_aes_gcm_seal_burst(packets, n) != n;
}
#endif

#include "loops.h"

static void add(struct candidates *all, const struct vg_variant_info *info, uint32_t v, int prepared, const char *form)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", info->name, form);
    struct candidate *c = candidate_new(all, name, &ours_loops);
    c->variant = v;
    c->prepared = prepared;
}

/* Forms that are the same functions are one candidate. */
static int forms_differ(uint32_t v)
{
#if VG_CONTEXT_ADAPTIVE && VG_DISPATCH_RUNTIME
    return memcmp(&vg_variant_table[v]->form[0], &vg_variant_table[v]->form[1], sizeof(struct vg_form)) != 0;
#else
    (void)v;
    return VG_CONTEXT_ADAPTIVE;
#endif
}

void ours_add(struct candidates *all)
{
    struct vg_variant_info info;
    for (uint32_t v = 0; vg_variants(v, &info); v++) {
        if (info.missing) {
            report_text("missing", info.name, "this CPU cannot run it");
            continue;
        }
        if (!(info.needs & VG_CPU_PCLMULQDQ)) { /* no use for powers */
            add(all, &info, v, VG_CONTEXT_PREPARED, "");
        } else if (VG_CONTEXT_ADAPTIVE && forms_differ(v)) {
            add(all, &info, v, 1, "-prepared");
            add(all, &info, v, 0, "-base");
        } else {
            add(all, &info, v, !VG_CONTEXT_BASE, VG_CONTEXT_BASE ? "-base" : "-prepared");
        }
    }
}
