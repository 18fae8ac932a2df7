#include "vectors_cavp.h"
#include <stdlib.h>
#include <string.h>

/* What a vector consists of; a bit each. Fields with bytes come first. */
enum { KEY, IV, PT, AAD, CT, TAG, COUNT, FAIL };
enum { BYTES_FIELDS = COUNT };

static const char *const names[BYTES_FIELDS] = {"Key", "IV", "PT", "AAD", "CT", "Tag"};
static const enum cavp_length lengths[BYTES_FIELDS] = {CAVP_KEY, CAVP_IV, CAVP_PT, CAVP_AAD, CAVP_PT, CAVP_TAG};

static const struct section {
    const char *name;
    size_t bytes_max;
} sections[CAVP_LENGTHS] = {
    [CAVP_KEY] = {"Keylen", 32},         [CAVP_IV] = {"IVlen", VECTOR_MAX}, [CAVP_PT] = {"PTlen", VECTOR_MAX},
    [CAVP_AAD] = {"AADlen", VECTOR_MAX}, [CAVP_TAG] = {"Taglen", 16},
};

void cavp_begin(struct cavp *cavp, FILE *file, const char *name)
{
    memset(cavp, 0, sizeof *cavp);
    cavp->file = file;
    cavp->name = name;
}

static enum vectors_got malformed(struct cavp *cavp, const char *what)
{
    snprintf(cavp->wrong, sizeof cavp->wrong, "%s:%zu: %s", cavp->name, cavp->line, what);
    return VECTORS_MALFORMED;
}

/* VECTORS_ONE: the next line without its end is in cavp->text. */
static enum vectors_got read_line(struct cavp *cavp)
{
    if (!fgets(cavp->text, sizeof cavp->text, cavp->file))
        return ferror(cavp->file) ? malformed(cavp, "cannot be read") : VECTORS_END;
    cavp->line++;
    size_t len = strlen(cavp->text);
    if (len && cavp->text[len - 1] == '\n')
        len--;
    else if (!feof(cavp->file))
        return malformed(cavp, "a line that is too long, or no text");
    if (len && cavp->text[len - 1] == '\r')
        len--;
    cavp->text[len] = 0;
    return VECTORS_ONE;
}

/* Decimal digits and nothing else. */
static int take_number(const char *text, size_t *number)
{
    size_t digits = strspn(text, "0123456789");
    if (!digits || digits > 9 || text[digits])
        return 0;
    *number = strtoul(text, NULL, 10);
    return 1;
}

/* Cut "name = value" in two. */
static char *value_of(char *line)
{
    char *equals = strstr(line, " =");
    if (!equals)
        return NULL;
    *equals = 0;
    return equals + 2 + (equals[2] == ' ');
}

/* "[IVlen = 96]" */
static int take_section(struct cavp *cavp, char *line)
{
    size_t len = strlen(line), bits;
    if (line[len - 1] != ']')
        return 0;
    line[len - 1] = 0;
    const char *value = value_of(++line);
    if (!value || !take_number(value, &bits) || bits % 8)
        return 0;
    for (size_t i = 0; i < CAVP_LENGTHS; i++)
        if (!strcmp(line, sections[i].name)) {
            cavp->bytes[i] = bits / 8;
            return bits / 8 <= sections[i].bytes_max;
        }
    return 0;
}

/* The bit of the field that line holds, which goes to v, or 0. */
static unsigned take_field(const struct cavp *cavp, struct vector *v, char *line)
{
    uint8_t *const places[BYTES_FIELDS] = {v->key, v->nonce, v->text, v->aad, v->cipher, v->tag};
    if (!strcmp(line, "FAIL"))
        return 1u << FAIL;
    const char *value = value_of(line);
    if (!value)
        return 0;
    if (!strcmp(line, "Count")) {
        v->line = cavp->line;
        return take_number(value, &v->number) ? 1u << COUNT : 0;
    }
    for (unsigned i = 0; i < BYTES_FIELDS; i++)
        if (!strcmp(line, names[i]))
            return vectors_hex(places[i], cavp->bytes[lengths[i]], value, strlen(value)) ? 1u << i : 0;
    return 0;
}

static enum vectors_got complete(struct cavp *cavp, struct vector *v, unsigned seen)
{
    const unsigned both = 1u << COUNT | 1u << KEY | 1u << IV | 1u << AAD | 1u << CT | 1u << TAG;
    if (seen != (both | 1u << PT) && seen != (both | 1u << FAIL))
        return malformed(cavp, "a vector ends here that lacks a field, or has both PT and FAIL");
    v->has_text = seen >> PT & 1;
    v->verdict = v->has_text ? VECTOR_GOOD : VECTOR_FORGED;
    v->key_len = cavp->bytes[CAVP_KEY];
    v->nonce_len = cavp->bytes[CAVP_IV];
    v->aad_len = cavp->bytes[CAVP_AAD];
    v->len = cavp->bytes[CAVP_PT];
    v->tag_len = cavp->bytes[CAVP_TAG];
    return VECTORS_ONE;
}

enum vectors_got cavp_next(struct cavp *cavp, struct vector *v)
{
    unsigned seen = 0, bit;
    enum vectors_got got;
    while ((got = read_line(cavp)) == VECTORS_ONE) {
        char *line = cavp->text;
        if (!*line && seen)
            return complete(cavp, v, seen);
        if (!*line || *line == '#')
            continue;
        if (*line == '[') {
            if (seen || !take_section(cavp, line))
                return malformed(cavp, "no section header that is known here");
            continue;
        }
        bit = take_field(cavp, v, line);
        if (!bit || seen & bit)
            return malformed(cavp, "no field of a vector, one of another length than its section says, or one twice");
        seen |= bit;
    }
    return got == VECTORS_END && seen ? complete(cavp, v, seen) : got;
}
