/* palette.h - colours that people tell apart whatever their eyes: for names those of a search that began
 * at Okabe and Ito's, for numbers viridis. */
#ifndef SPOOR_PALETTE_H
#define SPOOR_PALETTE_H

#include <stdint.h>

#define COLOURS 8 /* of names; number COLOURS is that of all others */
#define STEPS 16  /* of numbers, from few to many */

/* 0xRRGGBB on a light and on a dark ground. Any two of names differ by more than 12 of CIEDE2000, as
 * they are and as Machado's model of 2009 shows them to protanopes, deuteranopes and tritanopes. */
extern const uint32_t colour_light[COLOURS + 1], colour_dark[COLOURS + 1];
/* The style of text on each. */
extern const char *const colour_ink[COLOURS + 1];
extern const uint32_t step_light[STEPS], step_dark[STEPS];

#endif
