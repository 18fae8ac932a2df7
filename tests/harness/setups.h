/* The ways in which a key can be set up in this build on this CPU: every variant, in every form that contexts have. */
#ifndef VG_TESTS_SETUPS_H
#define VG_TESTS_SETUPS_H

#include <stddef.h>
#include <stdint.h>
#include <variant.h>

struct setup {
    uint32_t variant;
    uint32_t needs;
    int prepared;
    const char *name;
    char label[48]; /* variant and form, for failures */
};

enum { SETUPS_MAX = 32 };

/* Fill setups[SETUPS_MAX]; returns how many there are. Prints a line that begins with "SKIPPED:" for every variant that
 * this CPU, its OS or VG_CPU_FEATURES keeps from running. */
size_t setups_find(struct setup setups[SETUPS_MAX]);
/* A key in exactly this variant and form; an adaptive context stays in it. */
void setup_key(const struct setup *setup, struct vg_aes_gcm *gcm, const uint8_t *key, size_t key_len);

/* The key sizes of this build: for (size_t i = 0; i < key_sizes_count; i++) ... key_sizes[i] */
extern const size_t key_sizes[];
extern const size_t key_sizes_count;

#endif
