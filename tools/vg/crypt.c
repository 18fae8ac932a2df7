/* Seal and open one input of any length, in constant memory.
 *
 * The sealed form is [nonce, 12 bytes, if it was drawn] ciphertext tag[16]. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "tool.h"

#if VG_STREAM
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

enum { DRAWN_NONCE_LEN = 12, CHUNK = 1 << 18 };

static struct {
    uint8_t key[KEY_LEN_MAX];
    struct vg_aes_gcm gcm;
    struct vg_aes_gcm_stream stream;
    uint8_t text[CHUNK + VG_TAG_LEN];
} secret;

static void clean_up(void)
{
    output_discard();
    vg_aes_gcm_clear(&secret.gcm);
    explicit_bzero(&secret, sizeof secret);
}

static void set_up_key(const struct job *job)
{
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    atexit(clean_up);
    check(vg_aes_gcm_init(&secret.gcm, secret.key, load_key(&job->key, secret.key)));
    explicit_bzero(secret.key, sizeof secret.key);
}

/* Hand the AAD to the stream. It may be as long as a file can be. */
static void add_aad(const struct source *source)
{
    size_t len;
    const uint8_t *aad = load_short_aad(source, &len);
    check(vg_aes_gcm_stream_aad(&secret.stream, aad, len));
    if (!source->file)
        return;
    struct input input = input_open(source->file);
    while ((len = input_read(&input, secret.text, CHUNK)))
        check(vg_aes_gcm_stream_aad(&secret.stream, secret.text, len));
    close(input.fd);
}

/* Refuse before anything is written what is known to be too long. */
static void check_text_len(const struct input *input, uint64_t around)
{
    if (input->size != SIZE_UNKNOWN && input->size > VG_TEXT_MAX + around)
        fail(EXIT_USAGE, "%s is too long: one text has %" PRIu64 " bytes at most; split it", input->name, VG_TEXT_MAX);
}

static void open_output(const struct job *job, const struct input *input, bool hold)
{
    const struct output_options options = {.path = job->out, .force = job->force, .hold = hold};
    output_open(&options, input);
    bool on_terminal = !strcmp(job->out, "-") && isatty(STDOUT_FILENO);
    progress_start(input->size, job->quiet || on_terminal);
}

void seal_file(const struct job *job)
{
    static uint8_t nonce[NONCE_LEN_MAX];
    uint8_t tag[VG_TAG_LEN];
    size_t nonce_len = DRAWN_NONCE_LEN, len;
    bool drawn = !source_given(&job->nonce);
    set_up_key(job);
    if (!drawn)
        nonce_len = load_nonce(&job->nonce, nonce);
    else if (getrandom(nonce, nonce_len, 0) != (ssize_t)nonce_len)
        fail(EXIT_USAGE, "cannot draw a nonce: %s; give one with --nonce-hex", strerror(errno));
    check(vg_aes_gcm_stream_init(&secret.stream, &secret.gcm, nonce, nonce_len));
    struct input input = input_open(job->in);
    check_text_len(&input, 0);
    add_aad(&job->aad);
    open_output(job, &input, false);
    if (drawn)
        output_write(nonce, nonce_len);
    while ((len = input_read(&input, secret.text, CHUNK))) {
        check(vg_aes_gcm_stream_encrypt(&secret.stream, secret.text, len));
        output_write(secret.text, len);
        progress_add(len);
    }
    check(vg_aes_gcm_stream_finish(&secret.stream, tag));
    output_write(tag, sizeof tag);
    output_commit();
    progress_end();
}

#if VG_OPEN
_Noreturn static void fail_short(const struct input *input, size_t len, size_t least)
{
    fail(EXIT_USAGE, "%s is cut off: %zu bytes, but nonce and tag alone are %zu", input->name, len, least);
}

void open_file(const struct job *job)
{
    static uint8_t nonce[NONCE_LEN_MAX];
    size_t nonce_len = DRAWN_NONCE_LEN, before = 0, have = 0, got;
    set_up_key(job);
    struct input input = input_open(job->in);
    if (source_given(&job->nonce)) {
        nonce_len = load_nonce(&job->nonce, nonce);
    } else {
        before = input_read(&input, nonce, nonce_len);
        if (before < nonce_len)
            fail_short(&input, before, DRAWN_NONCE_LEN + VG_TAG_LEN);
    }
    check_text_len(&input, before + VG_TAG_LEN);
    check(vg_aes_gcm_stream_init(&secret.stream, &secret.gcm, nonce, nonce_len));
    add_aad(&job->aad);
    open_output(job, &input, true);
    progress_add(before);
    /* The last 16 bytes so far may be the tag: they stay back until more comes. */
    while ((got = input_read(&input, secret.text + have, CHUNK))) {
        have += got;
        progress_add(got);
        if (have <= VG_TAG_LEN)
            continue;
        size_t len = have - VG_TAG_LEN;
        check(vg_aes_gcm_stream_decrypt(&secret.stream, secret.text, len));
        output_write(secret.text, len);
        memmove(secret.text, secret.text + len, VG_TAG_LEN);
        have = VG_TAG_LEN;
    }
    if (have < VG_TAG_LEN)
        fail_short(&input, before + have, before + VG_TAG_LEN);
    enum vg_status status = vg_aes_gcm_stream_verify(&secret.stream, secret.text, VG_TAG_LEN);
    if (status == VG_ERR_AUTH)
        fail(EXIT_WRONG_TAG, "the tag is wrong: the data was changed, or the key, nonce or AAD is not the right one");
    check(status);
    output_commit();
    progress_end();
}
#endif
#endif

#if !VG_STREAM
void seal_file(const struct job *job)
{
    (void)job;
    fail(EXIT_USAGE, "this build leaves streams out; configure it with VG_STREAM=y");
}
#endif

#if !VG_STREAM || !VG_OPEN
void open_file(const struct job *job)
{
    (void)job;
    fail(EXIT_USAGE, "this build leaves %s out; configure it with %s=y", VG_OPEN ? "streams" : "decryption",
         VG_OPEN ? "VG_STREAM" : "VG_OPEN");
}
#endif
