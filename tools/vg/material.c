/* Keys, nonces and AAD from files, hex, the environment and the command line. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "tool.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool source_given(const struct source *source) { return source->text || source->file || source->env || source->hex; }

void source_set_once(const struct source *source, const char *what)
{
    if (source_given(source))
        fail(EXIT_USAGE, "the %s is given twice; give it once", what);
}

static size_t from_hex(const char *what, const char *text, size_t len, uint8_t *bytes, size_t most)
{
    if (!len)
        fail(EXIT_USAGE, "the %s is empty", what);
    if (!is_hex(text, len))
        fail(EXIT_USAGE, "the %s is not hex: digits 0-9 and a-f only, no spaces", what);
    if (len % 2)
        fail(EXIT_USAGE, "the %s has an odd number of hex digits; two make a byte", what);
    if (len / 2 > most)
        fail(EXIT_USAGE, "the %s is too long: %zu bytes at most", what, most);
    hex_decode(text, len, bytes);
    return len / 2;
}

/* Raw bytes, or hex digits that end with a newline. The name is not printed: it may be a key in the wrong place. */
static size_t from_file(const char *what, const char *path, uint8_t *bytes, size_t most)
{
    static char text[2 * NONCE_LEN_MAX + 3];
    size_t len = 0;
    ssize_t got = -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    while (fd >= 0 && len < sizeof text) {
        got = read(fd, text + len, sizeof text - len);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        len += (size_t)got;
    }
    if (got < 0)
        fail(EXIT_USAGE, "cannot read the %s file: %s", what, strerror(errno));
    close(fd);
    size_t digits = len;
    if (digits && text[digits - 1] == '\n')
        digits -= digits > 1 && text[digits - 2] == '\r' ? 2 : 1;
    if (!len)
        fail(EXIT_USAGE, "the %s file is empty", what);
    if (digits && digits < len && is_hex(text, digits)) {
        len = from_hex(what, text, digits, bytes, most);
    } else {
        if (most == KEY_LEN_MAX && len == 32 && is_hex(text, len))
            fail(EXIT_USAGE, "the key file could be 32 bytes or 16 in hex; end hex with a newline");
        if (len > most)
            fail(EXIT_USAGE, "the %s file is too long: %zu bytes at most, or hex digits and a newline", what, most);
        memcpy(bytes, text, len);
    }
    explicit_bzero(text, sizeof text);
    return len;
}

static size_t load(const char *what, const struct source *source, uint8_t *bytes, size_t most)
{
    if (source->file)
        return from_file(what, source->file, bytes, most);
    char *hex = source->env ? getenv(source->env) : source->hex;
    if (!hex)
        fail(EXIT_USAGE, "the environment variable that --%s-env names is not set", what);
    size_t len = strlen(hex), bytes_len = from_hex(what, hex, len, bytes, most);
    /* Nobody needs to see it in /proc from here on. */
    explicit_bzero(hex, len);
    return bytes_len;
}

size_t load_key(const struct source *source, uint8_t key[KEY_LEN_MAX])
{
    if (!source_given(source))
        fail(EXIT_USAGE, "a key is missing; give --key-file, --key-env or --key-hex");
    size_t len = load("key", source, key, KEY_LEN_MAX);
    if (!((VG_AES128 && len == 16) || (VG_AES192 && len == 24) || (VG_AES256 && len == 32)))
        fail(EXIT_USAGE, "the key has %zu bytes; this build takes%s%s%s (a key file in hex ends with a newline)", len,
             VG_AES128 ? " 16" : "", VG_AES192 ? " 24" : "", VG_AES256 ? " 32" : "");
    return len;
}

size_t load_nonce(const struct source *source, uint8_t nonce[NONCE_LEN_MAX])
{
    size_t len = load("nonce", source, nonce, NONCE_LEN_MAX);
    if (!VG_ANY_NONCE && len != 12)
        fail(EXIT_USAGE, "the nonce has %zu bytes; this build takes 12", len);
    return len;
}

const uint8_t *load_short_aad(const struct source *source, size_t *len)
{
    *len = 0;
    if (source->text) {
        *len = strlen(source->text);
        return (const uint8_t *)source->text;
    }
    if (!source->hex || !*source->hex)
        return NULL;
    *len = strlen(source->hex) / 2;
    /* Hex becomes shorter, so that its bytes fit where it was. */
    uint8_t *bytes = (uint8_t *)source->hex;
    from_hex("AAD", source->hex, strlen(source->hex), bytes, SIZE_MAX);
    return bytes;
}
