#include "internal.h"

/* Code that was compiled against another configuration asks for another name, and does not link. */
const unsigned char VG_CONFIG_SYMBOL = 0;

const char *vg_config_string(void) { return VG_CONFIG_STRING; }
