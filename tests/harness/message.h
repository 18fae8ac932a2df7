/* A random message and what an independent implementation makes of it. */
#ifndef VG_TESTS_MESSAGE_H
#define VG_TESTS_MESSAGE_H

#include "random.h"

enum { MESSAGE_NONCE_MAX = 2056, MESSAGE_AAD_MAX = 4096, MESSAGE_TEXT_MAX = 20480 };

struct message {
    size_t key_len, nonce_len, aad_len, len;
    uint8_t key[32], tag[16];
    uint8_t nonce[MESSAGE_NONCE_MAX], aad[MESSAGE_AAD_MAX];
    uint8_t text[MESSAGE_TEXT_MAX], cipher[MESSAGE_TEXT_MAX];
};

void message_random(struct message *m, struct random *r, size_t key_len, size_t nonce_len, size_t aad_len, size_t len);
/* The same after key, nonce, aad or text were changed by hand: cipher and tag anew. */
void message_update(struct message *m);

#endif
