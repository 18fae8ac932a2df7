/* Hex digits. */
#include "tool.h"

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool is_hex(const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (digit(text[i]) < 0)
            return false;
    return true;
}

bool hex_decode(const char *text, size_t len, uint8_t *bytes)
{
    if (len % 2 || !is_hex(text, len))
        return false;
    for (size_t i = 0; i < len / 2; i++)
        bytes[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    return true;
}
