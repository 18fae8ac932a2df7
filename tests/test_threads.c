/* Can threads share a key, whatever they do with it, and while it prepares itself? To be run under ThreadSanitizer,
 * too. */
#include "harness/check.h"
#include "harness/message.h"
#include "harness/setups.h"
#include <internal.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <vg/vg.h>

enum { THREADS = 8, MESSAGES = 6 };

static struct message messages[MESSAGES];
static const struct vg_aes_gcm *shared;
static pthread_barrier_t start;
static size_t rounds;

struct worker {
    pthread_t thread;
    size_t number, failures;
    uint8_t text[2048];
};

static size_t seals_and_opens(struct worker *w, const struct message *m)
{
    uint8_t tag[16];
    size_t failures = 0;
    memcpy(w->text, m->text, m->len);
    failures += vg_aes_gcm_seal(shared, m->nonce, 12, m->aad, m->aad_len, w->text, m->len, tag) != VG_OK;
    failures += memcmp(tag, m->tag, 16) || memcmp(w->text, m->cipher, m->len);
#if VG_OPEN
    failures += vg_aes_gcm_open(shared, m->nonce, 12, m->aad, m->aad_len, w->text, m->len, tag, 16) != VG_OK;
    failures += memcmp(w->text, m->text, m->len) != 0;
    tag[0] ^= 1;
    failures += vg_aes_gcm_open_to(shared, m->nonce, 12, m->aad, m->aad_len, m->cipher, w->text, m->len, tag, 16) !=
                VG_ERR_AUTH;
#endif
#if VG_GATHER
    const struct vg_slice slices[] = {{m->text, m->len - 1}, {m->text + m->len - 1, 1}};
    failures +=
        vg_aes_gcm_seal_gather(shared, m->nonce, 12, m->aad, m->aad_len, slices, 2, w->text, m->len, tag) != VG_OK;
    failures += memcmp(tag, m->tag, 16) || memcmp(w->text, m->cipher, m->len);
#endif
#if VG_CHAIN
    const struct vg_segment segments[] = {{m->text, w->text, m->len / 3},
                                          {m->text + m->len / 3, w->text + m->len / 3, m->len - m->len / 3}};
    failures += vg_aes_gcm_seal_chain(shared, m->nonce, 12, m->aad, m->aad_len, segments, 2, tag) != VG_OK;
    failures += memcmp(tag, m->tag, 16) || memcmp(w->text, m->cipher, m->len);
#endif
#if VG_STREAM
    struct vg_aes_gcm_stream stream;
    memcpy(w->text, m->text, m->len);
    failures += vg_aes_gcm_stream_init(&stream, shared, m->nonce, 12) != VG_OK;
    failures += vg_aes_gcm_stream_aad(&stream, m->aad, m->aad_len) != VG_OK;
    failures += vg_aes_gcm_stream_encrypt(&stream, w->text, m->len / 2) != VG_OK;
    failures += vg_aes_gcm_stream_encrypt(&stream, w->text + m->len / 2, m->len - m->len / 2) != VG_OK;
    failures += vg_aes_gcm_stream_finish(&stream, tag) != VG_OK;
    failures += memcmp(tag, m->tag, 16) || memcmp(w->text, m->cipher, m->len);
#endif
    return failures;
}

static void *work(void *argument)
{
    struct worker *w = argument;
    pthread_barrier_wait(&start);
    for (size_t i = 0; i < rounds; i++)
        w->failures += seals_and_opens(w, &messages[(w->number + i) % MESSAGES]);
    return NULL;
}

/* All threads at once with this key; returns how many calls went wrong. */
static size_t run_threads(const struct vg_aes_gcm *gcm, size_t how_many_rounds)
{
    static struct worker workers[THREADS];
    size_t failures = 0;
    shared = gcm;
    rounds = how_many_rounds;
    cr_assert(!pthread_barrier_init(&start, NULL, THREADS));
    for (size_t i = 0; i < THREADS; i++) {
        workers[i].number = i;
        workers[i].failures = 0;
        cr_assert(!pthread_create(&workers[i].thread, NULL, work, &workers[i]));
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        failures += workers[i].failures;
    }
    pthread_barrier_destroy(&start);
    return failures;
}

/* Messages under one key, of lengths around what makes an adaptive key count. */
static void make_messages(struct random *r, size_t key_len)
{
    uint8_t key[32];
    random_fill(r, key, sizeof key);
    for (size_t i = 0; i < MESSAGES; i++) {
        message_random(&messages[i], r, key_len, 12, 5 * i, 37 + 361 * i);
        memcpy(messages[i].key, key, key_len);
        message_update(&messages[i]);
    }
}

Test(threads, share_a_key)
{
    struct setup setups[SETUPS_MAX];
    struct random r = random_new(110);
    size_t n = setups_find(setups);
    for (size_t k = 0; k < key_sizes_count; k++) {
        make_messages(&r, key_sizes[k]);
        for (size_t s = 0; s < n; s++) {
            struct vg_aes_gcm gcm;
            setup_key(&setups[s], &gcm, messages[0].key, key_sizes[k]);
            struct vg_aes_gcm same = gcm;
            CHECK(run_threads(&gcm, 300) == 0, "%s, key %zu", setups[s].label, key_sizes[k]);
            CHECK(!memcmp(&gcm, &same, sizeof gcm), "%s, key %zu: the key changed", setups[s].label, key_sizes[k]);
        }
    }
}

