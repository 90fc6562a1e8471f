/* palette.c - the colours of pictures: see palette.h. */
#include "plot/palette.h"

const uint32_t colour_light[COLOURS + 1] = {0x006baa, 0xeaa923, 0x16a46e,
					    0xa34600, 0xc47cb9, 0x28b6ff,
					    0x9a8800, 0x76674c, 0x9f9f9f};
const uint32_t colour_dark[COLOURS + 1] = {0x04a8ff, 0xffc449, 0x14997c, 0xb85106, 0xc57bb4,
					   0xa9e2ff, 0xaa9c00, 0x7f6e51, 0xacacac};
const char *const colour_ink[COLOURS + 1] = {"y", "i", "i", "j", "i", "i", "i", "j", "i"};
const uint32_t step_light[STEPS] = {
    0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e, 0x2a788e, 0x23888e,
    0x1f988b, 0x22a884, 0x35b779, 0x54c568, 0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};
/* The darkest would not be seen. */
const uint32_t step_dark[STEPS] = {
    0x6a4c93, 0x66559c, 0x5d62a3, 0x526ea6, 0x39568c, 0x31688e, 0x2a788e, 0x23888e,
    0x1f988b, 0x22a884, 0x35b779, 0x54c568, 0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};

unsigned
colour_256(uint32_t rgb)
{
	unsigned at = 16;

	for (int shift = 16; shift >= 0; shift -= 8) {
		unsigned v = rgb >> shift & 255, level = v < 48	   ? 0
							 : v < 115 ? 1
								   : (v - 35) / 40;

		at += level * (shift == 16 ? 36 : shift == 8 ? 6 : 1);
	}
	return at;
}
