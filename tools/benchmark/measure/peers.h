/* What --peer can load. 0 if so has the interface. */
#ifndef VG_MEASURE_PEERS_H
#define VG_MEASURE_PEERS_H

#include "measure.h"

int evp_add(struct candidates *all, const char *name, void *so);
int evp_aead_add(struct candidates *all, const char *name, void *so);

#endif