/* The first call of all finds out what the CPU can do: in several threads at once. */
static void *set_up(void *argument)
{
    struct vg_aes_gcm *gcm = argument;
    pthread_barrier_wait(&start);
    enum vg_status status = vg_aes_gcm_init(gcm, messages[0].key, messages[0].key_len);
    return (void *)(uintptr_t)status;
}

Test(threads, set_up_keys_at_once)
{
    static struct vg_aes_gcm gcm[THREADS];
    pthread_t thread[THREADS];
    struct random r = random_new(111);
    make_messages(&r, key_sizes[0]);
    cr_assert(!pthread_barrier_init(&start, NULL, THREADS));
    for (size_t i = 0; i < THREADS; i++)
        cr_assert(!pthread_create(&thread[i], NULL, set_up, &gcm[i]));
    for (size_t i = 0; i < THREADS; i++) {
        void *status;
        pthread_join(thread[i], &status);
        CHECK(status == NULL && !memcmp(&gcm[i], &gcm[0], sizeof gcm[0]), "thread %zu", i);
    }
}

#if VG_CONTEXT_ADAPTIVE
/* How many calls of what length prepare a key as vg_aes_gcm_init sets it up; 0 if nothing does. */
static size_t prepared_after, prepared_min_len;

static void find_thresholds(void)
{
    struct vg_variant_info info;
    for (size_t v = 0; vg_variants(v, &info); v++)
        if (info.chosen && vg_threshold(v, VG_THRESHOLD_PREPARED_AFTER) != VG_THRESHOLD_NONE) {
            prepared_after = vg_threshold(v, VG_THRESHOLD_PREPARED_AFTER);
            prepared_min_len = vg_threshold(v, VG_THRESHOLD_PREPARED_MIN_LEN);
        }
    if (!prepared_after)
        fprintf(stderr, "SKIPPED: keys that prepare themselves: the variant chosen here has no use for it\n");
}

/* The powers are there as soon as the flag says so. */
struct observer {
    pthread_t thread;
    const struct vg_aes_gcm *gcm, *other;
    int wrong;
};

static void *observe(void *argument)
{
    struct observer *o = argument;
    while (!vg_is_prepared(o->gcm))
        sched_yield();
    o->wrong = memcmp(o->gcm->power, o->other->power, sizeof o->gcm->power) != 0;
    return NULL;
}

/* A new key again and again, which prepares itself while all threads use it. */
Test(threads, a_key_prepares_itself_in_use, .init = find_thresholds)
{
    struct random r = random_new(112);
    for (size_t turn = 0; turn < 150 && prepared_after; turn++) {
        struct vg_aes_gcm gcm, other;
        struct observer observer = {.gcm = &gcm, .other = &other};
        if (turn % 25 == 0)
            make_messages(&r, key_sizes[turn / 25 % key_sizes_count]);
        CHECK(!vg_aes_gcm_init(&other, messages[0].key, messages[0].key_len), "turn %zu", turn);
        CHECK(!vg_aes_gcm_prepare(&other), "turn %zu", turn);
        CHECK(!vg_aes_gcm_init(&gcm, messages[0].key, messages[0].key_len), "turn %zu", turn);
        CHECK(!gcm.prepared, "turn %zu: prepared too early", turn);
        cr_assert(!pthread_create(&observer.thread, NULL, observe, &observer));
        CHECK(run_threads(&gcm, 12) == 0, "turn %zu", turn);
        CHECK(gcm.prepared == 1, "turn %zu: not prepared", turn);
        /* Threads that counted while the last call was being added go a little further. */
        CHECK(gcm.calls >= prepared_after && gcm.calls < prepared_after + THREADS, "turn %zu: %u calls", turn,
              (unsigned)gcm.calls);
        pthread_join(observer.thread, NULL);
        CHECK(!observer.wrong, "turn %zu: powers", turn);
    }
}

/* Short texts do not count, and the call that reaches the number is the one that prepares. */
Test(threads, calls_are_counted, .init = find_thresholds)
{
    static uint8_t text[65535];
    struct vg_aes_gcm gcm;
    uint8_t tag[16];
    CHECK(!vg_aes_gcm_init(&gcm, (const uint8_t *)"0123456789abcdef0123456789abcdef", key_sizes[0]), "init");
    if (!prepared_after)
        return;
    for (unsigned i = 0; i < 3 * prepared_after; i++)
        CHECK(!vg_aes_gcm_seal(&gcm, text, 12, NULL, 0, text, prepared_min_len - 1, tag), "call %u", i);
    CHECK(!gcm.prepared, "short texts count");
    for (unsigned i = 1; i <= prepared_after; i++) {
        CHECK(!gcm.prepared, "prepared before call %u", i);
        CHECK(!vg_aes_gcm_seal(&gcm, text, 12, NULL, 0, text, prepared_min_len, tag), "call %u", i);
    }
    CHECK(gcm.prepared == 1, "not prepared after %zu calls", prepared_after);
}
#endif
