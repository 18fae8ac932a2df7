#include "message.h"
#include "reference.h"

void message_random(struct message *m, struct random *r, size_t key_len, size_t nonce_len, size_t aad_len, size_t len)
{
    m->key_len = key_len;
    m->nonce_len = nonce_len;
    m->aad_len = aad_len;
    m->len = len;
    random_fill(r, m->key, key_len);
    random_fill(r, m->nonce, nonce_len);
    random_fill(r, m->aad, aad_len);
    random_fill(r, m->text, len);
    message_update(m);
}

void message_update(struct message *m)
{
    reference_seal(m->key, m->key_len, m->nonce, m->nonce_len, m->aad, m->aad_len, m->text, m->cipher, m->len, m->tag);
}
