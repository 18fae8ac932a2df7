/* What fuzz targets share. A target reads its input as a plan, byte by byte, and zeros where the input has ended:
 * a key's size and variant, lengths, cuts, what is in place, what is forged. Contents come from a generator that the
 * plan seeds. Every target carries out its plan with the library and compares with libcrypto. */
#ifndef VG_TESTS_PLAN_H
#define VG_TESTS_PLAN_H

#include "guard.h"
#include "message.h"
#include "setups.h"
#include <vg/vg.h>

struct plan {
    const uint8_t *at;
    size_t left;
};

uint8_t plan_byte(struct plan *p);
/* 0 <= result < limit; limit is 1 to 65536 */
size_t plan_below(struct plan *p, size_t limit);
/* A length up to most, small ones more often. */
size_t plan_len(struct plan *p, size_t most);

enum { FUZZ_CUTS_MAX = 70 };
/* Cut len into pieces, some of them empty: the last one takes what the plan does not. Returns how many, at least 1. */
size_t plan_cuts(struct plan *p, size_t lens[FUZZ_CUTS_MAX], size_t len);

/* A message of which libcrypto knows the ciphertext and the tag. */
void plan_message(struct plan *p, struct message *m, size_t longest);
/* A key in one of the forms and variants that there are, or as vg_aes_gcm_init makes it. */
void plan_key(struct plan *p, struct vg_aes_gcm *gcm, const struct message *m);
/* A pointer for len bytes in one of the rooms between guard pages, against either end or within; and a copy there. */
enum fuzz_room { ROOM_SRC, ROOM_DST, ROOM_AAD, ROOM_NONCE, ROOM_TAG, ROOMS };
uint8_t *plan_place(struct plan *p, enum fuzz_room room, size_t len);
uint8_t *plan_copy(struct plan *p, enum fuzz_room room, const uint8_t *bytes, size_t len);

/* Tell the fuzzer that this is a new kind of plan: it cannot see the branches of code in assembly. */
void fuzz_seen(const struct vg_aes_gcm *gcm, unsigned what, size_t len);

/* End the process, which is a finding, unless condition holds. */
#define FUZZ_CHECK(condition, m)                                                                                       \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fuzz_found(__FILE__, __LINE__, #condition, m);                                                             \
    } while (0)
_Noreturn void fuzz_found(const char *file, int line, const char *condition, const struct message *m);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
