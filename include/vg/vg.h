/* vg/vg.h: everything. */
#ifndef VG_VG_H
#define VG_VG_H

#include <vg/aes_gcm.h>
#include <vg/blocks.h>
#include <vg/info.h>
#include <vg/status.h>

#endif
