/* Debian's libipsec-mb: the direct AES-GCM calls of each of its instruction sets. */
#include "measure.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define PACKAGE "libipsec-mb-dev"

#if !__has_include(<intel-ipsec-mb.h>)
void ipsec_mb_add(struct candidates *all)
{
    (void)all;
    report_text("missing", "ipsec-mb", "built without its header: install " PACKAGE);
}
#else
#define LINUX
#include <intel-ipsec-mb.h>

#define LOOPS      ipsec_mb_loops
#define HAS_OPEN   1
#define HAS_PIECES 1
#define HAS_CHAIN  0
#define HAS_STREAM 1
#define HAS_BURST  0

/* The calls for one key size. */
struct calls {
    aes_gcm_pre_t pre;
    aes_gcm_enc_dec_t enc, dec;
    aes_gcm_init_t init;
    aes_gcm_enc_dec_update_t enc_update;
    aes_gcm_enc_dec_finalize_t enc_finalize;
};

/* `now` stands here rather than in the key contexts, whose size is measured: all keys of a moment have one size. */
struct library {
    struct calls calls[3];
    const struct calls *now;
};

struct context {
    struct gcm_key_data key;
};

static inline const struct calls *calls_of(const struct candidate *c) { return ((struct library *)c->library)->now; }

static inline int set_key(const struct candidate *c, struct context *k, const uint8_t *key, size_t key_len,
                          int for_open)
{
    (void)for_open;
    struct library *library = c->library;
    library->now = &library->calls[key_len / 8 - 2];
    library->now->pre(key, &k->key);
    return 0;
}

static inline void clear_key(const struct candidate *c, struct context *k)
{
    (void)c;
    memset(k, 0, sizeof *k);
}

static inline int seal(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                       size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, uint8_t *tag)
{
    struct gcm_context_data message;
    calls_of(c)->enc(&k->key, &message, dst, src, len, nonce, aad, aad_len, tag, 16);
    return 0;
}

/* The library leaves the comparison of tags to its user. */
static inline int open(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                       size_t aad_len, const uint8_t *src, uint8_t *dst, size_t len, const uint8_t *tag)
{
    struct gcm_context_data message;
    uint64_t computed[2], wanted[2];
    calls_of(c)->dec(&k->key, &message, dst, src, len, nonce, aad, aad_len, (uint8_t *)computed, 16);
    memcpy(wanted, tag, 16);
    return ((computed[0] ^ wanted[0]) | (computed[1] ^ wanted[1])) != 0;
}

static inline int pieces(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                         size_t aad_len, const struct vg_slice *slices, size_t n, uint8_t *dst, size_t len,
                         uint8_t *tag)
{
    if (len <= COPY_UP_TO) {
        copy_together(slices, n, dst);
        return seal(c, k, nonce, aad, aad_len, dst, dst, len, tag);
    }
    const struct calls *calls = calls_of(c);
    struct gcm_context_data message;
    calls->init(&k->key, &message, nonce, aad, aad_len);
    for (size_t i = 0; i < n; dst += slices[i++].len)
        calls->enc_update(&k->key, &message, dst, slices[i].data, slices[i].len);
    calls->enc_finalize(&k->key, &message, tag, 16);
    return 0;
}

static inline int stream(const struct candidate *c, struct context *k, const uint8_t *nonce, const uint8_t *aad,
                         size_t aad_len, uint8_t *text, size_t len, size_t piece, uint8_t *tag)
{
    const struct calls *calls = calls_of(c);
    struct gcm_context_data message;
    calls->init(&k->key, &message, nonce, aad, aad_len);
    for (size_t at = 0; at < len; at += piece)
        calls->enc_update(&k->key, &message, text + at, text + at, len - at < piece ? len - at : piece);
    calls->enc_finalize(&k->key, &message, tag, 16);
    return 0;
}

#include "loops.h"

struct arch {
    const char *name, *init;
    uint64_t needs;
};
static const struct arch archs[] = {
    {"ipsec-mb-sse", "init_mb_mgr_sse", IMB_CPUFLAGS_SSE},
    {"ipsec-mb-avx", "init_mb_mgr_avx", IMB_CPUFLAGS_AVX},
    {"ipsec-mb-avx2", "init_mb_mgr_avx2", IMB_CPUFLAGS_AVX2},
    {"ipsec-mb-avx512", "init_mb_mgr_avx512", IMB_CPUFLAGS_AVX512},
};
enum { ARCHS = sizeof archs / sizeof *archs };

#define CALLS_OF_SIZE(m, bits)                                                                                         \
    {                                                                                                                  \
        (m)->gcm##bits##_pre, (m)->gcm##bits##_enc, (m)->gcm##bits##_dec, (m)->gcm##bits##_init,                       \
            (m)->gcm##bits##_enc_update, (m)->gcm##bits##_enc_finalize                                                 \
    }

void ipsec_mb_add(struct candidates *all)
{
    static struct library libraries[ARCHS];
    void *so = dlopen("libIPSec_MB.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!so) {
        report_text("missing", "ipsec-mb", "no libIPSec_MB.so.1: install " PACKAGE);
        return;
    }
    IMB_MGR *(*alloc)(uint64_t) = (IMB_MGR * (*)(uint64_t)) dlsym(so, "alloc_mb_mgr");
    const char *(*version)(void) = (const char *(*)(void))dlsym(so, "imb_get_version_str");
    for (size_t i = 0; alloc && version && i < ARCHS; i++) {
        void (*init)(IMB_MGR *) = (void (*)(IMB_MGR *))dlsym(so, archs[i].init);
        IMB_MGR *m = alloc(0);
        if (!init || !m)
            continue;
        if ((m->features & archs[i].needs) != archs[i].needs) {
            report_text("missing", archs[i].name, "this CPU cannot run it");
            continue;
        }
        init(m);
        struct library library = {{CALLS_OF_SIZE(m, 128), CALLS_OF_SIZE(m, 192), CALLS_OF_SIZE(m, 256)}, NULL};
        libraries[i] = library;
        struct candidate *c = candidate_new(all, archs[i].name, &ipsec_mb_loops);
        c->library = &libraries[i];
        c->is_peer = 1;
        snprintf(c->version, sizeof c->version, "%s", version());
    }
}
#endif
