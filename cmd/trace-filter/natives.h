/* natives.h - formats whose records are not just copied by -n. */
#ifndef SPOOR_NATIVES_H
#define SPOOR_NATIVES_H

#include "output/native.h"

extern const struct native native_ovni, native_charisma;

#endif
