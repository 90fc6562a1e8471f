/* palette.h - colours that differ for people with any colour vision: for names they come from a search that
 * began at Okabe and Ito's colours, for numbers from viridis. */
#ifndef SPOOR_PALETTE_H
#define SPOOR_PALETTE_H

#include <stdint.h>

#define COLOURS 8 /* colours of names; number COLOURS is for all others */
#define STEPS 16  /* colours of numbers, from few to many */

/* Colours 0xRRGGBB on a light and on a dark background. Any two colours of names differ by more than 12 of
 * CIEDE2000, also as Machado's model of 2009 shows them to protanopes, deuteranopes and tritanopes. */
extern const uint32_t colour_light[COLOURS + 1], colour_dark[COLOURS + 1];
/* Style of text on each colour. */
extern const char *const colour_ink[COLOURS + 1];
extern const uint32_t step_light[STEPS], step_dark[STEPS];

#endif
