/* Strings of JSON (RFC 8259). */
#include "tool.h"
#include <stdio.h>

/* Bytes that are not ASCII are written as the Latin-1 characters of the same number. */
void json_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < ' ' || c > '~')
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}
